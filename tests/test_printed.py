"""Nothing from a file, a header, a position or a name steers a terminal."""

from __future__ import annotations

import io
import logging
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from tests.ui.kit import Known, mind, session

import c4
from c4 import printed, programs
from c4.params.callbacks import ProgressParams
from c4.printed import printable
from c4.run.train_log import logging_into
from c4.ui.progress import LineView
from c4.ui.table import PlayTable
from c4.ui.text import play_text

HOSTILE = "a\x1b[2Jb\x07\r\x9b1m\u202ec\udc80"
SHOWN = r"a\x1b[2Jb\x07\r\x9b1m\u202ec\udc80"
KEPT = "0 ●○ ½ ☃ 中文 \t tab\nnext line"


def steering(text: str) -> list[str]:
    return re.findall("[\x00-\x08\x0b-\x1f\x7f-\x9f]", text)


def test_what_steers_a_terminal_is_shown_as_in_code_and_all_else_as_it_is() -> None:
    assert printable(HOSTILE) == SHOWN
    assert printable(KEPT) == KEPT


def test_sentences_go_to_the_terminal_by_one_way_alone() -> None:
    source = Path(c4.__file__).parent
    writers = [
        str(path.relative_to(source))
        for path in sorted(source.rglob("*.py"))
        if re.search(r"sys\.std(out|err)\.write|(?<![.\w])print\(", path.read_text(encoding="utf-8"))
    ]
    assert writers == []


def test_results_and_progress_are_printable(capsys: pytest.CaptureFixture[str]) -> None:
    printed.out(HOSTILE)
    printed.err(HOSTILE)
    assert capsys.readouterr() == (SHOWN, SHOWN)


def test_a_refusal_names_a_file_without_its_control_characters(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["train.py", "--config-dir", HOSTILE])
    assert programs.train() == 2
    said = SHOWN.replace(r"\r", " ")  # a refusal is one line
    assert capsys.readouterr().err == f"error: --config-dir {said}: there is no such folder\n"


def test_a_run_logs_and_shows_no_control_characters(tmp_path: Path) -> None:
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, no_color=True, highlight=False, width=200)
    params: Any = ProgressParams(live=False, refresh_seconds=1.0, line_seconds=0.0)
    with logging_into(tmp_path / "train.log", say=LineView(params=params, console=console).say):
        logging.getLogger("c4.test").warning("the name is %s", HOSTILE)
    assert steering(screen.getvalue()) == []
    assert SHOWN in screen.getvalue()
    assert SHOWN in (tmp_path / "train.log").read_text()


def test_whoever_plays_has_a_name_without_control_characters() -> None:
    start = session()
    search = mind(start.position, simulations=8)
    table = PlayTable(
        session=start, comments=search, opponent=None, name=HOSTILE, judge=HOSTILE, truth=Known(), may_tell=False
    )
    out = io.StringIO()
    play_text(table, lines=[f"{HOSTILE}\n", "quit\n"], out=out)
    assert steering(out.getvalue()) == []
    assert out.getvalue().count(SHOWN.partition("c")[0]) >= 2  # in the first line, and in the refusal of what was typed
    assert (table.name, table.commentator) == (SHOWN, SHOWN)
