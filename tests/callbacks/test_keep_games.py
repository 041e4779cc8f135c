"""A generation brings as many of its games into the run's folder as are wanted."""

from __future__ import annotations

import types
from pathlib import Path
from typing import Any, cast

import pytest
from pytorch_lightning import LightningModule, Trainer

from c4.callbacks.keep_games import KeepGames
from c4.params.callbacks import KeepingParams
from c4.run.folder import RunFolder
from c4.run.kept import read_games


def game(number: int) -> dict[str, Any]:
    return {"game_id": number, "actions": [3, 3], "best": [-1, 3], "flags": [1, 2], "result": 1}


@pytest.mark.parametrize(("most", "kept"), [(2, 2), (0, 0)])
def test_a_generation_brings_as_many_as_are_wanted(tmp_path: Path, most: int, kept: int) -> None:
    harvest = types.SimpleNamespace(games=[game(number) for number in range(10)])
    ledger = types.SimpleNamespace(generation=5)
    trainer = types.SimpleNamespace(datamodule=types.SimpleNamespace(harvest=harvest, ledger=ledger))
    callback = KeepGames(params=KeepingParams(games=most), folder=(folder := RunFolder(path=tmp_path)))
    callback.on_train_epoch_end(cast(Trainer, trainer), cast(LightningModule, None))
    assert [one["generation"] for one in read_games(folder)] == [5] * kept
