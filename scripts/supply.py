"""What c4 is installed with, from what is installed: whose licences, and a bill of materials.

python scripts/supply.py licences      writes docs/LICENCES.md
python scripts/supply.py sbom          writes build/sbom.json: CycloneDX, with the hashes of uv.lock
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
import uuid
from collections.abc import Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PAGE, BILL = ROOT / "docs/LICENCES.md", ROOT / "build/sbom.json"
SHORT = {  # as SPDX calls what packages write in words of their own
    r"apache.*2|apache software": "Apache-2.0",
    r"bsd.*3|new bsd|3-clause bsd": "BSD-3-Clause",
    r"bsd.*2": "BSD-2-Clause",
    r"^bsd|bsd license": "BSD",
    r"^mit\b|mit license": "MIT",
    r"mozilla|mpl": "MPL-2.0",
    r"agpl|affero": "AGPL-3.0",
    r"lgpl": "LGPL",
    r"historical permission|hpnd": "HPND",
    r"python software foundation|^psf": "PSF-2.0",
    r"isc": "ISC",
    r"unlicense|public domain": "Unlicense",
}
HEAD = """# Licences

c4 itself is under the MIT licence. It is installed with the packages below, each under its own, as its metadata says.
`make licences` writes this page, and a test compares it with what is installed. None is part of c4's files.

**BitBully**, which plays perfectly, is under the AGPL-3.0 (its tables of openings are under the MIT licence). It is an
optional extra, `c4[solver]`: c4 runs without it, and asks it only where it is installed. Who passes on a program
together with BitBully, or offers one over a network, has to mind that licence.

`make sbom` writes what is installed, with versions and hashes, as a bill of materials (CycloneDX).

| package | licence |
|---|---|
"""


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned() -> list[str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return sorted(plain(line.partition("==")[0]) for line in lines if "==" in line and not line.startswith("#"))


def licence(about: Mapping[str, Any]) -> str:
    """Of a package's metadata: its expression, else what its classifiers or its own words come to."""
    if said := about.get("License-Expression"):
        return str(said)
    classified = [
        one.rpartition(" :: ")[2]
        for one in about.get_all("Classifier", [])
        if one.startswith("License ::")  # type: ignore[attr-defined]
    ]
    words = [*(one for one in classified if one != "OSI Approved"), str(about.get("License") or "")]
    found = [_short(one) for one in words if one and one != "UNKNOWN"]
    return found[0] if found else "not said"


def _short(words: str) -> str:
    first = words.strip().splitlines()[0].strip()
    if re.fullmatch(r"[\w.-]+( (AND|OR) [\w.-]+)+", first):
        return first
    return next((name for form, name in SHORT.items() if re.search(form, first, re.IGNORECASE)), first[:60])


def installed() -> dict[str, metadata.Distribution]:
    return {plain(one.metadata["Name"]): one for one in metadata.distributions()}


def licences() -> dict[str, str]:
    """Of what is pinned and installed here, by name."""
    here = installed()
    return {name: licence(here[name].metadata) for name in pinned() if name in here}


def components() -> Iterator[dict[str, Any]]:
    lock = {one["name"]: one for one in tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))["package"]}
    for name, package in sorted(installed().items()):
        if name == "c4":
            continue
        version, locked = package.version, lock.get(name, {})
        files = [*locked.get("wheels", []), *([locked["sdist"]] if "sdist" in locked else [])]
        reference = f"pkg:pypi/{name}@{version}"
        yield {
            "type": "library",
            "bom-ref": reference,
            "name": name,
            "version": version,
            "purl": reference,
            "licenses": [{"license": {"name": licence(package.metadata)}}],
            "externalReferences": [_file(one) for one in files if locked.get("version") == version],
        }


def _file(locked: Mapping[str, str]) -> dict[str, Any]:
    content = locked["hash"].removeprefix("sha256:")
    return {"type": "distribution", "url": locked["url"], "hashes": [{"alg": "SHA-256", "content": content}]}


def bill() -> dict[str, Any]:
    ours = metadata.version("c4")
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid4()}",
        "version": 1,
        "metadata": {"component": {"type": "application", "bom-ref": "c4", "name": "c4", "version": ours}},
        "components": list(components()),
    }


def main(words: list[str]) -> int:
    if words == ["licences"]:
        PAGE.write_text(HEAD + "".join(f"| {name} | {said} |\n" for name, said in licences().items()), encoding="utf-8")
    elif words == ["sbom"]:
        BILL.parent.mkdir(exist_ok=True)
        BILL.write_text(json.dumps(bill(), indent=1) + "\n", encoding="utf-8")
        print(f"{BILL.relative_to(ROOT)}: {len(installed()) - 1} packages")
    else:
        sys.stderr.write(__doc__ or "")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
