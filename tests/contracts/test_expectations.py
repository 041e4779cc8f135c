"""Behind every row of docs/EXPECTATIONS.md stands a test that there is."""

from __future__ import annotations

import ast
import re

import pytest
from tests.contracts.pages import ROOT

PAGE = (ROOT / "docs/EXPECTATIONS.md").read_text(encoding="utf-8")
ROWS = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith("| expected")]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.split("|")[1].strip())
def test_a_row_names_a_test_that_there_is(row: str) -> None:
    *_, named = row.strip("| ").split(" | ")
    (path, name) = re.fullmatch(r"`(tests/[\w/]+\.py)::(test_\w+)`", named).groups()  # type: ignore[union-attr]
    tree = ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8")))
    assert name in {node.name for node in tree if isinstance(node, ast.FunctionDef)}


def test_there_are_rows() -> None:
    assert len(ROWS) >= 30
    assert all(row.count(" | ") == 3 for row in ROWS)
