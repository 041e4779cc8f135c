"""The carried sets: whole, apart from each other, of their definition, and true."""

from __future__ import annotations

import gzip
import json
import random
import shutil
from pathlib import Path

import numpy as np
import pytest

from c4.evaluation import sets
from c4.evaluation.labels import LabelError
from c4.evaluation.make_sets import CELLS as DEFINITIONS
from c4.evaluation.make_sets import make_cells
from c4.evaluation.openings import ends_at_once
from c4.evaluation.sets import (
    CELLS,
    DATA,
    chosen_sets,
    labelled_set,
    read_manifest,
    read_set,
    set_names,
    small_set,
    subset,
)
from c4.players.oracle import oracle

ALL = ("dev", *CELLS)
CARRIED = {"connect4": ALL, "gomoku6": ALL, "gomoku8": ("forced",), "gomoku9": ("forced",)}


def test_every_set_is_whole() -> None:
    manifest = read_manifest(DATA)
    read = [(game, name) for game, names in CARRIED.items() for name in names]
    entries = [name if game == "connect4" else f"{game}-{name}" for game, name in read]
    assert set(manifest) == set(entries)
    for (game, name), entry in zip(read, entries, strict=True):
        assert manifest[entry]["game"] == game
        assert len(read_set(name, game=game, folder=DATA)) == manifest[entry]["positions"]  # checks the checksum
    assert {path.name for path in DATA.glob("*.gz")} == {entry["file"] for entry in manifest.values()}


def test_a_changed_file_is_noticed(tmp_path: Path) -> None:
    shutil.copytree(DATA, tmp_path / "data")
    path = tmp_path / "data" / "dev.jsonl.gz"
    lines = gzip.decompress(path.read_bytes()).decode().splitlines()
    entry = json.loads(lines[0])
    entry["scores"][0] += 1
    path.write_bytes(gzip.compress("\n".join([json.dumps(entry), *lines[1:]]).encode()))
    with pytest.raises(LabelError, match="the checksum differs"):
        read_set("dev", game="connect4", folder=tmp_path / "data")


@pytest.mark.parametrize("game", CARRIED)
def test_no_position_is_there_twice_not_even_mirrored(game: str) -> None:
    seen: set[int] = set()
    for name in CARRIED[game]:
        keys = [position.canonical_key for position in labelled_set(name, game=game).positions()]
        assert len(set(keys)) == len(keys), name
        assert not seen & set(keys), name
        seen |= set(keys)


def test_the_cells_are_what_they_are_called() -> None:
    assert {cell.name for cell in DEFINITIONS} == set(CELLS)
    for cell in DEFINITIONS:
        labels = labelled_set(cell.name, game="connect4")
        assert len(labels) == 1000
        assert set(labels.ply.tolist()) <= set(cell.played)
        assert set(labels.moves_left.tolist()) <= set(cell.left)
        assert not any(ends_at_once(position) for position in labels.positions())


def test_dev_is_as_large_and_as_decisive_as_documented() -> None:
    dev = labelled_set("dev", game="connect4")
    assert len(dev) == 2000
    assert int(dev.decisive.sum()) == 815
    assert set(dev.ply.tolist()) == set(range(36))


def test_the_scores_are_true() -> None:
    pytest.importorskip("bitbully")
    rng = random.Random(5)
    for name in ALL:
        labels = labelled_set(name, game="connect4")
        late = [row for row in range(len(labels)) if not 12 <= labels.ply[row] <= 15]  # those take long
        for row in rng.sample(late, 15):
            scores = [np.iinfo(np.int16).min if s is None else s for s in oracle("connect4").scores(labels.moves[row])]
            assert scores == labels.scores[row].tolist(), labels.text(row)


@pytest.mark.slow
def test_the_cells_can_be_made_again() -> None:
    pytest.importorskip("bitbully")
    first, again = (dict(make_cells(count=2, seed=9, known=set())) for _ in range(2))
    assert [cell.name for cell in first] == [cell.name for cell in again] == [cell.name for cell in DEFINITIONS]
    for one, other in zip(first.values(), again.values(), strict=True):
        assert one.moves == other.moves


def test_small_boards_are_labelled_once_and_kept(tmp_path: Path) -> None:
    made = small_set("connect4_4x4", cache=tmp_path)
    (kept,) = tmp_path.iterdir()
    before = kept.stat().st_mtime_ns
    again = small_set("connect4_4x4", cache=tmp_path)
    assert kept.stat().st_mtime_ns == before
    assert again.moves == made.moves
    assert (again.scores == made.scores).all()
    assert len({position.canonical_key for position in made.positions()}) == len(made) > 500
    assert set(range(4, 16)) <= set(made.ply.tolist())


def test_a_kept_set_that_is_broken_is_made_anew(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sets, "SMALL_COUNT", 20)
    made = small_set("connect4_4x4", cache=tmp_path)
    (kept,) = tmp_path.iterdir()
    kept.write_bytes(kept.read_bytes()[:-100])
    assert small_set("connect4_4x4", cache=tmp_path).moves == made.moves
    assert "it is made anew" in caplog.text
    assert small_set("connect4_4x4", cache=tmp_path).moves == made.moves
    assert len(caplog.records) == 1


def test_names_of_sets() -> None:
    assert set_names("connect4") == ALL
    assert set_names("connect4_5x4") == set_names("tictactoe") == ("dev",)
    assert set_names("gomoku6") == ALL
    assert set_names("gomoku8") == set_names("gomoku9") == ("forced",)
    assert set_names("gomoku15") == ()
    assert [one.name for one in chosen_sets(["cells"], game="connect4")] == list(CELLS)
    assert chosen_sets(["dev", "cells"], game="gomoku15") == []
    with pytest.raises(LabelError, match="gomoku15 has no labelled set"):
        labelled_set("dev", game="gomoku15")


def test_a_subset_is_fixed_and_spread_over_the_plies() -> None:
    dev = labelled_set("dev", game="connect4")
    small = subset(dev, count=100)
    assert len(small) == 100
    assert small.moves == subset(dev, count=100).moves
    assert small.ply.min() < 3
    assert small.ply.max() == 35
    assert subset(dev, count=5000) is dev
