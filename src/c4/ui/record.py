"""A game as a text that people keep and send: its name, its moves, how it ended. Knows no screen."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, urlsplit

from c4.games import UnknownGameError, game_spec
from c4.native._core import Position
from c4.ui.session import NAMES, Session, SessionError


def to_text(session: Session, *, first: str, second: str) -> str:
    """`first` and `second`: who played."""
    lines = [f"game: {session.game}", f"first: {first}", f"second: {second}", f"moves: {session.position.text}"]
    outcome = session.outcome
    if outcome is not None:
        who = "draw" if outcome.winner is None else f"{NAMES[outcome.winner]} player wins"
        lines.append(f"result: {who} ({outcome.ending.value})")
    return "\n".join(lines) + "\n"


def from_text(text: str, *, game: str) -> Position:
    """The position at the end. A link to the page is taken too, and bare moves of `game`.

    Raises SessionError with one sentence.
    """
    try:
        named = _fields(text)
        if "moves" not in named:
            raise ValueError("no line says its moves")
        return Position(game_spec(named.get("game", game)).name, named["moves"])
    except (UnknownGameError, ValueError) as error:
        raise SessionError(f"this is no game: {error}") from error


def _fields(text: str) -> dict[str, str]:
    """What is said, by name."""
    if re.fullmatch(r"\s*https?://\S+\s*", text):
        asked = dict(parse_qsl(urlsplit(text.strip()).query, keep_blank_values=True))
        return {{"position": "moves"}.get(key, key): value for key, value in asked.items()}
    lines = [line.partition(":") for line in text.splitlines() if ":" in line]
    return {key.strip().lower(): value.strip() for key, _, value in lines} or {"moves": " ".join(text.split())}
