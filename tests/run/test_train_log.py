"""What is said goes into the file; what a person should read goes to the view; nothing is left behind."""

from __future__ import annotations

import logging
import warnings
from pathlib import Path

from c4.run.train_log import SHOWN, logging_into


def test_all_goes_to_the_file_and_our_own_to_the_view(tmp_path: Path) -> None:
    said: list[str] = []
    before = list(logging.getLogger().handlers)
    with logging_into(tmp_path / "train.log", say=said.append):
        logging.getLogger("c4.somewhere").info("a sentence")
        logging.getLogger("c4.somewhere").warning("a danger")
        logging.getLogger("pytorch_lightning.x").info("chatter")
        logging.getLogger("elsewhere").warning("their trouble")
        logging.getLogger("c4.somewhere").debug("detail")
        logging.getLogger("c4.somewhere").info("shown already", extra=SHOWN)
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.warn("a warning", stacklevel=1)
    assert said == ["a sentence", "warning: a danger"]
    text = (tmp_path / "train.log").read_text()
    for sentence in ("a sentence", "a danger", "chatter", "their trouble", "a warning", "shown already"):
        assert sentence in text
    assert "detail" not in text
    assert logging.getLogger().handlers == before
