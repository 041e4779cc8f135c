"""Where a change goes, as docs/DESIGN.md tells it: an example is found in the files of its row, and in no others."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from tests.e2e.training_kit import ROOT

ROW = re.compile(r"^\| ([^|]+) \| (?:`([^`|]+)`)? ?\| ([^|]+) \|$", flags=re.MULTILINE)
FILE = re.compile(r"`((?:src|conf)/[\w./]+\.\w+)`")
MOST = {"a knob of the search": 6, "a column of the samples": 4, "a kind of player that ships": 2}
NAMED_OTHERWISE = ("src/c4/params/", "conf/inference/")
"""Where an example may be a part of a sentence, or go by another name."""


def rows() -> dict[str, tuple[str, list[str]]]:
    text = (ROOT / "docs/DESIGN.md").read_text(encoding="utf-8").partition("## Where a change goes")[2]
    table = text.partition("\n## ")[0].partition("|---|---|---|")[2]
    return {what: (example, FILE.findall(where)) for what, example, where in ROW.findall(table)}


def sources() -> Iterator[tuple[str, str]]:
    for folder, ending in (("src", "*.py"), ("src", "*.h"), ("src", "*.cc"), ("conf", "*.yaml")):
        for path in (ROOT / folder).rglob(ending):
            yield str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")


def test_there_are_twelve_changes() -> None:
    assert len(rows()) == 12
    assert {*MOST} < {*rows()}


@pytest.mark.parametrize("what", [what for what, (example, _) in rows().items() if example])
def test_an_example_is_where_its_row_says(what: str) -> None:
    example, named = rows()[what]
    wanted = re.compile(rf"(?<!\w){re.escape(example)}(?!\w)", flags=re.IGNORECASE)
    found = {name for name, text in sources() if wanted.search(text) and "/conf/" not in name}
    assert {name for name in found if not name.startswith(NAMED_OTHERWISE)} == {
        name for name in named if not name.startswith(NAMED_OTHERWISE)
    }
    assert len(named) <= MOST.get(what, 5)
