"""The composition root: which engine a run takes, and what it makes of states and folders."""

from __future__ import annotations

import dataclasses
import types
from pathlib import Path
from threading import Event
from typing import Any

import pytest
import torch
from hydra import compose, initialize_config_dir

from c4 import training
from c4.callbacks.watch_health import UnhealthyError
from c4.cli import USAGE, RunError
from c4.evaluation.failures import BookError, write_book
from c4.params.inference import EngineName, Precision
from c4.params.plain import as_plain
from c4.params.train import TrainConfig
from c4.params.walk import build
from c4.run.archive import Archive
from c4.run.folder import RunFolder, StateError
from c4.run.state import RunState
from c4.tracking.view import Status

CONF = Path(__file__).parents[1] / "conf"


class Silent:
    """A view that shows nothing and remembers what was said."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def show(self, status: Status) -> None: ...

    def finished(self, status: Status) -> None: ...

    def say(self, sentence: str) -> None:
        self.said.append(sentence)

    def close(self) -> None: ...


def config(*words: str) -> TrainConfig:
    with initialize_config_dir(config_dir=str(CONF), version_base="1.3"):
        return build(TrainConfig, compose("train", overrides=["experiment=tiny", "debug=fast", *words]))


def state(of: TrainConfig, **changes: Any) -> RunState:
    header = {
        "game": of.game.name,
        "network": as_plain(of.network),
        "inference": as_plain(of.inference),
        "run_id": "abc",
        "metrics": {},
    }
    return RunState(
        path=Path("state_000003.ckpt"), header=header | changes, ledger={}, archive=Archive(folder=Path("samples"))
    )


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    return RunFolder(path=tmp_path)


def test_a_resumed_run_keeps_its_engine_and_its_name_for_trackers(
    folder: RunFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = config("inference=torch", "inference.precision=f32")
    monkeypatch.setattr(training, "state_to_go_on_from", lambda _, **__: state(before))
    run = training._Run(config("inference=auto"), folder=folder, view=Silent(), begun=Event())
    assert run._inference.engine is EngineName.TORCH
    assert run._inference.precision is Precision.FLOAT32
    assert run._config.inference == run._inference  # which config.yaml is written of
    assert run._header["run_id"] == "abc"


def test_a_resumed_run_keeps_the_passes_of_its_gpu(folder: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    before = config("inference=cuda", "inference.precision=f16")
    monkeypatch.setattr(training, "state_to_go_on_from", lambda _, **__: state(before))
    run = training._Run(config("inference=auto"), folder=folder, view=Silent(), begun=Event())
    assert run._inference == dataclasses.replace(before.inference, precision=Precision.FLOAT16)


def test_an_engine_that_is_asked_for_is_taken_even_then(folder: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "state_to_go_on_from", lambda _, **__: state(config("inference=openvino")))
    run = training._Run(config("inference=torch"), folder=folder, view=Silent(), begun=Event())
    assert run._inference.engine is EngineName.TORCH


def test_a_new_run_has_a_name_of_its_own(folder: RunFolder) -> None:
    names = {
        training._Run(config("inference=torch"), folder=folder, view=Silent(), begun=Event())._header["run_id"]
        for _ in range(3)
    }
    assert len(names) == 3


def test_a_book_of_failures_becomes_openings(folder: RunFolder) -> None:
    book = folder.path / "book.jsonl"
    write_book(book, [{"moves": "12", "played": 0, "simulations": 4}], game="connect4_4x4")
    words = ("inference=torch", f"evaluation.openings={book}")
    assert training._Run(config(*words), folder=folder, view=Silent(), begun=Event())._openings == [[0, 1]]
    book.write_text("{}")
    with pytest.raises(BookError, match="line 1: expected an object"):
        training._Run(config(*words), folder=folder, view=Silent(), begun=Event())


def test_a_state_of_another_game_is_refused(folder: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = config("inference=torch")
    monkeypatch.setattr(training, "state_to_go_on_from", lambda _, **__: state(wanted, game="gomoku8"))
    with pytest.raises(StateError, match="plays gomoku8, not connect4_4x4"):
        training._Run(wanted, folder=folder, view=Silent(), begun=Event())


def test_a_run_that_saved_nothing_begins_again_under_its_name_for_trackers(folder: RunFolder) -> None:
    (folder.path / ".hydra").mkdir()
    folder.overrides.touch()
    (folder.path / "facts.json").write_text('{"run_id": "abc"}')
    resumed = dataclasses.replace(config("inference=torch"), resume=str(folder.path))
    assert training._Run(resumed, folder=folder, view=Silent(), begun=Event())._header["run_id"] == "abc"
    new = dataclasses.replace(resumed, resume=None)
    assert training._Run(new, folder=folder, view=Silent(), begun=Event())._header["run_id"] != "abc"


@pytest.mark.skipif(torch.cuda.is_available() or torch.backends.mps.is_available(), reason="there is a GPU")
@pytest.mark.parametrize("words", [("trainer=gpu",), ("inference=cuda",)])
def test_what_this_machine_lacks_is_refused_as_asked_wrongly_and_changes_no_run(
    words: tuple[str, ...], folder: RunFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime = types.SimpleNamespace(runtime=types.SimpleNamespace(output_dir=str(folder.path)))
    monkeypatch.setattr(training.HydraConfig, "get", lambda: runtime)
    with initialize_config_dir(config_dir=str(CONF), version_base="1.3"):
        composed = compose("train", overrides=["experiment=tiny", "inference=torch", *words])
    for kept in ("", "seed: 3"):  # a new run, then one that was there
        if kept:
            (folder.path / "config.yaml").write_text(kept)
            (folder.path / "outcome.json").write_text("{}")
        with pytest.raises(RunError, match="GPU") as caught:
            training.train(composed, started=0.0, open_view=lambda **_: Silent())
        assert caught.value.code == USAGE
        assert (folder.path / "config.yaml").exists() == bool(kept)
    assert (folder.path / "config.yaml").read_text() == "seed: 3"
    assert (folder.path / "outcome.json").read_text() == "{}"


def test_learning_that_has_failed_is_gone_on_with_at_half_the_rate(
    folder: RunFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(_: training._Run, *, started: float) -> None:
        folder.checkpoints.mkdir()
        folder.state(3).touch()
        raise UnhealthyError(f"the loss is nan after {started:g} seconds")

    runtime = types.SimpleNamespace(runtime=types.SimpleNamespace(output_dir=str(folder.path)))
    monkeypatch.setattr(training.HydraConfig, "get", lambda: runtime)
    monkeypatch.setattr(training._Run, "train", failing)
    with initialize_config_dir(config_dir=str(CONF), version_base="1.3"):
        composed = compose("train", overrides=["experiment=tiny", "inference=torch", "model.learning_rate=0.01"])
    with pytest.raises(RunError) as caught:
        training.train(composed, started=0.0, open_view=lambda **_: Silent())
    said, _, command = str(caught.value).partition("; to continue: ")
    assert said == "the loss is nan after 0 seconds; try a lower model.learning_rate; saved up to generation 3"
    assert command == f"python train.py resume={folder.path} model.learning_rate=0.005"
