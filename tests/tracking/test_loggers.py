"""Loggers by knob: the table always, the others when asked for, and only then imported."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import cast

import pytest
from pytorch_lightning.loggers.logger import Logger
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.plugins.hparams import plugin_data_pb2
from tests.report.drawn import drawn

from c4.configuration import load_config
from c4.lightning_module import C4Module
from c4.params.logger import LoggerParams, WandbMode, WandbParams
from c4.report.table import Table
from c4.tracking.loggers import Loggers, tracking_id
from c4.tracking.tracker import Conclusion

WANDB = WandbParams(
    enabled=False, mode=WandbMode.AUTO, project="c4", entity=None, run_group=None, tags=(), name=None, artifact=True
)
CSV = LoggerParams(tensorboard=False, every_steps=10, wandb=WANDB)


def loggers_of(params: LoggerParams, folder: Path) -> Loggers:
    return Loggers(params, folder=folder, name="x", run_id="1", commit="abc")


def test_the_table_is_always_there(tmp_path: Path) -> None:
    loggers = loggers_of(CSV, tmp_path)
    loggers.table.log_metrics({"a": 1.0}, step=1)
    assert (tmp_path / "metrics.csv").exists()
    assert (loggers.hints, loggers.wants_exhibits()) == ([], False)


class Plain:
    """Somebody's own logger: numbers are all that it takes."""

    def __init__(self) -> None:
        self.told: list[object] = []

    def log_hyperparams(self, settings: object) -> None:
        self.told.append(settings)

    def log_metrics(self, metrics: object, step: int) -> None:
        self.told.append((step, metrics))


class Showing(Plain):
    """One that takes what trackers take, too."""

    def log_steps(self, figures: object, *, step: int) -> None:
        self.told.append((step, figures))

    def show(self, exhibits: Sequence[object], *, step: int) -> None:
        self.told.append((step, len(exhibits)))

    def conclude(self, conclusion: Conclusion) -> None:
        self.told.append(conclusion.card)


def test_a_persons_own_loggers_are_told_what_they_can_take(tmp_path: Path) -> None:
    plain, showing = Plain(), Showing()
    for others, wants in (([plain], False), ([plain, showing], True)):
        own = cast("list[Logger]", others)
        loggers = Loggers(CSV, folder=tmp_path, name="x", run_id="1", commit="abc", others=own)
        assert (loggers.all(), loggers.wants_exhibits()) == ([*others, loggers.table], wants)
    loggers.log_settings({"a": 1})
    loggers.table.log_metrics({"b": 2.0}, step=1)
    loggers.go_on({1: {"b": 2.0}})
    loggers.show([drawn("drawing")], step=1)
    loggers.conclude(Conclusion(failed=False, player=None, card="the card", about={}, summary={}))
    assert plain.told == [{"a": 1}, (1, {"b": 2.0})]
    assert showing.told == [*plain.told, (1, 1), "the card"]


def test_the_table_is_told_last_so_that_what_stands_in_it_was_told_to_all(tmp_path: Path) -> None:
    loggers = loggers_of(dataclasses.replace(CSV, tensorboard=True), tmp_path)
    assert loggers.all()[-1] is loggers.table
    assert len(loggers.all()) == 2


