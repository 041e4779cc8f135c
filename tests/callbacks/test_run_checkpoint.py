"""What is saved after a generation: states that are whole at any moment, the best player, players to keep."""

from __future__ import annotations

import types
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import pytest
import torch
from tests.replay.made_up import made_up

from c4.callbacks.periodic_measurement import Late
from c4.callbacks.run_checkpoint import RunCheckpoint
from c4.params.callbacks import CheckpointParams, Direction
from c4.run.clock import read_clock, timeless
from c4.run.folder import RunFolder
from c4.run.state import FORMAT

HEADER = {"game": "x", "run_id": "abc"}
CLOCK = {"elapsed": 3.5, "seconds": {"PLAY": 2.5}}
PARAMS = CheckpointParams(every=3, monitor="truth/a", direction=Direction.MAX)


class Data:
    """Generations of which the window holds the last two."""

    def __init__(self, folder: RunFolder) -> None:
        self.ledger, self._folder = types.SimpleNamespace(generation=0), folder

    def make_one(self) -> None:
        self._folder.archive.write(self.ledger.generation, made_up(2))
        self.ledger.generation += 1

    def oldest_needed(self) -> int:
        return max(0, self.ledger.generation - 2)


class Run:
    def __init__(self, path: Path, params: CheckpointParams = PARAMS) -> None:
        self.folder = RunFolder(path=path)
        self.data = Data(self.folder)
        self.callback = RunCheckpoint(
            params=params, folder=self.folder, header=HEADER, card={"run": "mine"}, graded_late=False
        )
        self.fail = False

    def save_player(self, path: Path, *, card: Mapping[str, Any], weights: Mapping[str, Any] | None = None) -> None:
        """As the module does."""
        if weights is not None:
            path.write_text(f"{weights['of']}, {card['metrics']['truth/a']}")
            return
        known = {name: value for name, value in card.items() if name != "metrics"}
        assert known == {"run": "mine", "generation": self.data.ledger.generation}
        assert card["metrics"] == pytest.approx(timeless(self.reached), nan_ok=True)
        path.write_text(f"{card['generation']}")

    def save_checkpoint(self, path: Path, *, weights_only: bool) -> None:
        ledger = {"generation": self.data.ledger.generation, "clock": CLOCK}
        checkpoint: dict[str, Any] = {"weights": torch.ones(3), "C4DataModule": {"ledger": ledger}}
        self.callback.on_save_checkpoint(cast(Any, self), cast(Any, None), checkpoint)
        if self.fail:
            path.write_bytes(b"half")
            raise OSError(28, "No space left on device", "/tmp/elsewhere")
        torch.save(checkpoint, path)

    @property
    def datamodule(self) -> Data:
        return self.data

    def generation(self, **metrics: float) -> None:
        self.data.make_one()
        self.callback_metrics = {f"truth/{name}": torch.tensor(value) for name, value in metrics.items()}
        self.reached = {name: float(value) for name, value in self.callback_metrics.items()}
        self.callback.on_train_epoch_end(cast(Any, self), cast(Any, self))

    def files(self) -> list[str]:
        return sorted(path.name for path in self.folder.checkpoints.iterdir())

    def best(self) -> str:
        return self.folder.player("best").read_text()


def test_the_two_newest_states_are_kept_and_the_samples_they_need(tmp_path: Path) -> None:
    run = Run(tmp_path)
    for _ in range(5):
        run.generation(a=0.5)
    assert run.files() == [
        "best.safetensors", "generation_000003.safetensors", "last.safetensors",
        "state_000004.ckpt", "state_000004.json", "state_000005.ckpt", "state_000005.json",
    ]  # fmt: skip
    kept = sorted(path.name for path in (tmp_path / "samples").iterdir())
    assert kept == [f"generation_{number:06d}.safetensors" for number in (2, 3, 4)]
    header = torch.load(run.folder.state(5), weights_only=True)["c4"]
    assert header == {"game": "x", "format": FORMAT, "metrics": {"truth/a": 0.5}}


def test_what_a_clock_says_lies_beside_the_state_before_it_is_there(tmp_path: Path) -> None:
    run = Run(tmp_path)
    run.generation(**{"a": 0.5, "selfplay/throws": 0.25})
    path = run.folder.state(1)
    assert read_clock(run.folder.clock(path)) == {
        "run_id": "abc", "ledger": CLOCK, "metrics": {"truth/selfplay/throws": 0.25}
    }  # fmt: skip
    whole = torch.load(path, weights_only=True)
    assert "abc" not in repr(whole)
    assert whole["C4DataModule"] == {"ledger": {"generation": 1}}
    run.fail = True
    with pytest.raises(OSError, match=r"state_\d+\.ckpt"):
        run.generation(a=0.5)
    assert run.folder.clock(run.folder.state(2)).exists()
    run.fail = False
    checkpoint: dict[str, Any] = {}
    run.callback.on_save_checkpoint(cast(Any, run), cast(Any, None), checkpoint)
    assert checkpoint["c4"]["run_id"] == "abc", "what others save has all in it"


