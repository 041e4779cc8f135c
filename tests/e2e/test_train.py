"""train.py as a person meets it: help, mistakes, trouble with the disk, several runs in one command, trackers."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from omegaconf import OmegaConf
from tests.e2e.ready import PATIENCE
from tests.e2e.training_kit import QUICK, ROOT, UNGRADED, command, only_run, train

from c4.native._core import Position
from c4.network.weights import load_player
from c4.run.folder import RunFolder
from c4.run.kept import read_games, read_mistakes
from c4.run.metrics import read_metrics

FULL_DISK_AT_A_WRITE = """
import os, runpy, sys
left, whole = int(sys.argv[1]), os.fsync
def fsync(descriptor):
    global left
    left -= 1
    if left <= 0:
        raise OSError(28, "No space left on device", os.readlink(f"/proc/self/fd/{descriptor}"))
    whole(descriptor)
os.fsync = fsync
del sys.argv[1]
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def test_help_says_how_to_begin(tmp_path: Path) -> None:
    said = train("--help", runs=tmp_path)
    assert "experiment: classic, classic_mlh, connect4, gomoku15, gomoku6" in said
    assert "python train.py resume=auto" in said
    assert not list(tmp_path.iterdir())


def test_the_first_line_needs_nothing_that_takes_seconds_to_load(tmp_path: Path) -> None:
    for package in ("torch", "pytorch_lightning", "numpy", "rich"):
        (tmp_path / f"{package}.py").write_text("raise SystemExit(f'{__name__} is loaded')")
    path = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
    done = subprocess.run(
        command(("name=early",), runs=tmp_path / "runs"), cwd=tmp_path, env={**os.environ, "PYTHONPATH": path},
        capture_output=True, text=True, check=False, timeout=PATIENCE,
    )  # fmt: skip
    first, then = done.stderr.splitlines()
    assert first.startswith("c4 · early · runs/early/")
    assert then.endswith(" is loaded")


def test_the_composed_configuration_can_be_looked_at(tmp_path: Path) -> None:
    said = train("--cfg", "job", "search.cpuct=2.5", runs=tmp_path)
    assert OmegaConf.create(said).search.cpuct == 2.5
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["search.cput=3"], "error: search.cput: there is no such key; did you mean search.cpuct?\n"),
        (["+search.cput=3"], "error: search.cput: there is no such key; did you mean search.cpuct?\n"),
        (["search.cpuct=abc"], "error: search.cpuct=abc is not allowed: a number from 0 to 100\n"),
        (["search.cpuct=-1"], "error: search.cpuct=-1.0 is not allowed: a number from 0 to 100\n"),
        (["seed=1.5"], "error: seed=1.5 is not allowed: a whole number from 0 to 2147483647\n"),
        (["experiment=tinny"], "error: experiment=tinny: there is no such option; did you mean tiny?"),
        (["experiment=tiny", "~search.cpuct"], "error: search.cpuct has no value"),
        (["seed=1,2"], "error: seed=1,2: several values need --multirun (-m)"),
        (["-m", "seed=1,2", "search.cpuct=1,2000"], "error: search.cpuct=2000.0 is not allowed"),
        (["-m", "experiment=tiny,tinny"], "error: experiment=tinny: there is no such option"),
        (["resume=auto"], "error: resume=auto: there is no run to resume in"),
        (["resume=nowhere"], "error: resume=nowhere: there is no such file or folder\n"),
        (["budget.minutes=null"], "error: budget: one of budget.generations"),
        (["search.cpuct=["], "error: "),
        (["evaluation.sets=[dev,hard]"], "error: evaluation.sets=hard is not allowed: a list, each one of: dev, cells"),
    ],
)
def test_a_mistake_is_one_sentence_before_anything_starts(words: list[str], sentence: str, tmp_path: Path) -> None:
    said = train(*words, runs=tmp_path, code=2)
    assert sentence in said
    assert said.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    runs = tmp_path / "file"
    runs.touch()
    done = subprocess.run(
        command(UNGRADED, runs=runs), cwd=tmp_path, capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert done.returncode == 1
    assert done.stderr.startswith("error: Not a directory: ")
    assert str(runs) in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
def test_a_full_disk_ends_the_run_without_loss(tmp_path: Path) -> None:
    words = command((*UNGRADED, "budget.generations=4"), runs=tmp_path)[1:]
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK_AT_A_WRITE, "16", *words],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=PATIENCE,
    )  # fmt: skip
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    last = done.stderr.splitlines()[-1]
    assert last.startswith("error: No space left on device: ")
    assert "; saved up to generation " in last
    assert last.removeprefix("error: ") in (only_run(tmp_path) / "train.log").read_text()
    go_on = last.partition("to continue: python train.py ")[2]
    assert "4 generations" in train(go_on, runs=tmp_path)


