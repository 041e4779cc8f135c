"""What an installed c4 finds: its packages, its configuration, its stub; and that pins and ranges agree."""

import re
import tomllib
from importlib import resources
from pathlib import Path

from packaging.requirements import Requirement
from setuptools import find_packages

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PINS = {
    line.partition("==")[0].lower().replace("_", "-"): line.partition("==")[2]
    for line in (ROOT / "constraints.txt").read_text().splitlines()
    if "==" in line and not line.startswith("#")
}


def requirements() -> list[Requirement]:
    """All direct dependencies: of running, of every extra, of building."""
    extras = PROJECT["project"]["optional-dependencies"].values()
    lines = [
        *PROJECT["project"]["dependencies"],
        *(line for extra in extras for line in extra),
        *PROJECT["build-system"]["requires"],
    ]
    return [Requirement(line) for line in lines]


def test_every_folder_with_code_is_a_package() -> None:
    found = set(find_packages(str(ROOT / "src")))
    folders = {".".join(path.parent.relative_to(ROOT / "src").parts) for path in (ROOT / "src/c4").rglob("*.py")}
    assert folders <= found


def test_the_configuration_is_part_of_the_package() -> None:
    inside = resources.files("c4.conf")
    outside = ROOT / "conf"
    yamls = sorted(path.relative_to(outside) for path in outside.rglob("*.yaml"))
    assert yamls
    for path in yamls:
        assert inside.joinpath(*path.parts).is_file()


def test_every_direct_dependency_is_pinned_within_its_range() -> None:
    for requirement in requirements():
        name = requirement.name.lower().replace("_", "-")
        assert name in PINS, f"constraints.txt does not pin {name}"
        assert requirement.specifier.contains(PINS[name], prereleases=False), f"{requirement} against {PINS[name]}"


def test_no_pin_names_one_build_of_torch() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", PINS["torch"])


def test_building_never_asks_for_torch() -> None:
    assert "torch" not in {Requirement(line).name for line in PROJECT["build-system"]["requires"]}
