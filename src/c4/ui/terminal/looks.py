"""The words at the prompt that only a screen knows: how it looks. The others are in ui/commands.py."""

from __future__ import annotations

from c4.ui.session import SessionError

WORDS = {
    "theme": "theme light or theme dark sets the colours",
    "animation": "animation on or animation off: whether stones are seen falling",
}
CHOICES = {"theme": ("light", "dark"), "animation": ("on", "off")}


def look_asked(line: str) -> tuple[str, str] | None:
    """A word and what was chosen; None where the line is about something else. Raises SessionError."""
    word, _, choice = line.strip().lower().replace("=", " ").partition(" ")
    if word not in WORDS:
        return None
    if choice not in CHOICES[word]:
        raise SessionError(f"'{line.strip()}' is not understood: {WORDS[word]}")
    return word, choice
