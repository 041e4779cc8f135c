"""What c4 is installed with: known files only, under licences that are listed, in a bill of materials."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from tests.contracts.pages import ROOT
from tests.contracts.test_packaging import PINS, PROJECT, plain

ALLOWED = (
    r"MIT|Apache-2\.0|BSD|PSF-2\.0|ISC|MPL-2\.0|HPND|Unlicense|Zlib|0BSD|CC0-1\.0|BSL-1\.0|MIT-CMU|LLVM-exception|WITH"
)
WITH_DUTIES = {"bitbully": "AGPL-3.0", "pygame": "LGPL", "axe-playwright-python": "not said"}
"""An optional extra, a game that tests play, and a test of the page: no program of ours is passed on with them."""


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    "extras", ["openvino,solver,sweeps,ui,web", "all,adapters,browser,docs,test,dev", "build", "torch"]
)
def test_every_file_that_is_installed_has_a_hash(extras: str) -> None:
    told = subprocess.run(
        [sys.executable, ROOT / "scripts/locked.py", extras], check=True, capture_output=True, text=True
    ).stdout
    packages = dict(re.findall(r"^([\w.-]+)==(\S+) \\\n    --hash=sha256:[0-9a-f]{64}", told, re.MULTILINE))
    assert packages
    assert len(packages) == len(re.findall(r"^\S", told, re.MULTILINE))
    assert {name: version for name, version in packages.items() if PINS.get(plain(name), version) != version} == {}
    if extras.startswith("all"):  # nothing that c4 itself asks for is left to be found by itself
        assert {plain(name) for name in PINS} - {plain(name) for name in packages} <= {"torch", "pip", "c4"}


def test_make_installs_what_has_a_hash() -> None:
    text = (ROOT / "scripts/environment.sh").read_text(encoding="utf-8")
    assert text.count("--require-hashes") == 1
    for call in ("install_locked .venv/bin/python build", 'install_locked .venv/bin/python "$1"', '"$python" torch'):
        assert call in text


def test_licences_are_listed_and_known() -> None:
    supply = script("supply")
    page = dict(re.findall(r"^\| ([\w.-]+) \| (.+) \|$", supply.PAGE.read_text(encoding="utf-8"), re.MULTILINE))
    assert set(supply.pinned()) <= set(page), "make licences"
    assert {name: said for name, said in supply.licences().items() if page[name] != said} == {}, "make licences"
    strange = {
        name: said
        for name, said in page.items()
        if name != "package" and not all(re.match(ALLOWED, word) for word in re.split(r" AND | OR ", said))
    }
    assert strange == WITH_DUTIES
    of_solver = PROJECT["project"]["optional-dependencies"]["solver"]
    assert [line for line in of_solver if line.startswith("bitbully>=")]  # an extra, and nothing else needs it
    assert not [line for line in PROJECT["project"]["dependencies"] if "bitbully" in line]


def test_the_bill_of_materials_has_every_package_with_its_licence_and_files() -> None:
    supply = script("supply")
    bill = supply.bill()
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    listed = {one["name"]: one for one in bill["components"]}
    assert set(supply.licences()) <= set(listed)
    assert len({one["bom-ref"] for one in listed.values()}) == len(listed)
    hydra = listed["hydra-core"]
    assert hydra["purl"] == f"pkg:pypi/hydra-core@{PINS['hydra-core']}"
    assert hydra["licenses"] == [{"license": {"name": "MIT"}}]
    assert all(len(file["hashes"][0]["content"]) == 64 for file in hydra["externalReferences"])
    assert hydra["externalReferences"]


def test_workflows_have_least_rights_and_pinned_actions() -> None:
    workflows = sorted(Path(ROOT / ".github/workflows").glob("*.yml"))
    assert workflows
    for path in workflows:
        text = path.read_text(encoding="utf-8")
        assert "\npermissions: {contents: read}\n" in text, path.name
        for action in re.findall(r"uses: (\S+)", text):
            assert re.fullmatch(r"[\w.-]+/[\w.-]+@[0-9a-f]{40}", action), action
        assert text.count("actions/checkout@") == text.count("persist-credentials: false")
