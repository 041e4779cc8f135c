"""What the documents say of the tree is so: the layers, the files and the commands they name."""

import re
import subprocess
import tomllib
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = [ROOT / "README.md", ROOT / "README.zh.md", *sorted((ROOT / "docs").glob("*.md"))]


def test_the_plan_draws_the_layers_that_are_enforced() -> None:
    contract = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"][0]
    enforced = "\n".join(layer.replace("(", "").replace(")", "") for layer in contract["layers"])
    assert f"```\n{enforced}\n```" in (ROOT / "docs/DESIGN.md").read_text()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_files_and_links_that_are_named_exist(document: Path) -> None:
    text = document.read_text()
    places = [ROOT / name for name in re.findall(r"`((?:src|tests|docs|conf|scripts|benchmarks)/[\w./]+)`", text)]
    places += [document.parent / name for name in re.findall(r"\]\((?!http)([\w./]+)\)", text)]
    assert [str(place) for place in places if not place.exists()] == []


@cache
def known_to_make() -> set[str]:
    run = subprocess.run(["make", "help"], cwd=ROOT, check=True, capture_output=True, text=True)
    return {line.split()[1] for line in run.stdout.splitlines()}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_commands_of_make_that_are_named_exist(document: Path) -> None:
    named = {
        word
        for line in re.findall(r"(?:^|`)(?:\w+=\S+ )?make ([a-z][a-z -]*)", document.read_text(), flags=re.MULTILINE)
        for word in line.split()
    }
    assert named - known_to_make() == set()