def test_a_run_that_goes_on_tells_its_last_minute_again(tmp_path: Path) -> None:
    loggers = loggers_of(dataclasses.replace(CSV, tensorboard=True), tmp_path)
    loggers.go_on({step: {"budget/minutes": minutes} for step, minutes in enumerate((1.0, 4.1, 5.0, 5.2), 1)})
    loggers.conclude(Conclusion(failed=False, player=None, card="", about={}, summary={}))
    read = EventAccumulator(str(tmp_path / "tensorboard")).Reload()
    assert [event.step for event in read.Scalars("budget/minutes")] == [3, 4]
    assert [row["budget/minutes"] for row in loggers.table.rows] == [1.0, 4.1, 5.0, 5.2]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_tensorboard_has_the_settings_the_curves_the_tables_and_the_pictures(tmp_path: Path) -> None:
    loggers = loggers_of(dataclasses.replace(CSV, tensorboard=True), tmp_path)
    loggers.log_settings({"search": {"cpuct": 2.0}})
    loggers.all()[0].log_metrics({"a": 1.0}, step=1)
    table = Table(name="sets", columns=("set", "error %"), rows=(("dev", 2.5), ("all", None)))
    loggers.show([table, drawn("drawing")], step=4)
    best = tmp_path / "best.safetensors"
    loggers.conclude(Conclusion(failed=False, player=best, card="# the card", about={}, summary={}))
    assert "tensorboard --logdir" in loggers.hints[0]
    read = EventAccumulator(str(tmp_path / "tensorboard")).Reload()
    assert [(event.step, event.value) for event in read.Scalars("a")] == [(1, 1.0)]
    (event,) = read.Tensors("sets/text_summary")
    assert event.step == 4
    assert event.tensor_proto.string_val[0].decode() == "| set | error % |\n| --- | --- |\n| dev | 2.5 |\n| all | – |"
    (image,) = read.Images("drawing")
    assert (image.step, (image.height, image.width)) == (4, drawn("drawing").pixels().shape[:2])
    (event,) = read.Tensors("card/text_summary")
    assert event.tensor_proto.string_val[0] == b"# the card"


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_tensorboard_has_what_was_typed_beside_what_it_led_to_and_the_networks_graph(tmp_path: Path) -> None:
    loggers = Loggers(
        dataclasses.replace(CSV, tensorboard=True), folder=tmp_path, name="x", run_id="1", commit="abc",
        typed=["network=small", "search.cpuct=2", "paths.runs=here"],
        metrics=["loss/total", "truth/value_preserving", "truth/value_preserving_32", "optim/lr"],
    )  # fmt: skip
    loggers.log_settings({"name": "x", "seed": 3, "search": {"cpuct": 2.0}, "network": {"width": 8}})
    loggers.log_graph(C4Module.of(load_config("experiment=tiny")))
    loggers.log_steps({"loss/total": 2.5}, step=10)
    loggers.conclude(Conclusion(failed=False, player=None, card="", about={}, summary={}))
    read = EventAccumulator(str(tmp_path / "tensorboard")).Reload()
    contents = read.summary_metadata["_hparams_/experiment"].plugin_data.content
    experiment = plugin_data_pb2.HParamsPluginData.FromString(contents).experiment
    assert {info.name for info in experiment.hparam_infos} == {"name", "seed", "network", "search.cpuct"}
    assert [info.name.tag for info in experiment.metric_infos] == [
        "truth/value_preserving", "truth/value_preserving_32", "loss/total"
    ]  # fmt: skip
    assert [(event.step, event.value) for event in read.Scalars("steps/loss/total")] == [(10, 2.5)]
    assert any("Network/Tower" in node.name for node in read.Graph().node)


def test_a_network_that_cannot_be_traced_has_no_graph(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    loggers = loggers_of(dataclasses.replace(CSV, tensorboard=True), tmp_path)
    module = C4Module.of(load_config("experiment=tiny"))
    module.network.forward = lambda planes: 1 / 0  # type: ignore[method-assign]
    with caplog.at_level("INFO"):
        loggers.log_graph(module)
    assert "TensorBoard has no graph of this network: division by zero" in caplog.text


def test_a_tracker_that_cannot_write_does_not_end_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    loggers = loggers_of(dataclasses.replace(CSV, tensorboard=True), tmp_path)

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    tracker = loggers.all()[0]
    monkeypatch.setattr(tracker, "show", fail)
    loggers.show([], step=1)
    assert "No space left on device" in caplog.text
    loggers.conclude(Conclusion(failed=False, player=None, card="", about={}, summary={}))


def test_an_agent_of_a_sweep_names_the_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("WANDB_RUN_ID", "WANDB_SWEEP_ID"):
        monkeypatch.delenv(name, raising=False)
    assert tracking_id() is None
    monkeypatch.setenv("WANDB_RUN_ID", "set-by-hand")  # would be the same for every job of a multirun
    assert tracking_id() is None
    monkeypatch.setenv("WANDB_SWEEP_ID", "sweep")
    assert tracking_id() == "set-by-hand"
    loggers_of(CSV, tmp_path)
    assert "W&B hears nothing of it without logger=wandb" in caplog.text


def test_what_is_not_asked_for_is_not_imported() -> None:
    code = (
        "import sys, c4.training; print([name for name in ('wandb', 'openvino', 'onnxruntime') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=900)
    assert done.stdout.strip() == "[]"
