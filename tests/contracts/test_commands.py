"""Every command in README and the documents works as it stands, on a board and a budget of a moment.

What takes hours by its nature (searches, benchmarks, clusters) is composed and checked, and not run. What needs
something that is not here stands in ELSEWHERE with its reason. A new document is covered as soon as it lies in docs/.
"""

from __future__ import annotations

import dataclasses
import os
import re
import shutil
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from tests.contracts.pages import PAGES, ROOT, Command, commands_of, files_of, mentions_of, scripts_of
from tests.e2e.ready import PATIENCE, python
from tests.e2e.training_kit import UNGRADED, only_run, train
from tests.sweeps.kit import TRUTH, leave_job

from c4.command_line import check
from c4.multirun import Grid, grid_of
from c4.params.evaluate import EvaluateConfig
from c4.params.export import ExportConfig
from c4.params.pbrain import PbrainConfig
from c4.params.play import PlayConfig
from c4.params.train import TrainConfig
from c4.sources import SHIPPED, opened

TRIED_BY_A_TEST_OF_ITS_OWN = {"EXTENDING.md": "test_extending.py", "IN_YOUR_OWN_SCRIPT.md": "test_own_script.py"}
RECORDS = {"LOG.md"}  # of what was typed once: an entry is never rewritten
ELSEWHERE = {
    ".": "changes the shell",
    "apt": "needs root",
    "cd": "is no program",
    "curl": "asks a server that is not here",
    "docker": "needs its daemon",
    "git": "asks another host",
    "pip": "would change this environment; tests/e2e/test_install.py installs",
    "source": "changes the shell",
    "ray": "starts a node; tests/distributed/ starts some",
    "rm": "removes the environment",
    "sbatch": "needs Slurm",
    "sha256sum": "asks for two whole runs; tests/e2e/test_resume.py compares two",
    "tensorboard": "serves until it is stopped",
    "torchrun": "needs several processes at once",
    "uv": "would change this environment",
    "uvx": "asks another host",
    "wandb": "needs a key",
}
SCHEMAS = {
    "train": TrainConfig,
    "play": PlayConfig,
    "evaluate": EvaluateConfig,
    "export": ExportConfig,
    "pbrain": PbrainConfig,
}
MOST_JOBS = 4  # of a grid that is run here
# What makes a command one of seconds.
A_SMALL_NETWORK = ("network.width=16", "network.depth=1")
SHORTENED = {
    "train": [
        *(word for word in UNGRADED if not word.startswith("experiment=")),
        *(f"evaluation.baseline.{knob}=2" for knob in ("games", "simulations", "rollouts_first")),
        "callbacks.progress.live=false",
    ],
    "play": ["inference=torch", "simulations=8"],
    "evaluate": ["inference=torch", "evaluation=quick", "evaluation.simulations=[0,2]"],
    "export": [],
}
# What a reader puts in, and what the test does. The longest first.
FILLED_IN = (
    (r"runs/sweeps/\w+|runs/\w+/sweep_TIME", "sweep"),
    (r"runs/\w+/TIME|runs/\.\.\.|\bRUN\b|\bOTHER\b|\bFOLDER\b", "run"),
    (r"\bPATH\b|\bFILE\.(?:ckpt|safetensors)\b|\bPLAYER\b", "run/checkpoints/best.safetensors"),
    (r"\bDIR\b", "positions"),
    (r"\bNAME\b", "mine"),
)
POSITION = '{"position": "4453", "scores": [-5, -5, -2, -3, -4, -2, -2]}\n'


def covered() -> list[Path]:
    return [page for page in PAGES if page.name not in {*RECORDS, *TRIED_BY_A_TEST_OF_ITS_OWN}]


def distinct(commands: Iterable[Command]) -> list[Command]:
    """Each once, by what is typed: the page that has it first."""
    return list({(str(one), one.environment, one.typed): one for one in reversed(list(commands))}.values())[::-1]


COMMANDS = distinct(command for page in covered() for command in commands_of(page))
MENTIONS = distinct(command for page in covered() for command in mentions_of(page))


