"""What pip installs for some extras of c4, each version with the hashes that it must have: scripts/environment.sh asks.

python scripts/locked.py EXTRA,EXTRA      for this Python and system, from uv.lock, in the form that pip reads
python scripts/locked.py build            what building needs, before all else
python scripts/locked.py torch            as PyPI has it

torch is left out: which build of it is taken, and from where, is decided by the machine (docs/INSTALL.md). What it
needs is asked of the one that is installed, so that a build without CUDA brings none.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path
from typing import Any

from pip._vendor.packaging.markers import Marker, default_environment
from pip._vendor.packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
BUILDING = ("setuptools", "pybind11")
OURS, BY_INDEX = "c4", "torch"

Package = Mapping[str, Any]
"""An entry of uv.lock."""


def read_lock() -> dict[str, Package]:
    lock = tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))
    return {one["name"]: one for one in lock["package"]}


def needed(packages: Mapping[str, Package], extras: Iterable[str]) -> list[str]:
    """The names of all that c4 with these extras needs here, itself and torch left out."""
    seen, waiting = set[tuple[str, str]](), [(OURS, ""), *((OURS, extra) for extra in extras)]
    while waiting:
        name, extra = waiting.pop()
        if (name, extra) in seen:
            continue
        seen.add((name, extra))
        if name not in packages:  # what another build of torch brings
            sys.stderr.write(f"c4: {name} is not in uv.lock: no hash is asked of it\n")
            continue
        for each, its_extras in _dependencies(packages[name], extra=extra):
            waiting += [(each, ""), *((each, its) for its in its_extras)]
    return sorted({name for name, _ in seen if name in packages} - {OURS, BY_INDEX})


def _dependencies(package: Package, *, extra: str) -> Iterator[tuple[str, list[str]]]:
    if package["name"] == BY_INDEX:
        yield from _of_installed(BY_INDEX)
        return
    listed = package.get("optional-dependencies", {}).get(extra, []) if extra else package.get("dependencies", [])
    for one in listed:
        if "marker" not in one or Marker(one["marker"]).evaluate():
            yield one["name"], one.get("extra", [])


def _of_installed(name: str) -> Iterator[tuple[str, list[str]]]:
    try:
        lines = requires(name) or []
    except PackageNotFoundError:
        raise SystemExit(f"c4: {name} has to be installed first") from None
    for requirement in map(Requirement, lines):
        if requirement.marker is None or requirement.marker.evaluate({**default_environment(), "extra": ""}):
            yield requirement.name.lower().replace("_", "-").replace(".", "-"), []


def pinned(package: Package) -> str:
    """A line as pip wants it."""
    files = [*package.get("wheels", []), *([package["sdist"]] if "sdist" in package else [])]
    hashes = sorted({file["hash"] for file in files})
    return " \\\n    ".join([f"{package['name']}=={package['version']}", *(f"--hash={one}" for one in hashes)])


def main(words: list[str]) -> int:
    packages = read_lock()
    names = {"build": BUILDING, "torch": (BY_INDEX,)}.get(words[0]) or needed(packages, words[0].split(","))
    sys.stdout.write("".join(f"{pinned(packages[name])}\n" for name in names))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