@pytest.mark.slow
def test_a_run_leaves_what_is_needed_to_understand_and_to_use_it(tmp_path: Path) -> None:
    grading = ("evaluation.grading.simulations=[0]", "evaluation.grading.games=0", "evaluation.grading.time_share=1")
    grading = (*grading, "callbacks.checkpoint.monitor=truth/value_preserving")
    said = train(
        *QUICK, *grading, "logger=tensorboard", "seed=7", "search.mlh_slope=0", "search.mlh_cap=0.2", runs=tmp_path
    )
    run = only_run(tmp_path)
    assert [line.split(":")[0].strip() for line in said.splitlines()[-4:]][2:] == ["best player", "play against it"]
    logged = (run / "train.log").read_text()
    told = said.splitlines()
    assert [line for line in (told[0], *told[2:]) if f": {line.removeprefix('warning: ')}\n" not in logged] == []
    assert sum(line.startswith("generation ") for line in said.splitlines()) == 2
    assert OmegaConf.load(run / "config.yaml").seed == 7
    facts = json.loads((run / "facts.json").read_text())
    assert facts["seed"] == 7
    assert len(facts["commit"].rstrip("+")) in {40, len("unknown")}
    assert facts["version/torch"]
    assert json.loads((run / "outcome.json").read_text())["ending"] == "finished"
    assert list(read_metrics(RunFolder(path=run))) == [1, 2]
    player = load_player(run / "checkpoints" / "best.safetensors", game="connect4_4x4")
    assert player.design.width == 24
    from_state = load_player(run / "checkpoints" / "state_000002.ckpt")
    newest = load_player(run / "checkpoints" / "last.safetensors")
    assert all(bool((tensor == newest.state[name]).all()) for name, tensor in from_state.state.items())
    assert list((run / "tensorboard").glob("events.out.tfevents.*"))
    assert {game["generation"] for game in read_games(RunFolder(path=run))} <= {1, 2}
    assert Position.from_actions("connect4_4x4", read_games(RunFolder(path=run))[-1]["actions"]).is_terminal
    assert {mistake["generation"] for mistake in read_mistakes(RunFolder(path=run))} == {2}
    need = re.search(r"^disk: up to ([\d.]+) MB \(", said, flags=re.MULTILINE)
    assert need is not None
    left = sum(path.stat().st_size for part in ("checkpoints", "samples") for path in (run / part).iterdir())
    assert left <= 1e6 * float(need[1])


@pytest.mark.slow
def test_a_sweep_keeps_its_runs_apart_and_goes_on_after_a_failure(tmp_path: Path) -> None:
    said = train(
        "-m", *UNGRADED, "logger=wandb", "logger.wandb.mode=offline", "seed=1,2", "resume=null,/dev/null",
        runs=tmp_path, code=1,
    )  # fmt: skip
    assert said.splitlines()[-2:] == [
        f"error: job {number}: /dev/null is not the state of a run: those are called state_000012.ckpt"
        for number in (1, 3)
    ]
    for number, words in enumerate(["seed=1 resume=null", "seed=1 resume=/dev/null", "seed=2 resume=null"]):
        assert f"job {number} ({number + 1} of 4): {words}" in said
    assert re.search(r"seed=2 resume=null; 2 finished, about .* left\n", said)
    runs = sorted(path.parent for path in tmp_path.rglob("metrics.csv"))
    assert len(runs) == 2
    assert re.search(rf"^report: python -m c4.sweeps report .*{runs[0].parent.name}$", said, flags=re.MULTILINE)
    trackers = [list(run.glob("wandb/offline-run-*/run-*.wandb")) for run in runs]
    assert [len(found) for found in trackers] == [1, 1]


@pytest.mark.slow
@pytest.mark.parametrize("experiment", sorted(path.stem for path in (ROOT / "conf" / "experiment").glob("*.yaml")))
def test_every_experiment_runs(experiment: str, tmp_path: Path) -> None:
    quick = ("debug=fast", "inference=torch", "evaluation.grading.every=0", "evaluation.grading.at_end=false")
    said = train(f"experiment={experiment}", *quick, "evaluation.baseline.every=0", runs=tmp_path)
    assert "play against it: python play.py checkpoint=" in said
    assert "; the newest player is taken for the best" in said
    assert list(read_metrics(RunFolder(path=only_run(tmp_path)))) == [1, 2]
