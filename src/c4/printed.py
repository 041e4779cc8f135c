"""Text on its way to a person: a terminal does what some characters say, and a file's words may hold them.

Every sentence that is written goes through here; what draws a screen itself makes the words on it `printable`.
"""

from __future__ import annotations

import re
import sys
from typing import TextIO

STEERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters but for tabs and ends of lines, changes of direction, and bytes that are no text (surrogates)."""


def printable(text: str) -> str:
    """The same text, with what would steer a terminal as one writes it in code."""
    return STEERS.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def out(text: str) -> None:
    """A result."""
    _write(sys.stdout, text)


def err(text: str) -> None:
    """What is said beside it: progress, warnings, errors."""
    _write(sys.stderr, text)


def _write(stream: TextIO, text: str) -> None:
    stream.write(printable(text))
    stream.flush()
