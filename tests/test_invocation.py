"""What commands are called depends on how the program was started, and so do the hints that it prints."""

from __future__ import annotations

import pytest

from c4 import invocation
from c4.invocation import as_typed_here, begin, typed

HINT = "python train.py resume=auto, python -m c4.sweeps report DIR; python -m c4.adapters.pbrain"


@pytest.mark.parametrize(
    ("started", "in_tree", "said", "command"),
    [
        ("/a/bin/c4", False, "c4 train resume=auto, c4 sweep report DIR; c4 pbrain", "c4 train"),
        ("/a/bin/c4", True, "c4 train resume=auto, c4 sweep report DIR; c4 pbrain", "c4 train"),
        (
            "/a/c4/__main__.py", True,
            "python -m c4 train resume=auto, python -m c4 sweep report DIR; python -m c4 pbrain", "python -m c4 train",
        ),
        ("/a/train.py", True, HINT, "/a/train.py"),
        ("my_script.py", True, HINT, "my_script.py"),
        ("my_script.py", False, "c4 train resume=auto, c4 sweep report DIR; c4 pbrain", "c4 train"),
    ],
)  # fmt: skip
def test_a_hint_names_what_can_be_typed(
    started: str, in_tree: bool, said: str, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", [started, "seed=1"])
    monkeypatch.setattr(invocation, "IN_TREE", in_tree)
    monkeypatch.setenv(invocation.COMMAND, "")
    begin("train")
    assert as_typed_here(HINT) == said
    assert typed() == command


def test_who_goes_on_looks_where_was_looked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["c4"])
    monkeypatch.setenv(invocation.COMMAND, "")
    monkeypatch.setenv(invocation.SOURCES, "")
    begin("train", sources=["--config-dir", "a folder"])
    assert typed() == "c4 train --config-dir 'a folder'"
    begin("train")
    assert typed() == "c4 train"


def test_columns_stay_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["c4"])
    before = "python play.py me=none      plays itself\necho 4 | python play.py     in a pipe\n\n  no command   here"
    assert as_typed_here(before).split("\n") == [
        "c4 play me=none             plays itself", "echo 4 | c4 play            in a pipe", "", "  no command   here",
    ]  # fmt: skip


def test_what_only_begins_like_a_command_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["c4"])
    assert as_typed_here("python train.pyx, python -m c4.sweepstakes") == "python train.pyx, python -m c4.sweepstakes"