def entry(command: Command) -> tuple[str, list[str]]:
    """The program of ours that is meant, and its overrides; empty where it is another."""
    match command.words:
        case ("uv", "run", *words):
            return entry(dataclasses.replace(command, words=tuple(words)))
        case ("python", program, *words) if program.removesuffix(".py") in SCHEMAS:
            return program.removesuffix(".py"), list(words)
        case ("python", "-m", "c4.export", *words) | ("c4", "export", *words):
            return "export", [f"format={word}" if word in {"kaggle", "onnx"} else word for word in words]
        case ("python", "-m", "c4.adapters.pbrain", *words):
            return "pbrain", list(words)
        case ("c4", program, *words) | ("python", "-m", "c4", program, *words) if program in SCHEMAS:
            return program, list(words)
        case ("c4", "sweep", program, *words) if program in SCHEMAS:
            return program, ["-m", *words]
        case _:
            return "", []


def composed(program: str, words: Sequence[str]) -> Grid | None:
    """Checked as if it had been typed, each value of a sweep; the jobs that there would be."""
    folder = next((value for option, value in pairwise(words) if option == "--config-dir"), None)
    plain = [word for word in words if not word.startswith("-") and word != folder]
    with opened(conf=SHIPPED, name=program, config_dir=folder and str(ROOT / folder)) as sources:
        line = check(plain, sources=sources, schema=SCHEMAS[program], multirun=is_multirun(words))
    return line.grid


def is_multirun(words: Sequence[str]) -> bool:
    return bool({"-m", "--multirun"} & set(words))


