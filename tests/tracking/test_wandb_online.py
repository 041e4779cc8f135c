"""A run online, to its end, against a server here that speaks W&B's protocol; and what is said where there is none."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import wandb
from tests.report.drawn import drawn
from tests.tracking.wandb_server import KEY, WandbServer, wandb_server

from c4.params.errors import ConfigError
from c4.params.logger import LoggerParams, WandbMode, WandbParams
from c4.report.table import Bars, Table
from c4.tracking.loggers import Loggers
from c4.tracking.tracker import Conclusion
from c4.tracking.wandb_run import WandbError, WandbRun

PARAMS = WandbParams(
    enabled=True, mode=WandbMode.AUTO, project="c4", entity=None, run_group="g", tags=("a",), name="one", artifact=True
)
NOWHERE = "http://127.0.0.1:9"


@pytest.fixture(autouse=True)
def account(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    for name in ("WANDB_MODE", "WANDB_DATA_DIR", "NETRC"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("WANDB_API_KEY", KEY)
    wandb.teardown()  # it remembers which server it spoke to
    yield
    wandb.teardown()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[WandbServer]:
    with wandb_server() as running:
        monkeypatch.setenv("WANDB_BASE_URL", running.url)
        yield running


def begin(folder: Path, params: WandbParams = PARAMS) -> WandbRun:
    folder.mkdir(exist_ok=True)
    return WandbRun(params, folder=folder, name="test", run_id="abc", commit="c0ffee+")


def end(run: WandbRun, *, player: Path | None = None) -> None:
    summary = {"best/generation": 2}
    run.conclude(Conclusion(failed=False, player=player, card="# card", about={"seed": 3}, summary=summary))


def test_a_run_goes_online_to_its_end(server: WandbServer, tmp_path: Path) -> None:
    run = begin(tmp_path / "run")
    assert not run.offline
    run.log_hyperparams({"search": {"cpuct": 2.5}})
    for generation, kept in ((1, 0.5), (2, 0.9), (3, 0.7)):
        run.log_steps({"loss/total": 4.0 - generation}, step=10 * generation)
        run.log_metrics({"truth/value_preserving": kept, "loss/total": 4.0 - generation}, step=generation)
    table = Table(name="evaluation/sets", columns=("set", "error %"), rows=(("dev", 2.5),))
    bars = Bars(name="charts/errors", about="errors", label="set", value="error %", bars=(("dev", 2.5),))
    run.show([table, bars, drawn("pictures/errors")], step=3)
    player = tmp_path / "best.safetensors"
    player.write_bytes(b"weights")
    end(run, player=player)
    told = server.runs["abc"]
    assert (told["displayName"], told["groupName"], told["tags"], told["commit"]) == ("one", "g", ["a"], "c0ffee")
    assert server.config("abc")["search"] == {"cpuct": 2.5}
    rows = server.rows("abc")
    assert {step: row["truth/value_preserving"] for step, row in rows.items()} == {1: 0.5, 2: 0.9, 3: 0.7}
    steps = {
        row["steps/trained"]: row["steps/loss/total"] for row in server.history("abc") if "steps/loss/total" in row
    }
    assert steps == {10: 3.0, 20: 2.0, 30: 1.0}
    summary = server.summaries["abc"]
    assert summary["truth/value_preserving"] == {"last": 0.7, "max": 0.9}
    assert summary["loss/total"] == {"last": 1, "min": 1}
    assert summary["best/generation"] == 2
    assert server.files["player-abc/best.safetensors"] == b"weights"
    assert json.loads(server.files["player-abc/card.json"]) == {"seed": 3}
    assert set(server.artifacts["player-abc"]) == {"best", "latest"}
    pictures = [name for name in server.files if name.startswith("abc/media/images/pictures/errors")]
    assert [server.files[name][:4] for name in pictures] == [b"\x89PNG"]
    assert any(name.startswith("abc/media/table/charts/errors_table") for name in server.files)
    assert server.ended == {"abc": 0}


def test_going_on_is_going_on_with_the_same_run(server: WandbServer, tmp_path: Path) -> None:
    for step in (1, 2):
        run = begin(tmp_path / "run")
        run.log_metrics({"a": float(step)}, step=step)
        end(run)
    assert list(server.runs) == ["abc"]
    assert server.rows("abc") == {1: {"a": 1.0}, 2: {"a": 2.0}}


def test_a_mode_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WANDB_MODE", "onlin")
    with pytest.raises(ConfigError, match="WANDB_MODE=onlin is not allowed: online, offline or disabled; did you mean"):
        begin(tmp_path / "run")


def test_without_a_key_online_is_refused_at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("WANDB_API_KEY")
    with pytest.raises(WandbError, match="no key: `wandb login` leaves one; logger.wandb.mode=offline needs none"):
        begin(tmp_path / "run", dataclasses.replace(PARAMS, mode=WandbMode.ONLINE))


def test_where_nobody_answers_a_run_stays_here_unless_online_was_asked_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("WANDB_BASE_URL", NOWHERE)
    monkeypatch.setenv("WANDB_INIT_TIMEOUT", "1")
    with pytest.raises(WandbError, match="connection refused; logger.wandb.mode=offline needs no account"):
        begin(tmp_path / "run", dataclasses.replace(PARAMS, mode=WandbMode.ONLINE))
    params = LoggerParams(tensorboard=False, every_steps=0, wandb=PARAMS)
    loggers = Loggers(params, folder=tmp_path / "run", name="x", run_id="abc", commit="c")
    assert "W&B does not take this run, so it is kept here" in caplog.text
    assert "wandb sync" in loggers.hints[0]
    loggers.conclude(Conclusion(failed=False, player=None, card="", about={}, summary={}))
    assert list((tmp_path / "run").glob("wandb/offline-run-*/*.wandb"))


def test_a_key_that_is_refused_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with wandb_server(refuses=True) as running:
        monkeypatch.setenv("WANDB_BASE_URL", running.url)
        run = begin(tmp_path / "run")
        assert run.offline
        assert "permission denied" in run.given_up
        end(run)


def test_a_server_that_vanishes_does_not_keep_a_run_from_its_end(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("WANDB_FINISH_TIMEOUT", "1")
    params = LoggerParams(tensorboard=False, every_steps=0, wandb=PARAMS)
    with wandb_server() as running:
        monkeypatch.setenv("WANDB_BASE_URL", running.url)
        loggers = Loggers(params, folder=tmp_path, name="x", run_id="abc", commit="c")
    loggers.all()[0].log_metrics({"a": 1.0}, step=1)
    loggers.conclude(Conclusion(failed=False, player=None, card="", about={}, summary={}))
    assert "its server does not answer; later: wandb sync" in caplog.text
