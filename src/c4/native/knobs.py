"""A plain search and plain self-play, as the native code begins them: for yardsticks, benchmarks and tests.

What is given differs from them; a knob that is new is there already. Nobody who plays or trains is meant.
"""

from __future__ import annotations

from typing import Any

from c4.native import _core
from c4.params.plain import from_plain
from c4.params.search import SearchParams
from c4.params.selfplay import SelfplayParams


def plain_search(**given: Any) -> SearchParams:
    """PUCT alone: no noise, no help from proven results, always the most visited move."""
    return from_plain(SearchParams, _core.plain_search() | given)


def plain_selfplay(**given: Any) -> SelfplayParams:
    """One game, searched in full at every ply, from the start."""
    return from_plain(SelfplayParams, _core.plain_selfplay() | given)
