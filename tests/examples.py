"""How many cases hypothesis draws where more are worth a wait: EXAMPLES=2000 asks for so many."""

from __future__ import annotations

import os


def examples(usual: int) -> int:
    return int(os.environ.get("EXAMPLES", usual))
