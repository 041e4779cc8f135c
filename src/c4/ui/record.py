"""A game as a text that people keep and send: its name, its moves, how it ended. Knows no screen."""

from __future__ import annotations

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
    """The position at the end. Bare moves are taken too, of `game`. Raises SessionError with one sentence."""
    fields = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    named = {key.strip().lower(): value.strip() for key, value in fields.items()}
    moves = named.get("moves", "" if named else " ".join(text.split()))
    try:
        name = game_spec(named.get("game", game)).name
        return Position(name, moves)
    except (UnknownGameError, ValueError) as error:
        raise SessionError(f"this is no game: {error}") from error
