"""What timing has found out is kept, whatever has become of the file meanwhile; a person can see and clear it."""

from __future__ import annotations

from pathlib import Path

import pytest

from c4 import engines
from c4.network.inference import choices as kept_choices
from c4.network.inference.choices import Kept, choices, choices_file, read_choices

ASKED = {"game": "connect4", "network": "Tower, 1,234 weights, ab12cd34", "rows": 256, "in_flight": 2}
ONE = Kept(asked=ASKED, taken="openvino", rates={"torch": 1000.0, "openvino": 2000.0}, date="2026-01-02")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(kept_choices, "_OF_THIS_PROCESS", [])
    return tmp_path / "cache"


def keep(one: Kept) -> None:
    with choices() as book:
        book.keep(one)


def kept() -> Kept | None:
    with choices() as book:
        return book.kept(ASKED)


def test_what_is_kept_is_there_again_and_replaces_an_older_answer() -> None:
    assert kept() is None
    keep(ONE)
    assert kept() == ONE
    newer = Kept(asked=ASKED, taken="torch", rates={"torch": 1.0}, date="2026-01-03")
    keep(newer)
    assert read_choices() == [newer]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[",
        b"[" * 100_000,
        b"\xff\xfe",
        b"7",
        b'{"asked": 1}',
        b'[7, {"asked": {}, "taken": 1}]',
        b'[{"asked": {}, "taken": "torch", "rates": {"torch": "fast"}, "date": ""}]',
    ],
)
def test_a_damaged_file_says_nothing_and_is_written_anew(content: bytes) -> None:
    choices_file().parent.mkdir(parents=True)
    choices_file().write_bytes(content)
    assert kept() is None
    keep(ONE)
    assert read_choices() == [ONE]


def test_where_nothing_can_be_written_the_process_remembers(cache: Path) -> None:
    cache.write_text("a file stands where the folder would be")
    assert kept() is None
    keep(ONE)
    assert kept() == ONE


def test_the_oldest_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_choices, "MOST", 2)
    for rows in (1, 2, 3):
        keep(Kept(asked={"rows": rows}, taken="torch", rates={}, date=""))
    assert [one.asked["rows"] for one in read_choices()] == [2, 3]


def test_a_person_sees_them_and_clears_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert engines.main([]) == 0
    assert "nothing has been timed yet" in capsys.readouterr().out
    keep(ONE)
    assert engines.main([]) == 0
    shown = capsys.readouterr().out
    assert all(
        word in shown for word in ("Tower, 1,234 weights", "256 x 2", "openvino 2,000, torch 1,000", "engines.json")
    )
    assert engines.main(["clear"]) == 0
    assert capsys.readouterr().out == "forgotten: 1 choice\n"
    assert read_choices() == []
    assert engines.main(["celar"]) == 2
    assert "python -m c4.engines clear" in capsys.readouterr().err
