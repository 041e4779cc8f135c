"""c4 installed from a wheel, away from the checkout, in a stranger's project that has parts and settings of its own.

`project/` is that project. It is copied into somebody else's repository, whose environment lies in it too, and used as
its owner would: by `c4`, by the commands that c4 itself says, and by a script.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest
from tests.e2e.ready import PATIENCE

ROOT = Path(__file__).parents[2]
PROJECT = Path(__file__).parent / "project"

# What must be in the wheel: path in the checkout -> path in the wheel.
PACKAGED = re.compile(
    r"^(?:src/(c4/.*\.pyi?|c4/py\.typed|c4/champion/.*|c4/(?:evaluation|sweeps)/data/.*|c4/ui/web/static/.*)"
    r"|(conf/.*\.yaml))$"
)


def done(command: list[str], *, folder: Path, path: Path | None = None) -> str:
    """What a command says, on both streams; of `path` its programs come first. Nothing of this tree is seen."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "C4_", "VIRTUAL"))}
    if path is not None:
        env["PATH"] = f"{path}{os.pathsep}{env['PATH']}"
    run = subprocess.run(
        command, cwd=folder, env=env, text=True, timeout=PATIENCE, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout
    return run.stdout


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what git knows, beside the objects that are compiled already."""
    copy = tmp_path_factory.mktemp("checkout")
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, listing.split("\0")):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, copy / name, follow_symlinks=False)
    shutil.copytree(ROOT / "build/native", copy / "build/native")
    return copy


@pytest.fixture(scope="module")
def wheel(checkout: Path) -> Path:
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", "wheels", "."]
    subprocess.run(pip, cwd=checkout, check=True, capture_output=True)
    return next((checkout / "wheels").glob("c4-*.whl"))


@pytest.fixture(scope="module")
def project(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With an environment of its own, in which c4 is installed; what c4 needs is lent by this one."""
    folder = tmp_path_factory.mktemp("stranger") / "project"
    shutil.copytree(PROJECT, folder)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c"]
    for words in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "not c4's"]):
        done([*git, *words], folder=folder)
    done([sys.executable, "-m", "venv", "--without-pip", "env"], folder=folder)
    python = str(folder / "env/bin/python")
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", "--no-index", str(wheel)]
    done(pip, folder=folder)
    site = Path(
        done([python, "-c", "import sysconfig; print(sysconfig.get_paths()['purelib'])"], folder=folder).strip()
    )
    (site / "lent.pth").write_text(f"{sysconfig.get_paths()['purelib']}\n")
    return folder


def typed(line: str, *, project: Path) -> str:
    return done(shlex.split(line), folder=project, path=project / "env/bin")


@pytest.fixture(scope="module")
def trained(project: Path) -> str:
    return typed("c4 train --config-dir conf experiment=mine", project=project)


def only_run(project: Path) -> Path:
    (run,) = (path.parent for path in project.glob("runs/mine/2*/config.yaml"))
    return run


def hint(said: str, about: str) -> str:
    (line,) = (line for line in said.splitlines() if line.startswith(about))
    return line.removeprefix(about)


def test_holds_what_is_needed_and_no_cpp(checkout: Path, wheel: Path) -> None:
    files = [str(path.relative_to(checkout)) for path in checkout.rglob("*") if path.is_file()]
    matches = [match for file in files if (match := PACKAGED.match(file))]
    expected = {match[1] or f"c4/{match[2]}" for match in matches}
    names = set(zipfile.ZipFile(wheel).namelist())
    assert len(expected) > 100
    assert expected - names == set()
    assert any(name.startswith("c4/native/_core") and name.endswith(".so") for name in names)
    assert not [name for name in names if name.endswith((".cc", ".h", ".o"))]


@pytest.mark.slow
def test_a_stranger_trains(project: Path, trained: str) -> None:
    run = only_run(project)
    assert "_target_: my_parts.Net\n  channels: 8" in (run / "config.yaml").read_text()
    first, last = (json.loads(line) for line in (run / "lines.jsonl").read_text().splitlines())
    assert last["mine/games"] % 2 == first["mine/games"] % 2 == 0
    facts = json.loads((run / "facts.json").read_text())
    assert (facts["commit"], facts["command"]) == ("unknown", "c4 train --config-dir conf experiment=mine")


@pytest.mark.slow
def test_what_a_stranger_is_told_can_be_typed(project: Path, trained: str) -> None:
    play = hint(trained, "play against it: ")
    assert play.startswith("c4 play checkpoint=")
    assert "game over" in typed(f"{play} me=none ui=text truth=false simulations=8 inference=torch", project=project)


@pytest.mark.slow
def test_a_stranger_sweeps_and_grades(project: Path, trained: str) -> None:
    said = typed("c4 sweep --config-dir conf experiment=mine seed=1,2 budget.generations=1", project=project)
    report = hint(said, "report: ")
    assert report.startswith("c4 sweep report runs/mine/sweep_")
    table = typed(f"{report} metric=loss/total", project=project)
    assert (project / hint(table, "the page: ")).is_file()
    graded = typed(
        f"c4 evaluate checkpoint={only_run(project)} evaluation=quick output=json inference=torch "
        "trusted=[my_parts.Net]",
        project=project,
    )
    (report,) = (line for line in graded.splitlines() if line.startswith("{"))
    assert len(json.loads(report)["reports"]) == 1


@pytest.mark.slow
def test_a_stranger_writes_a_script(project: Path) -> None:
    assert "plays column" in typed("python my_script.py", project=project)


def test_every_command_is_there(project: Path) -> None:
    listed = re.findall(r"^    c4 (\w+)   ", typed("c4 --help", project=project), flags=re.MULTILINE)
    assert {"train", "play", "evaluate", "export", "sweep", "pbrain"} <= {*listed}
    assert "c4 export onnx checkpoint=" in typed("c4 export --help", project=project)
    assert "seed: 7" in typed("python -m c4 train --cfg job seed=7", project=project)
