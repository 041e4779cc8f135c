"""docs/IN_YOUR_OWN_SCRIPT.md works as it stands: its scripts are written somewhere, and its commands typed there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.contracts.pages import ROOT, Command, commands_of, files_of
from tests.e2e.ready import python
from tests.e2e.training_kit import UNGRADED

PAGE = ROOT / "docs/IN_YOUR_OWN_SCRIPT.md"
QUICKLY = tuple(word for word in UNGRADED if not word.startswith("experiment="))
PLAYING = ("me=none", "ui=text", "truth=false", "simulations=8", "inference=torch")
SAID = {
    "train_mine.py": "`Trainer.fit` stopped: `max_epochs=8` reached.",
    "play.py": "game over",
    "ask_mine.py": "3 batches",
    "go_on.py": " generations",
    "share.py": "rank 1: ",
    "find_rate.py": "model.learning_rate=0.",
}


def done(program: str, words: Sequence[str], *, folder: Path) -> str:
    path = ROOT / program if (ROOT / program).exists() else folder / program
    process = python([str(path), *words], folder=folder, merged=True, environment={"PYTHONWARNINGS": "ignore"})
    assert process.returncode == 0, process.stdout
    return str(process.stdout)


def typed(command: Command, *, folder: Path) -> str:
    program, *words = command.words[1:]
    assert command.words[0] == "python"
    short = PLAYING if program == "play.py" else QUICKLY
    generations = [] if any("generations" in word for word in words) else ["budget.generations=8"]
    return done(program, [*short, *(generations if program != "play.py" else []), *words], folder=folder)


@pytest.mark.slow
def test_every_script_does_what_the_page_says(tmp_path: Path) -> None:
    scripts = files_of(PAGE)
    for name, text in scripts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    commands = list(commands_of(PAGE))
    assert {command.words[1] for command in commands} == {*scripts, "play.py"} == {*SAID}
    for command in commands:
        assert SAID[command.words[1]] in typed(command, folder=tmp_path)
    assert (tmp_path / "saved/last.ckpt").exists()
    assert "3 generations" in done("go_on.py", [*QUICKLY, "budget.generations=3"], folder=tmp_path)
