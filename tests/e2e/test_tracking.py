"""What trackers have of a run is what metrics.csv has, also when it was killed and resumed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.e2e.ready import PATIENCE
from tests.e2e.training_kit import QUICK, command, only_run, train
from tests.tracking import wandb_kit
from tests.tracking.wandb_server import KEY, wandb_server

from c4.run.about import read_facts
from c4.run.folder import RunFolder
from c4.run.metrics import read_metrics

pytestmark = pytest.mark.slow

TRACKED = (
    *QUICK,
    "evaluation.grading.at_end=true",
    "evaluation.grading.time_share=1",
    "logger=many",
    "logger.wandb.mode=offline",
)
KILLED_AFTER_SAVING = """
import os, runpy, signal, sys
from pathlib import Path
replace = Path.replace
def killing(self, target):
    done = replace(self, target)
    if str(target).endswith("state_000002.ckpt"):
        os.kill(os.getpid(), signal.SIGKILL)
    return done
Path.replace = killing
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def test_wandb_has_every_row_of_a_run_that_was_killed_and_gone_on_with(tmp_path: Path) -> None:
    words = command((*TRACKED, "budget.generations=3", "logger.wandb.run_group=seeds"), runs=tmp_path)[1:]
    done = subprocess.run(  # between saving the second generation and telling of it
        [sys.executable, "-c", KILLED_AFTER_SAVING, *words],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=PATIENCE,
    )  # fmt: skip
    assert done.returncode < 0, done.stderr
    run = only_run(tmp_path)
    assert list(read_metrics(RunFolder(path=run))) == [1]
    train("resume=auto", runs=tmp_path)
    table = read_metrics(RunFolder(path=run))
    assert list(table) == [1, 2, 3]
    assert wandb_kit.history(run) == table
    assert len(wandb_kit.run_ids(run)) == 1
    first, second = wandb_kit.offline_runs(run)
    assert {record["run_group"] for log in (first, second) for record in wandb_kit.of_type(log, "run")} == {"seeds"}
    assert wandb_kit.of_type(second, "exit")[-1]["exit_code"] == 0
    settings = [record["update"] for record in wandb_kit.of_type(second, "config")]
    assert any(update.get("search", {}).get("num_simulations") == 8 for update in settings)
    assert any(update.get("facts", {}).get("seed") == 1 for update in settings)
    errors = {(row[0], row[1]): row[3] for row in wandb_kit.table(run, "evaluation/sets")["data"]}
    for simulations, suffix in ((0, ""), (64, "_64")):
        expected = 100 * (1 - table[3][f"truth/final/dev/value_preserving{suffix}"])
        assert errors["dev", simulations] == pytest.approx(expected, abs=1e-3)
    summary = wandb_kit.summary(second)
    assert summary["run/generations"] == 3
    assert summary["best/generation"] in {1, 2, 3}
    artifacts = [record["name"] for record in wandb_kit.of_type(second, "artifact")]
    assert any(name.startswith("player-") for name in artifacts)
    for name in ("errors", "calibration", "mistakes", "learning", "losses"):
        assert list(second.parent.glob(f"files/media/images/pictures/{name}_*.png"))
    logs = (log.parent for log in (first, second))
    assert len([one for log in logs for one in log.glob("files/media/images/pictures/search_tree_*.png")]) == 1


def test_wandb_online_is_told_what_the_table_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with wandb_server() as server:
        for name, value in (("BASE_URL", server.url), ("API_KEY", KEY)):
            monkeypatch.setenv(f"WANDB_{name}", value)
        monkeypatch.delenv("WANDB_MODE", raising=False)
        said = train(*QUICK, "logger=wandb", "logger.every_steps=1", "evaluation.grading.time_share=1", runs=tmp_path)
    assert "offline" not in said
    run = only_run(tmp_path)
    facts = read_facts(RunFolder(path=run))
    assert server.rows(facts["run_id"]) == read_metrics(RunFolder(path=run))
    steps = [row["steps/trained"] for row in server.history(facts["run_id"]) if "steps/loss/policy" in row]
    assert steps == list(range(1, int(read_metrics(RunFolder(path=run))[2]["total/steps"]) + 1))
    assert server.config(facts["run_id"])["inference"]["engine"] == facts["engine"] == "torch"
    assert server.ended == {facts["run_id"]: 0}
    assert f"player-{facts['run_id']}" in server.artifacts
