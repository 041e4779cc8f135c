"""What is said when a person asks for something that cannot be done, and the name that was probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class ConfigError(ValueError):
    """What a person asked for cannot be done as asked; the text is the whole message."""


def nearest_of(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that a typing person most likely meant: by its whole name, else by its last part."""
    pool = list(candidates)
    whole = difflib.get_close_matches(word, pool, n=1, cutoff=0.75)
    if whole:
        return whole[0]
    last = {name.rpartition(".")[2]: name for name in sorted(pool, key=len, reverse=True)}  # of several the shortest
    part = difflib.get_close_matches(word.rpartition(".")[2], last, n=1, cutoff=0.6)
    return last[part[0]] if part else None


def did_you_mean(word: str, candidates: Iterable[str]) -> str:
    """The end of a sentence about a name that is not there; empty where none is near."""
    nearest = nearest_of(word, candidates)
    return f"; did you mean {nearest}?" if nearest else ""
