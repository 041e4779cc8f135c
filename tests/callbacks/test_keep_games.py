"""What a run keeps to be looked at: the newest games, bounded, and none from before a resume."""

from __future__ import annotations

import types
from pathlib import Path
from typing import Any, cast

import pytest
from pytorch_lightning import LightningModule, Trainer

from c4.callbacks.keep_games import KeepGames
from c4.params.callbacks import KeepingParams
from c4.run.kept import GAMES, MISTAKES, keep_games, keep_mistakes, read_games, read_mistakes

MISTAKE = {"moves": "4453", "simulations": 32, "played": 3, "scores": [1, None], "board": [[0]], "value": 0.5}


def game(number: int) -> dict[str, Any]:
    return {"game_id": number, "actions": [3, 3], "best": [-1, 3], "flags": [1, 2], "result": 1, "weights_version": 7}


def numbers(folder: Path) -> list[tuple[int, int]]:
    return [(kept["generation"], kept["game_id"]) for kept in read_games(folder)]


def test_the_newest_games_stay(tmp_path: Path) -> None:
    keep_games(tmp_path, [game(1), game(2)], generation=1, most=3)
    keep_games(tmp_path, [game(3), game(4)], generation=2, most=3)
    assert numbers(tmp_path) == [(1, 2), (2, 3), (2, 4)]
    assert read_games(tmp_path)[0] == {"generation": 1} | {k: v for k, v in game(2).items() if k != "weights_version"}


def test_a_generation_that_is_made_again_replaces_its_games_and_later_ones(tmp_path: Path) -> None:
    for generation in (1, 2, 3):
        keep_games(tmp_path, [game(generation)], generation=generation, most=9)
    keep_games(tmp_path, [game(20)], generation=2, most=9)
    assert numbers(tmp_path) == [(1, 1), (2, 20)]


def test_a_new_grading_takes_the_place_of_the_old(tmp_path: Path) -> None:
    keep_mistakes(tmp_path, [MISTAKE, MISTAKE], generation=1)
    keep_mistakes(tmp_path, [MISTAKE], generation=4)
    assert read_mistakes(tmp_path) == [{"generation": 4} | MISTAKE]


@pytest.mark.parametrize("line", ["", "{", "[]", "{}", '{"generation": 1}', "\xff"])
def test_what_cannot_be_read_is_passed_over(tmp_path: Path, line: str) -> None:
    keep_games(tmp_path, [game(1)], generation=1, most=9)
    with (tmp_path / GAMES).open("a", encoding="latin-1") as file:
        file.write(line)
    assert numbers(tmp_path) == ([(1, 1)] if line.isascii() else [])
    (tmp_path / MISTAKES).write_text(line, encoding="latin-1")
    assert read_mistakes(tmp_path) == []


@pytest.mark.parametrize(("most", "kept"), [(2, 2), (0, 0)])
def test_a_generation_brings_as_many_as_are_wanted(tmp_path: Path, most: int, kept: int) -> None:
    harvest = types.SimpleNamespace(games=[game(number) for number in range(10)])
    ledger = types.SimpleNamespace(generation=5)
    trainer = types.SimpleNamespace(datamodule=types.SimpleNamespace(harvest=harvest, ledger=ledger))
    callback = KeepGames(params=KeepingParams(games=most), folder=tmp_path)
    callback.on_train_epoch_end(cast(Trainer, trainer), cast(LightningModule, None))
    assert [generation for generation, _ in numbers(tmp_path)] == [5] * kept
