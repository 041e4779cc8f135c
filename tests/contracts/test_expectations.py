"""Behind every row of docs/EXPECTATIONS.md and docs/RELIABILITY.md stands a test that there is."""

from __future__ import annotations

import ast
import re

import pytest
from tests.contracts.pages import ROOT


def rows(page: str) -> list[str]:
    """Of tables whose last column names tests."""
    tables = (ROOT / "docs" / page).read_text(encoding="utf-8").split("\n\n")
    named = [table.splitlines() for table in tables if re.match(r"\| .* \| test \|\n", table)]
    return [line for table in named for line in table[2:]]


PAGES = {"EXPECTATIONS.md": 30, "RELIABILITY.md": 60}


@pytest.mark.parametrize(
    "row", [row for page in PAGES for row in rows(page)], ids=lambda row: row.split("|")[1].strip()
)
def test_a_row_names_a_test_that_there_is(row: str) -> None:
    named = row.split("|")[-2].strip()
    (path, name) = re.fullmatch(r"`(tests/[\w/]+\.py)::(test_\w+)`", named).groups()  # type: ignore[union-attr]
    tree = ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8")))
    assert name in {node.name for node in tree if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


@pytest.mark.parametrize("page", PAGES)
def test_there_are_rows(page: str) -> None:
    assert len(rows(page)) >= PAGES[page]
    assert all(row.count("|") == 5 for row in rows(page))
