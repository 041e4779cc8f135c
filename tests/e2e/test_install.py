"""c4 installed from a wheel, away from the checkout: its code, its configuration and its data are there, C++ is not."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COMPOSE = """
import c4, c4.native._core as core
from hydra import compose, initialize_config_module
with initialize_config_module("c4.conf", version_base=None):
    print(c4.__file__, compose("train").game.name in core.game_names())
"""


# What must be in the wheel: path in the checkout -> path in the wheel.
PACKAGED = re.compile(
    r"^(?:src/(c4/.*\.pyi?|c4/py\.typed|c4/champion/.*|c4/(?:evaluation|sweeps)/data/.*|c4/ui/web/static/.*)"
    r"|(conf/.*\.yaml))$"
)


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
def wheel(checkout: Path) -> zipfile.ZipFile:
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        "wheels",
        ".",
    ]
    subprocess.run(command, cwd=checkout, check=True, capture_output=True)
    return zipfile.ZipFile(next((checkout / "wheels").glob("c4-*.whl")))


def test_holds_what_is_needed_and_no_cpp(checkout: Path, wheel: zipfile.ZipFile) -> None:
    files = [str(path.relative_to(checkout)) for path in checkout.rglob("*") if path.is_file()]
    matches = [match for file in files if (match := PACKAGED.match(file))]
    expected = {match[1] or f"c4/{match[2]}" for match in matches}
    names = set(wheel.namelist())
    assert len(expected) > 100
    assert expected - names == set()
    assert any(name.startswith("c4/native/_core") and name.endswith(".so") for name in names)
    assert not [name for name in names if name.endswith((".cc", ".h", ".o"))]


def test_composes_its_configuration_far_from_the_checkout(wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    site = tmp_path / "site"
    wheel.extractall(site)
    run = subprocess.run(
        [sys.executable, "-c", COMPOSE],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(site)},
        check=True,
        capture_output=True,
        text=True,
    )
    assert run.stdout.split() == [str(site / "c4/__init__.py"), "True"]