def is_short(program: str, words: Sequence[str]) -> bool:
    """Whether it is run here, and not only composed."""
    waits = {"selfplay=ray", "arena=ray"}.intersection(words)  # for a cluster
    if program == "pbrain" or waits:  # or for a manager of Gomoku
        return False
    if not is_multirun(words):
        return True
    if any(word.startswith(("hydra/", "hparams_search=")) for word in words):
        return False
    with opened(conf=SHIPPED, name=program) as sources:
        grid = grid_of([word for word in words if "=" in word], sweeper=sources.compose([]).hydra.sweeper)
    return grid is not None and grid.jobs <= MOST_JOBS


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What commands ask for: a run, a sweep, a file of labelled positions. Each command has a copy of its own."""
    folder = tmp_path_factory.mktemp("kept")
    train(*UNGRADED, "name=quick", runs=folder / "made/runs")
    run = only_run(folder / "made/runs")
    for number in range(12):
        cpuct, slope = 1.0 + number / 4, number % 4 / 100
        leave_job(
            folder / "made/sweep", number, overrides=[f"search.cpuct={cpuct}", f"search.mlh_slope={slope}"],
            metrics={TRUTH: 0.9 - cpuct / 100, "truth/distance_optimal_64": 0.8 + slope}, curve=[0.5, 0.6],
        )  # fmt: skip
    for part in ("docs", "positions"):
        (folder / "made" / part).mkdir()
    (folder / "made/positions/some.jsonl").write_text(POSITION)
    (folder / "made/run").symlink_to(run.relative_to(folder / "made"))
    return folder / "made"


@pytest.fixture
def desk(kept: Path, tmp_path: Path) -> Path:
    return shutil.copytree(kept, tmp_path / "desk", symlinks=True)


def filled_in(words: Sequence[str], *, desk: Path) -> list[str]:
    done = list(words)
    for pattern, name in FILLED_IN:
        done = [re.sub(pattern, lambda _, name=name: str((desk / name).resolve()), word) for word in done]  # type: ignore[misc]
    return done


def around(command: Command, *, desk: Path) -> dict[str, str]:
    return {"HOME": str(desk), "WANDB_SILENT": "true", **dict(one.split("=", 1) for one in command.environment)}


def started(words: Sequence[str], *, command: Command, desk: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, *words], cwd=desk, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, env={**os.environ, **around(command, desk=desk)},
    )  # fmt: skip


def said(words: Sequence[str], *, command: Command, desk: Path) -> None:
    done = python(words, folder=desk, typed=command.typed, merged=True, environment=around(command, desk=desk))
    assert done.returncode == 0, done.stdout
    assert "Traceback" not in done.stdout


def served(words: Sequence[str], *, command: Command, desk: Path) -> None:
    """A page that answers, until Ctrl-C."""
    with started([*words, "web.port=0"], command=command, desk=desk) as process:
        assert process.stdout is not None
        told: list[str] = []
        try:
            for line in process.stdout:
                told.append(line)
                if address := re.search(r"http://[\w.]+:\d+", line):
                    with urllib.request.urlopen(address[0], timeout=PATIENCE) as answer:
                        assert answer.status == 200
                    break
            else:
                pytest.fail("".join(told))
        finally:
            process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) in {0, 128 + signal.SIGINT}


def words_run(program: str, words: Sequence[str], *, desk: Path) -> list[str]:
    """As they stand, and after them what shortens them."""
    short = SHORTENED[program]
    if any(word.startswith("resume=") for word in words):
        short = ["budget.generations=3", "callbacks.progress.live=false"]
    elif program == "evaluate" and any(word.startswith(("positions=", "mode=", "evaluation=")) for word in words):
        short = ["inference=torch"]
    elif program == "train" and not any(word.startswith("network") for word in words):
        short = [*short, *A_SMALL_NETWORK]
    file = ["-m", "c4.export"] if program == "export" else [str(ROOT / f"{program}.py")]
    return [*file, *filled_in(words, desk=desk), *short]


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS, ids=str)
def test_a_command_of_the_documents_works(command: Command, desk: Path) -> None:
    for page in (page for page in PAGES if page.name == command.page):
        for name, text in files_of(page).items():
            (desk / name).parent.mkdir(parents=True, exist_ok=True)
            (desk / name).write_text(text, encoding="utf-8")
    first, *rest = command.words
    program, words = entry(command)
    if first in ELSEWHERE and not program:
        return
    if first == "make":
        for step in expanded(command):
            program, words = entry(step)
            if program:
                work(step, program, words, desk=desk)
        return
    if program:
        work(command, program, words, desk=desk)
    elif first == "python" and rest[0].startswith(("benchmarks/", "scripts/")):
        hours_long(rest)
    elif first == "python" and ((rest[0] == "-m" and rest[1].startswith("c4")) or (desk / rest[0]).is_file()):
        said(filled_in(rest, desk=desk), command=command, desk=desk)
    elif first == "c4":
        said(["-m", "c4", *filled_in(rest, desk=desk)], command=command, desk=desk)
    else:
        pytest.fail(f"{command.page}: {command}: say in tests/contracts/test_commands.py how this is tried")


def work(command: Command, program: str, words: Sequence[str], *, desk: Path) -> None:
    if not is_short(program, words):
        composed(program, filled_in(words, desk=desk))
    elif "ui=web" in words:
        served(words_run(program, words, desk=desk), command=command, desk=desk)
    else:
        said(words_run(program, words, desk=desk), command=command, desk=desk)


def expanded(command: Command) -> list[Command]:
    """What make would do, line by line. It must know each of its targets."""
    around = {name: value for name, value in os.environ.items() if name not in {"ARGS", "MAKEFLAGS", "MAKELEVEL"}}
    done = subprocess.run(
        ["make", "--dry-run", *command.words[1:]], cwd=ROOT, env=around, text=True, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    lines = [
        line.removeprefix(".venv/bin/") for line in done.stdout.splitlines() if line.startswith(".venv/bin/python")
    ]
    return [Command(page=command.page, words=tuple(line.split())) for line in lines]


def hours_long(words: Sequence[str]) -> None:
    """Of a benchmark's words those that are overrides must compose."""
    assert (ROOT / words[0]).is_file()
    own = ("seeds=", "minutes=", "simulations=", "positions_dir=", "folder=", "results=", "checkpoint=")
    if words[0].endswith("zero_to_strong.py"):
        composed("train", [word for word in words[1:] if "=" in word and not word.startswith(own)])


@pytest.mark.parametrize("command", MENTIONS, ids=str)
def test_a_command_in_a_sentence_is_one_that_would_be_taken(command: Command, desk: Path) -> None:
    program, words = entry(command)
    if program and not any("..." in word for word in words):
        composed(program, filled_in(words, desk=desk))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["README.md", "README.zh.md"])
def test_the_script_of_the_first_page_runs(name: str, tmp_path: Path) -> None:
    (script,) = scripts_of(ROOT / name)
    done = subprocess.run([sys.executable, "-c", f"{script}\nassert column in range(7)"], cwd=tmp_path, check=False)
    assert done.returncode == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_in_the_documents_is_python(page: Path) -> None:
    for script in scripts_of(page):
        compile(script, page.name, "exec")


def test_what_is_tried_elsewhere_is_tried_there() -> None:
    for page, test in TRIED_BY_A_TEST_OF_ITS_OWN.items():
        assert f"docs/{page}" in (ROOT / "tests/contracts" / test).read_text(encoding="utf-8")
