"""W&B offline, read back with its own reader: what was logged stands in it, and runs never mix."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path

import pytest
from PIL import Image
from tests.report.drawn import drawn
from tests.tracking import wandb_kit

from c4.params.logger import WandbMode, WandbParams
from c4.report.table import Table
from c4.tracking.tracker import Conclusion
from c4.tracking.wandb_run import WandbRun, _mode, has_key

PARAMS = WandbParams(
    enabled=True,
    mode=WandbMode.OFFLINE,
    project="c4",
    entity=None,
    run_group="seeds",
    tags=("a", "b"),
    name=None,
    artifact=True,
)
TABLE = Table(name="evaluation/sets", columns=("set", "error %"), rows=(("dev", 2.5), ("all", None)))


@pytest.fixture(autouse=True)
def no_account(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("WANDB_API_KEY", "WANDB_MODE", "WANDB_BASE_URL", "WANDB_DATA_DIR", "NETRC"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))


def begin(folder: Path, *, run_id: str) -> WandbRun:
    folder.mkdir(exist_ok=True)
    return WandbRun(PARAMS, folder=folder, name="test", run_id=run_id, commit="abc+")


def end(run: WandbRun, *, player: Path | None = None) -> None:
    about = {"seed": 3}
    run.conclude(Conclusion(failed=False, player=player, card="# card\n", about=about, summary={"best/generation": 2}))


def test_everything_that_is_logged_is_there(tmp_path: Path) -> None:
    run = begin(tmp_path / "run", run_id="first")
    run.log_hyperparams({"search": {"cpuct": 2.5}})
    run.log_metrics({"loss/total": 0.1 + 0.2, "truth/value_preserving": math.nan, "epoch": 0.0}, step=1)
    run.show([TABLE, drawn("pictures/errors")], step=1)
    player = tmp_path / "best.safetensors"
    player.write_bytes(b"weights")
    end(run, player=player)
    folder = tmp_path / "run"
    (log,) = wandb_kit.offline_runs(folder)
    (begun,) = wandb_kit.of_type(log, "run")
    assert (begun["run_id"], begun["run_group"], begun["tags"]) == ("first", "seeds", ["a", "b"])
    assert begun["git"]["commit"] == "abc"
    assert {"search": {"cpuct": 2.5}} in [record.get("update") for record in wandb_kit.of_type(log, "config")]
    row = wandb_kit.history(folder)[1]
    assert row["loss/total"] == 0.1 + 0.2
    assert math.isnan(row["truth/value_preserving"])
    assert set(row) == {"loss/total", "truth/value_preserving"}
    assert wandb_kit.table(folder, "evaluation/sets")["data"] == [["dev", 2.5], ["all", None]]
    (picture,) = log.parent.glob("files/media/images/pictures/errors_*.png")
    assert picture.read_bytes().startswith(b"\x89PNG")
    with Image.open(picture) as image:
        assert image.size == drawn("pictures/errors").pixels().shape[1::-1]
    assert wandb_kit.summary(log)["best/generation"] == 2
    artifacts = {record["name"]: record for record in wandb_kit.of_type(log, "artifact")}
    contents = {entry["path"]: entry["local_path"] for entry in artifacts["player-first"]["manifest"]["contents"]}
    assert set(contents) == {"best.safetensors", "card.md", "card.json"}
    assert all(Path(path).is_relative_to(folder) for path in contents.values() if path != str(player))
    assert json.loads(Path(contents["card.json"]).read_text()) == {"seed": 3}


def test_a_run_that_is_gone_on_with_is_the_same_run(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    for step, value in ((1, 1.0), (2, 2.0)):
        run = begin(folder, run_id="again")
        run.log_metrics({"a": value}, step=step)
        end(run)
    assert wandb_kit.run_ids(folder) == {"again"}
    assert wandb_kit.history(folder) == {1: {"a": 1.0}, 2: {"a": 2.0}}


def test_a_run_that_was_never_ended_is_not_written_into(tmp_path: Path) -> None:
    begin(tmp_path / "left", run_id="left").log_metrics({"a": 1.0}, step=1)
    run = begin(tmp_path / "next", run_id="next")
    run.log_metrics({"a": 2.0}, step=1)
    end(run)
    assert wandb_kit.history(tmp_path / "left") == {1: {"a": 1.0}}
    assert wandb_kit.history(tmp_path / "next") == {1: {"a": 2.0}}
    assert wandb_kit.run_ids(tmp_path / "next") == {"next"}


def test_the_environment_is_left_as_it_was(tmp_path: Path) -> None:
    run = begin(tmp_path / "run", run_id="x")
    end(run)
    assert "WANDB_DATA_DIR" not in os.environ
    assert os.environ.get("WANDB_MODE") is None


def test_a_key_is_found_where_its_login_leaves_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    auto = WandbParams(
        enabled=True, mode=WandbMode.AUTO, project="c4", entity=None, run_group=None, tags=(), name=None, artifact=True
    )
    assert not has_key()
    assert _mode(auto) == "offline"
    (tmp_path / ".netrc").write_text("machine api.wandb.ai login user password secret\n")
    (tmp_path / ".netrc").chmod(0o600)
    assert has_key()
    (tmp_path / ".netrc").unlink()
    monkeypatch.setenv("WANDB_API_KEY", "secret")
    assert has_key()
    assert _mode(auto) == "online"
    for wanted in ("offline", "disabled"):
        monkeypatch.setenv("WANDB_MODE", wanted)
        assert _mode(auto) == wanted
