"""The site of the documents can be built, all its links lead somewhere, and it asks no other host for anything."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mkdocs", reason="the site is an extra: pip install -e '.[docs]'")

ROOT = Path(__file__).parents[2]
LOADED = re.compile(r"""<(?:script|img|iframe|source)[^>]+src="([^"]+)"|<link[^>]+href="([^"]+)"|url\(([^)]+)\)""")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built strictly: a link or an anchor that leads nowhere is an error."""
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--site-dir", str(folder)],
        cwd=ROOT, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    return folder


def test_every_document_and_notebook_is_a_page(site: Path) -> None:
    pages = {path.stem for path in site.glob("*.html")}
    assert {path.stem for path in (ROOT / "docs").glob("*.md")} <= pages
    assert {f"{path.stem}_notebook" for path in (ROOT / "docs").glob("*.ipynb")} <= pages


def test_it_loads_nothing_from_another_host(site: Path) -> None:
    loaded = {
        address
        for path in (*site.rglob("*.html"), *site.rglob("*.css"))
        for found in LOADED.findall(path.read_text(encoding="utf-8"))
        for address in found
    }
    assert any(address.endswith(".js") for address in loaded)
    assert [address for address in loaded if re.match(r"[\"']?(https?:)?//", address)] == []


def test_pictures_are_small_enough_for_a_first_screen() -> None:
    pictures = [path for path in (ROOT / "docs").rglob("*") if path.suffix in {".png", ".svg"}]
    assert [path.name for path in pictures if path.stat().st_size > 150_000] == []
