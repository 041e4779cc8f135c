"""What an installed c4 finds: its packages, its configuration, its stub; and that pins and ranges agree."""

import ast
import re
import sys
import tomllib
from importlib import resources
from importlib.metadata import packages_distributions
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


OF_DEVELOPERS = {"browser", "dev", "docs", "test"}


def requirements() -> list[Requirement]:
    """All direct dependencies: of running, of every extra, of building."""
    extras = PROJECT["project"]["optional-dependencies"].values()
    lines = [
        *PROJECT["project"]["dependencies"],
        *(line for extra in extras for line in extra),
        *PROJECT["build-system"]["requires"],
    ]
    found = [Requirement(line) for line in lines]
    return [one for one in found if one.name != "c4"]


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
        name = plain(requirement.name)
        assert name in PINS, f"constraints.txt does not pin {name}"
        assert requirement.specifier.contains(PINS[name], prereleases=False), f"{requirement} against {PINS[name]}"


def test_every_import_is_declared() -> None:
    """A package that another one happens to bring may be gone with its next version."""
    extras = PROJECT["project"]["optional-dependencies"]
    ours = [
        *PROJECT["project"]["dependencies"],
        *(line for name in extras.keys() - OF_DEVELOPERS for line in extras[name]),
    ]
    declared, brought = {plain(Requirement(line).name) for line in ours}, packages_distributions()
    undeclared = {
        f"{path.relative_to(ROOT)}: {module}"
        for path in sorted((ROOT / "src").rglob("*.py"))
        for module in imported(path)
        if not declared & {plain(name) for name in brought.get(module, [module])}
    }
    assert undeclared == set()


def imported(path: Path) -> set[str]:
    """The packages that a file imports, late imports included, without Python's and c4's own."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            found.add(node.module.partition(".")[0])
    return found - {*sys.stdlib_module_names, "c4", "hydra_plugins"}


def plain(name: str) -> str:
    return name.lower().replace("_", "-")


def test_no_pin_names_one_build_of_torch() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", PINS["torch"])


def test_the_lock_has_the_pins_and_public_addresses() -> None:
    text = (ROOT / "uv.lock").read_text()
    assert {*re.findall(r"https?://([^/\"]+)", text)} == {"files.pythonhosted.org", "pypi.org"}
    locked = {one["name"]: one["version"] for one in tomllib.loads(text)["package"]}
    assert {name for name, pin in PINS.items() if locked.get(name, pin) != pin} == set(), "make lock"
    missing = {plain(one.name) for one in requirements()} - {*locked}
    assert missing <= {plain(Requirement(line).name) for line in PROJECT["build-system"]["requires"]}, "make lock"


def test_building_never_asks_for_torch() -> None:
    assert "torch" not in {Requirement(line).name for line in PROJECT["build-system"]["requires"]}
