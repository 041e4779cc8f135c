"""Writes the table of docs/METRICS.md from src/c4/params/metrics.py; with --check only compares."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from c4.params.metrics import metrics_table

PAGE = Path(__file__).parents[1] / "docs" / "METRICS.md"


def page(before: str) -> str:
    """With the table, which ends the page, as the program has it."""
    return before.partition("| metric |")[0] + metrics_table() + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="compare only")
    before = PAGE.read_text(encoding="utf-8")
    if parser.parse_args().check:
        if before != page(before):
            print("docs/METRICS.md is not up to date: python scripts/metrics.py writes it", file=sys.stderr)
            return 1
        return 0
    PAGE.write_text(page(before), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
