"""The order of a generation's phases holds in whatever order callbacks are listed."""

from __future__ import annotations

import random
import types
from pathlib import Path
from typing import Any

import pytest
import pytorch_lightning as pl
import torch
from hydra import compose, initialize_config_dir
from hydra.types import RunMode
from pytorch_lightning.callbacks import EarlyStopping, ModelCheckpoint
from safetensors.torch import load_file
from tests.e2e.test_resume import counted
from tests.e2e.training_kit import UNGRADED
from tests.test_training import CONF, Silent
from typing_extensions import override

from c4 import fitting, training
from c4.ledger import Phase
from c4.phases import CloseGeneration, PhaseCallback, in_order


class Played(PhaseCallback):
    phase = Phase.PLAY


class Graded(PhaseCallback):
    phase = Phase.MEASURE


class Saved(PhaseCallback):
    phase = Phase.SAVE


class Own(pl.Callback): ...


def test_ours_come_by_phase_and_peoples_own_before_the_saving() -> None:
    played, closed, graded, saved = Played(), CloseGeneration(), Graded(), Saved()
    one, other = Own(), Own()
    expected = [played, closed, graded, one, other, saved]
    for seed in range(20):
        mixed = [played, closed, graded, saved]
        random.Random(seed).shuffle(mixed)
        listed: list[pl.Callback] = [*mixed[:2], one, *mixed[2:3], other, *mixed[3:]]
        assert in_order(listed) == expected


def run(folder: Path, monkeypatch: pytest.MonkeyPatch, *, callbacks: Any) -> list[pl.Callback]:
    """Trains with what `callbacks` makes of the list; returns the trainer's at the end."""
    made: list[pl.Trainer] = []

    def trainer(**given: Any) -> pl.Trainer:
        made.append(pl.Trainer(**given | {"callbacks": callbacks(given["callbacks"])}))
        return made[-1]

    folder.mkdir()
    monkeypatch.setattr(fitting, "Trainer", trainer)
    baseline = ("every=1", "games=2", "simulations=4", "rollouts_first=4")
    words = [*UNGRADED, "budget.generations=3", *(f"evaluation.baseline.{word}" for word in baseline)]
    hydra = types.SimpleNamespace(
        runtime=types.SimpleNamespace(output_dir=str(folder)),
        mode=RunMode.RUN,
        overrides=types.SimpleNamespace(task=words),
    )
    monkeypatch.setattr(training.HydraConfig, "get", lambda: hydra)
    with initialize_config_dir(config_dir=str(CONF), version_base="1.3"):
        composed = compose("train", overrides=words)
    threads = torch.get_num_threads()
    training.train(composed, started=0.0, open_view=lambda **_: Silent())
    torch.set_num_threads(threads)
    found: list[pl.Callback] = made[-1].callbacks  # type: ignore[attr-defined]
    return found


@pytest.mark.slow
def test_a_run_is_the_same_in_whatever_order_its_callbacks_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def shuffled(listed: list[pl.Callback]) -> list[pl.Callback]:
        return random.Random(5).sample(listed, len(listed))

    as_listed = run(tmp_path / "listed", monkeypatch, callbacks=list)
    assert [type(one) for one in run(tmp_path / "mixed", monkeypatch, callbacks=shuffled)] == [
        type(one) for one in as_listed
    ]
    one, other = tmp_path / "listed", tmp_path / "mixed"
    assert counted(one) == counted(other)
    for name in ("best", "last"):
        expected, found = (load_file(path / "checkpoints" / f"{name}.safetensors") for path in (one, other))
        assert all(torch.equal(expected[key], found[key]) for key in expected)


class Look(pl.Callback):
    """What somebody's own callback sees at the end of a generation."""

    def __init__(self) -> None:
        self.seen: list[dict[str, float]] = []

    @override
    def on_train_epoch_end(self, trainer: pl.Trainer, pl_module: pl.LightningModule) -> None:
        self.seen.append({name: float(value) for name, value in trainer.callback_metrics.items()})


@pytest.mark.slow
def test_peoples_own_callbacks_see_all_figures_and_save_and_stop_beside_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = Look()
    own = ModelCheckpoint(dirpath=tmp_path / "own", monitor="loss/total", save_top_k=1)
    stop = EarlyStopping(monitor="total/games", mode="min", patience=0)  # games only grow: not better once
    run(tmp_path / "run", monkeypatch, callbacks=lambda listed: [own, stop, look, *listed])
    rows = counted(tmp_path / "run")
    assert len(look.seen) == len(rows) == 2, "the second generation was not better"
    for seen, row in zip(look.seen, rows.values(), strict=True):
        known = {name: value for name, value in seen.items() if name in row}
        assert set(known) == set(row)
        assert known == pytest.approx(row)
    assert Path(own.best_model_path).is_file()
    state = torch.load(own.best_model_path, weights_only=True)
    assert state["C4DataModule"]["ledger"]["generation"] == round(state["epoch"] + 1)
