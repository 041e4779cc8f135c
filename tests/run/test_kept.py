"""What a run keeps to be looked at: the newest games, bounded, and none from before a resume."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from c4.run.folder import RunFolder
from c4.run.kept import keep_games, keep_mistakes, read_games, read_mistakes

MISTAKE = {"moves": "4453", "simulations": 32, "played": 3, "scores": [1, None], "board": [[0]], "value": 0.5}


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    return RunFolder(path=tmp_path)


def game(number: int) -> dict[str, Any]:
    return {"game_id": number, "actions": [3, 3], "best": [-1, 3], "flags": [1, 2], "result": 1, "weights_version": 7}


def numbers(folder: RunFolder) -> list[tuple[int, int]]:
    return [(kept["generation"], kept["game_id"]) for kept in read_games(folder)]


def test_the_newest_games_stay(folder: RunFolder) -> None:
    keep_games(folder, [game(1), game(2)], generation=1, most=3)
    keep_games(folder, [game(3), game(4)], generation=2, most=3)
    assert numbers(folder) == [(1, 2), (2, 3), (2, 4)]
    assert read_games(folder)[0] == {"generation": 1} | {k: v for k, v in game(2).items() if k != "weights_version"}


def test_a_generation_that_is_made_again_replaces_its_games_and_later_ones(folder: RunFolder) -> None:
    for generation in (1, 2, 3):
        keep_games(folder, [game(generation)], generation=generation, most=9)
    keep_games(folder, [game(20)], generation=2, most=9)
    assert numbers(folder) == [(1, 1), (2, 20)]


def test_a_new_grading_takes_the_place_of_the_old(folder: RunFolder) -> None:
    keep_mistakes(folder, [MISTAKE, MISTAKE], generation=1)
    keep_mistakes(folder, [MISTAKE], generation=4)
    assert read_mistakes(folder) == [{"generation": 4} | MISTAKE]


@pytest.mark.parametrize("line", ["", "{", "[]", "{}", '{"generation": 1}', "\xff"])
def test_what_cannot_be_read_is_passed_over(folder: RunFolder, line: str) -> None:
    keep_games(folder, [game(1)], generation=1, most=9)
    with folder.games.open("a", encoding="latin-1") as file:
        file.write(line)
    assert numbers(folder) == [(1, 1)]
    folder.mistakes.write_text(line, encoding="latin-1")
    assert read_mistakes(folder) == []
