"""`python -m c4.engines` shows which engine was the fastest for what, and `python -m c4.engines clear` forgets it."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from c4 import printed
from c4.invocation import as_typed_here
from c4.network.inference.choices import Kept, choices_file, clear_choices, read_choices
from c4.report.table import Row, columns

USAGE = """\
python -m c4.engines          which engine inference=auto takes for what, as it was once timed on this machine
python -m c4.engines clear    forgets it: each is timed again when it is next asked for
"""


def main(words: Sequence[str]) -> int:
    """Returns the exit code."""
    if list(words) not in ([], ["clear"]):
        (printed.out if list(words) in (["--help"], ["-h"], ["help"]) else printed.err)(as_typed_here(USAGE))
        return 0 if words[0] in {"--help", "-h", "help"} else 2
    try:
        _clear() if words else _show()
    except OSError as error:
        printed.err(f"error: {error.strerror}: {error.filename}\n")
        return 1
    return 0


def _clear() -> None:
    count = clear_choices()
    printed.out(f"forgotten: {count} {'choice' if count == 1 else 'choices'}\n")


def _show() -> None:
    kept = read_choices()
    if not kept:
        printed.out("nothing has been timed yet: inference=auto does it when it is first asked\n")
        return
    head: Row = ("game", "network", "rows x batches", "takes", "evaluations/s", "timed")
    printed.out(columns([head, *map(_row, kept)]) + f"\n\nkept in {choices_file()}\n")


def _row(one: Kept) -> Row:
    asked = one.asked
    rates = ", ".join(f"{label} {rate:,.0f}" for label, rate in sorted(one.rates.items(), key=lambda item: -item[1]))
    batches = f"{asked.get('rows')} x {asked.get('in_flight')}"
    return (str(asked.get("game")), str(asked.get("network")), batches, one.taken, rates, one.date)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
