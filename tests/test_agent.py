"""The agent for other programs, on a network with random weights."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir
from tests.network.shapes import SMALL, trained_like

from c4 import load_agent
from c4.games import game_spec
from c4.native._core import Position
from c4.network.weights import PlayerFileError, save_player
from c4.params.errors import ConfigError
from c4.players.checkpoints import NoChampionError, player_file

QUICK = ("simulations=200", "inference=torch")


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Like a run's: checkpoints with a best and a last player."""
    folder = tmp_path_factory.mktemp("run")
    (folder / "checkpoints").mkdir()
    spec = game_spec("connect4")
    for name in ("best", "last"):
        state = trained_like(spec, SMALL).state_dict()
        save_player(folder / "checkpoints" / f"{name}.safetensors", spec=spec, design=SMALL, state=state, card={})
    return folder


def test_plays_the_winning_move_from_every_form_of_a_position(run_folder: Path) -> None:
    agent = load_agent(run_folder, *QUICK)
    assert agent.act("121212") == 0
    assert agent.act([0, 1, 0, 1, 0, 1]) == 0
    assert agent.act(Position("connect4", "121212")) == 0
    agent.close()


@pytest.mark.parametrize(
    ("position", "says"), [("1212121", "over"), ("8", "ply 1"), ("1111111", "ply 7"), (Position("gomoku8"), "gomoku8")]
)
def test_a_position_without_an_answer_is_refused(run_folder: Path, position: str | Position, says: str) -> None:
    agent = load_agent(run_folder, *QUICK)
    with pytest.raises(ValueError, match=says):
        agent.act(position)
    agent.close()


def test_time_temperature_and_noise_are_kept_to(run_folder: Path) -> None:
    hurried = load_agent(run_folder, "seconds=0.01", "simulations=10000000", "inference=torch")  # would never end
    assert hurried.act("4453") in range(7)
    hurried.close()
    hot = [f"search.temperature_{end}=50" for end in ("start", "end")]
    free = load_agent(run_folder, "simulations=30", "inference=torch", *hot)
    assert len({free.act("") for _ in range(20)}) > 1
    free.close()


def test_a_whole_game_is_legal(run_folder: Path) -> None:
    agent, position = load_agent(run_folder, *QUICK), Position("connect4")
    while not position.is_terminal:
        position = position.play(agent.act(position))
    agent.close()


@pytest.mark.parametrize("override", ["simulatons=3", "simulations=0", "search.cpuct=x"])
def test_an_override_that_is_not_allowed_is_refused(run_folder: Path, override: str) -> None:
    with pytest.raises(ConfigError):
        load_agent(run_folder, override)


def test_can_be_loaded_inside_of_a_hydra_program(run_folder: Path) -> None:
    with initialize_config_dir(config_dir=str(Path(__file__).parents[1] / "conf"), version_base="1.3"):
        load_agent(run_folder, *QUICK).close()
        assert compose("play").simulations > 0


def test_a_path_that_holds_no_player_gets_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(PlayerFileError, match="no such file"):
        load_agent(tmp_path / "nothing")
    with pytest.raises(PlayerFileError, match="holds no player"):
        load_agent(tmp_path)


def test_a_run_folder_means_its_best_player(run_folder: Path) -> None:
    assert player_file(str(run_folder), game="connect4") == run_folder / "checkpoints/best.safetensors"
    assert player_file(str(run_folder / "checkpoints"), game="connect4").name == "best.safetensors"


def test_a_champion_that_is_not_there_is_told() -> None:
    with pytest.raises(NoChampionError, match=r"no champion of tictactoe .*train.py game=tictactoe\).*checkpoint=PATH"):
        player_file("champion", game="tictactoe")
    with pytest.raises(NoChampionError, match=r"train one \(.*train.py experiment=gomoku15\)"):
        player_file("champion", game="gomoku15")


def test_c4_itself_is_imported_without_torch() -> None:
    code = "import sys, c4, c4.native._core; print('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
