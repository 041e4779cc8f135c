"""What is typed to a benchmark: words of its own, as name=value, and overrides that it hands on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def parted(words: Sequence[str], *, own: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """Those of `own`, with what was typed in place of what they are by themselves; and the rest as typed."""
    found, rest = dict(own), []
    for word in words:
        name, equals, value = word.partition("=")
        if equals and name in own:
            found[name] = value
        else:
            rest.append(word)
    return found, rest
