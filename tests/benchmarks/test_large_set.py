"""The large labelled set of Connect Four: as it is said to be, and players are compared on it."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import pytest

from c4.evaluation.sets import labelled_set, read_manifest, read_set, set_names

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "benchmarks" / "data"
CHAMPION = ROOT / "src" / "c4" / "champion" / "connect4.safetensors"


@pytest.fixture
def compare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    module = importlib.import_module("compare")
    monkeypatch.setattr(module, "KEPT", tmp_path / "kept")
    monkeypatch.setattr(module, "publish", lambda *_: None)
    return module


def test_its_positions_are_early_far_from_the_end_and_in_no_other_set() -> None:
    labels = read_set("large", game="connect4", folder=FOLDER)
    assert len(labels) == read_manifest(FOLDER)["large"]["positions"] == 20_000
    assert int(labels.moves_left.min()) >= 20
    keys = {position.canonical_key for position in labels.positions()}  # the same for mirror images
    assert len(keys) == len(labels)
    assert max(position.ply for position in labels.positions()) == 16
    for name in set_names("connect4"):
        assert keys.isdisjoint(position.canonical_key for position in labelled_set(name, game="connect4").positions())


def test_players_are_compared_on_it(compare: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    words = [str(CHAMPION), str(CHAMPION), "simulations=0,8", "positions=200", "inference=torch"]
    assert compare.main(words) == 0
    said = capsys.readouterr().out
    assert "8 simulations, 200 positions" in said
    assert said.count("only A is right on 0, only B on 0") == 2
    assert compare.main([str(CHAMPION)]) == 2
    assert "two folders of runs are compared" in capsys.readouterr().err