def test_the_best_is_chosen_by_the_monitor(tmp_path: Path) -> None:
    run = Run(tmp_path)
    for value, best in ((0.5, "1"), (0.7, "2"), (0.6, "2"), (0.7, "4"), (float("nan"), "4")):
        run.generation(a=value)
        assert run.best() == best
    run.generation(b=0.9)
    assert run.best() == "4", "a generation that was not graded is not the best"
    assert run.callback.best == pytest.approx(0.7)
    assert run.callback.best_generation == 4


def test_lower_may_be_better_and_the_best_is_remembered_over_a_resume(tmp_path: Path) -> None:
    lower = CheckpointParams(every=0, monitor="truth/a", direction=Direction.MIN)
    run = Run(tmp_path, lower)
    for value in (0.5, 0.3, 0.4):
        run.generation(a=value)
    resumed = Run(tmp_path, lower)
    resumed.callback.load_state_dict(run.callback.state_dict())
    resumed.data.ledger.generation = 3
    resumed.generation(a=0.35)
    assert resumed.best() == "2"
    resumed.generation(a=0.25)
    assert resumed.best() == "5"


def test_without_a_monitor_or_a_grade_the_newest_is_the_best(tmp_path: Path) -> None:
    ungraded, unmonitored = (
        Run(tmp_path / "a"),
        Run(tmp_path / "b", CheckpointParams(every=0, monitor=None, direction=Direction.MAX)),
    )
    for _ in range(2):
        ungraded.generation()
        unmonitored.generation(a=0.5)
    assert ungraded.best() == unmonitored.best() == "2"
    ungraded.generation(a=0.1)
    ungraded.generation(a=0.05)
    assert ungraded.best() == "3"


def test_a_monitor_that_is_not_logged_is_told_after_the_first_generation(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    run = Run(tmp_path, CheckpointParams(every=0, monitor="truth/valeu", direction=Direction.MAX))
    run.generation(value=0.5)
    run.generation(value=0.5)
    (record,) = caplog.records
    assert record.message == (
        "callbacks.checkpoint.monitor=truth/valeu: generation 1 has no such metric; did you mean truth/value?"
    )
    caplog.clear()
    Run(tmp_path / "known").generation(a=0.5)
    assert not caplog.records


def test_a_failed_write_leaves_the_states_that_were_there(tmp_path: Path) -> None:
    run = Run(tmp_path)
    run.generation(a=0.5)
    run.generation(a=0.5)
    whole = run.folder.state(2).read_bytes()
    run.fail = True
    with pytest.raises(OSError, match=r"state_\d+\.ckpt"):
        run.generation(a=0.5)
    assert run.folder.state(2).read_bytes() == whole
    assert [path.name for path in run.folder.states()] == ["state_000002.ckpt", "state_000001.ckpt"]
    assert not list(run.folder.checkpoints.glob(".*"))


def test_a_state_that_is_made_again_replaces_the_old_one_at_once(tmp_path: Path) -> None:
    run = Run(tmp_path)
    run.generation(a=0.5)
    with run.folder.state(1).open("rb") as reader:
        before = run.folder.state(1).read_bytes()
        run.data.ledger.generation = 0
        run.callback = RunCheckpoint(
            params=PARAMS,
            folder=run.folder,
            header=HEADER | {"game": "another"},
            card={"run": "mine"},
            graded_late=False,
        )
        run.generation(a=0.5)
        assert reader.read() == before, "who reads the old file reads it to its end"
    assert run.folder.state(1).read_bytes() != before


def test_players_of_another_line_are_written_anew(tmp_path: Path) -> None:
    run = Run(tmp_path)
    run.generation(a=0.9)
    run.generation(a=0.5)
    run.callback.complete(cast(Any, run), generation=2, reached={"truth/a": 0.5})
    assert (run.best(), run.callback.best, run.callback.best_generation) == ("1", pytest.approx(0.9), 1)
    for which in ("best", "last"):
        run.folder.player(which).unlink()
    run.callback.complete(cast(Any, run), generation=2, reached={"truth/a": 0.5})
    assert (run.best(), run.callback.best, run.callback.best_generation) == ("2", 0.5, 2)
    assert run.folder.player("last").read_text() == "2"
    run.generation(a=0.6)
    assert run.best() == "3"


def test_weights_that_are_graded_late_become_the_best_player_where_they_are(tmp_path: Path) -> None:
    run = Run(tmp_path)

    def late(generation: int, value: float) -> None:
        weights: Any = {"of": generation}
        found = Late(generation=generation, figures={"truth/a": value}, weights=weights, reached={"loss": 1.0})
        run.callback.graded(found, module=cast(Any, run))

    run.generation()
    run.generation()
    assert run.best() == "2"  # nothing is known of any yet
    late(1, 0.5)
    assert (run.best(), run.callback.best, run.callback.best_generation) == ("1, 0.5", 0.5, 1)
    run.generation()
    late(2, 0.25)
    assert run.best() == "1, 0.5"
    late(3, 0.75)
    assert (run.best(), run.callback.best_generation) == ("3, 0.75", 3)
    run.callback.graded(Late(generation=4, figures={"other": 9.0}, weights={}, reached={}), module=cast(Any, run))
    assert run.callback.best_generation == 3
