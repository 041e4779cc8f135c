"""What torch has saved is data, and no larger than its file, whatever stands in it."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest
import torch
from tests.run.test_state import run_folder

from c4.network.loaded import load_data
from c4.network.weights import PlayerFileError, load_player
from c4.run.folder import StateError
from c4.run.state import newest_whole


def doubled(times: int) -> list[Any]:
    """A few bytes in a file, 2 ** times values in it."""
    one = ["x"]
    for _ in range(times):
        one = [one, one]
    return one


def nested(times: int) -> tuple[Any, ...]:
    one: tuple[Any, ...] = ("x",)
    for _ in range(times):
        one = (one, one)
    return one


class Calls:
    def __init__(self, called: Any, *arguments: Any) -> None:
        self._reduced = called, arguments

    def __reduce__(self) -> Any:
        return self._reduced


def test_what_is_saved_is_read(tmp_path: Path) -> None:
    path, weights = tmp_path / "data.ckpt", torch.arange(6.0)
    whole = {"a": weights, "b": weights[2:], "c": [1, (2, None)], "d": torch.nn.Parameter(weights), "e": {3, 4}}
    torch.save(whole, path)
    for mmap in (False, True):
        found = load_data(path, mmap=mmap)
        assert found is not None
        assert found.keys() == whole.keys()
        assert all(torch.equal(found[name], torch.as_tensor(whole[name])) for name in "abd")
        assert (found["c"], found["e"]) == (whole["c"], whole["e"])


@pytest.mark.parametrize(
    "held",
    [
        doubled(60),
        {"a": {"b": doubled(60)}},
        {nested(22): 1},  # which torch itself would add up
        torch.zeros(1).expand(10**12),
        Calls(bytearray, 10**6),
    ],
    ids=["doubled", "doubled below", "a key without end", "one number repeated", "bytes"],
)
def test_what_stands_for_more_than_its_file_is_refused(tmp_path: Path, held: object) -> None:
    path = tmp_path / "data.ckpt"
    torch.save({"held": held}, path)
    with pytest.raises(pickle.UnpicklingError):
        load_data(path)


def test_players_and_states_are_refused_for_it(tmp_path: Path) -> None:
    player = tmp_path / "player.ckpt"
    torch.save({"c4_player": doubled(60), "state_dict": {}}, player)
    with pytest.raises(PlayerFileError, match="is refused: it holds more than data, .* or take any memory"):
        load_player(player)
    folder = run_folder(tmp_path / "run", 1, game=doubled(60))
    with pytest.raises(StateError, match="is refused: it is broken, or holds more than data"):
        newest_whole(folder, upto=None)
