"""`python -m c4.export` as it is typed: what it writes, and one sentence for what it cannot."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from hydra import compose, initialize_config_module
from tests.adapters.kit import CONNECT_X, executed, export_config, player_of
from tests.e2e.ready import python
from tests.network.shapes import CONNECT4, GOMOKU, SMALL

from c4.adapters import command
from c4.network.weights import save_player
from c4.params.errors import ConfigError
from c4.params.export import ExportFormat


def export(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return python(["-m", "c4.export", *words], folder=folder)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for spec in (CONNECT4, GOMOKU):
        state = player_of(spec, SMALL).state
        save_player(tmp_path / f"{spec.name}.safetensors", spec=spec, design=SMALL, state=state, card={})
    return tmp_path


def test_the_first_word_may_be_the_format_and_the_knobs_reach_the_file(folder: Path) -> None:
    run = export(folder, "kaggle", "checkpoint=connect4.safetensors", "simulations=9", "search.cpuct=3.5")
    assert (run.returncode, run.stderr) == (0, "")
    act, names = executed((folder / "submission.py").read_text())
    assert (names["HEADER"]["simulations"], names["HEADER"]["search"]["cpuct"]) == (9, 3.5)
    assert act({"board": [0] * 42, "mark": 1}, CONNECT_X) in range(7)


def test_a_model_is_written_where_it_is_asked_for(folder: Path) -> None:
    pytest.importorskip("onnxscript", reason="onnxscript is not installed")
    run = export(folder, "format=onnx", "checkpoint=gomoku6.safetensors", "output=n.onnx")
    assert (run.returncode, run.stderr) == (0, "")
    assert (folder / "n.onnx").stat().st_size > 0
    assert not (folder / "network.onnx").exists()


def test_a_mistake_gets_one_sentence_and_no_file(folder: Path) -> None:
    run = export(folder, "kagle")
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == "error: format=kagle is not allowed: one of: kaggle, onnx\n"
    assert not list(folder.glob("*.py"))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["checkpoint=no"], "checkpoint=no: there is no such file or folder"),
        (["output=no/n.onnx"], "output=no/n.onnx: a file in a folder that exists is needed"),
        (["seconds=2"], "seconds=2.0 is not allowed: a number from 0.01 to 1.9"),
        (["checkpoint=gomoku6.safetensors"], "drops stones into columns: this player plays Gomoku"),
    ],
)
def test_what_cannot_be_written_is_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], sentence: str
) -> None:
    monkeypatch.chdir(folder)
    with initialize_config_module("c4.conf", version_base="1.3"):
        composed = compose("export", overrides=words)
    with pytest.raises(ConfigError, match=re.escape(sentence)):
        command.export(composed)


def test_a_kaggle_agent_leaves_time_for_a_slow_machine() -> None:
    config = export_config()
    assert config.format is ExportFormat.KAGGLE
    assert config.seconds <= 1.5
