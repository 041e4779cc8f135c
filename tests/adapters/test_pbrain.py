"""`python -m c4.adapters.pbrain` as a manager starts it: nothing but answers on stdout, and a player that searches."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.adapters.kit import player_of
from tests.network.shapes import CONNECT4, GOMOKU, SMALL

from c4.adapters.gomocup import RefusedError
from c4.adapters.gomocup_mind import Minds
from c4.configuration import composed
from c4.native._core import Position
from c4.network.weights import save_player
from c4.params.errors import ConfigError
from c4.params.pbrain import PbrainConfig

NOISY = """
import os, sys
from c4.adapters import gomocup_mind, pbrain
of_size = gomocup_mind.Minds.of_size
def noisy(self, size):
    os.write(1, b"noise of a library\\n")
    print("noise")
    return of_size(self, size)
gomocup_mind.Minds.of_size = noisy
sys.exit(pbrain.main())
"""
WIN_IN_ONE = [0, 6, 1, 7, 2, 8]  # four in a row on six by six cells


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for spec in (CONNECT4, GOMOKU):
        state = player_of(spec, SMALL).state
        save_player(tmp_path / f"{spec.name}.safetensors", spec=spec, design=SMALL, state=state, card={})
    return tmp_path


def minds(checkpoint: str) -> Minds:
    words = (f"checkpoint={checkpoint}", "inference=torch", "simulations=64")
    return Minds(composed("pbrain", schema=PbrainConfig, words=words), hurried=lambda: False)


def test_a_manager_hears_answers_alone(folder: Path) -> None:
    words = ("checkpoint=gomoku6.safetensors", "inference=torch", "simulations=64")
    run = subprocess.run(
        [sys.executable, "-c", NOISY, *words], cwd=folder, capture_output=True, text=True, check=False,
        input="ABOUT\r\nSTART 6\r\nBOARD\r\n0,0,1\r\n1,0,1\r\n2,0,1\r\n0,1,2\r\n1,1,2\r\n2,1,2\r\nDONE\r\nEND\r\n",
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines()[1:] == ["OK", "3,0"]
    assert run.stdout.startswith('name="c4", version="')
    assert "noise" in run.stderr


def test_a_search_finds_what_wins_and_says_when_the_game_is_over(folder: Path) -> None:
    mind = minds(f"{folder}/gomoku6.safetensors").of_size(6)
    assert mind.choose(WIN_IN_ONE, seconds=0.0) == 3
    assert Position.from_actions("gomoku6", [*WIN_IN_ONE, 3]).is_terminal
    with pytest.raises(RefusedError, match="the game is over"):
        mind.choose([*WIN_IN_ONE, 3], seconds=0.0)


def test_a_player_has_the_boards_of_its_game(folder: Path) -> None:
    with pytest.raises(RefusedError, match=r"gomoku6\.safetensors plays on 6 x 6 cells, not on 20 x 20"):
        minds(f"{folder}/gomoku6.safetensors").of_size(20)
    with pytest.raises(ConfigError, match="plays Connect Four: Gomocup's protocol is for games whose stones"):
        minds(f"{folder}/connect4.safetensors")
    with pytest.raises(RefusedError, match="c4 plays on 3 x 3 or 6 x 6 or 8 x 8 or 9 x 9 or 15 x 15 cells, not"):
        minds("champion").of_size(19)
