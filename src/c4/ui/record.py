"""A game as a text that people keep and send: its name, its moves, how it ended, what was found out about it.

Knows no screen.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from urllib.parse import parse_qsl, urlsplit

from c4.games import UnknownGameError, game_spec
from c4.native._core import Position
from c4.ui.session import NAMES, Session, SessionError

VARIATION = "variation"
_NOTE = re.compile(r"[^\s?]+(?P<mark>\?\?|\?!|\?)?(?: value (?P<value>[+-][01]\.\d\d))?(?: (?P<sentence>.+))?")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Note:
    """On one move."""

    ply: int  # that it was, from 1
    mark: str = ""  # as a review's
    value: float | None = None  # after it, for the first player
    sentence: str = ""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Record:
    """What a text says."""

    end: Position
    notes: tuple[Note, ...] = ()
    variations: tuple[Position, ...] = ()  # each from the empty board on


def to_text(
    session: Session, *, first: str, second: str, notes: Sequence[Note] = (), variations: Sequence[Position] = ()
) -> str:
    """`first` and `second`: who played."""
    end = session.position
    lines = [f"game: {session.game}", f"first: {first}", f"second: {second}", f"moves: {end.text}"]
    outcome = session.outcome
    if outcome is not None:
        who = "draw" if outcome.winner is None else f"{NAMES[outcome.winner]} player wins"
        lines.append(f"result: {who} ({outcome.ending.value})")
    lines += [_note_line(note, end=end) for note in notes if 1 <= note.ply <= end.ply]
    lines += [f"{VARIATION} {number}: {each.text}" for number, each in enumerate(variations, start=1)]
    return "\n".join(lines) + "\n"


def from_text(text: str, *, game: str) -> Position:
    """The position at the end. A link to the page is taken too, and bare moves of `game`.

    Raises SessionError with one sentence.
    """
    return read_record(text, game=game).end


def read_record(text: str, *, game: str) -> Record:
    """All of it; see from_text."""
    try:
        named = _fields(text)
        if "moves" not in named:
            raise ValueError("no line lists its moves")
        name = game_spec(named.get("game", game)).name
        end = Position(name, named["moves"])
        variations = [Position(name, moves) for key, moves in named.items() if key.startswith(f"{VARIATION} ")]
    except (UnknownGameError, ValueError) as error:
        raise SessionError(f"this is not a game: {error}") from error
    notes = [_note(int(key), said) for key, said in named.items() if key.isdecimal() and int(key) <= end.ply]
    return Record(end=end, notes=tuple(filter(None, notes)), variations=tuple(variations))


def _note_line(note: Note, *, end: Position) -> str:
    value = "" if note.value is None else f" value {note.value:+.2f}"
    return f"{note.ply}: {end.action_name(end.actions[note.ply - 1])}{note.mark}{value} {note.sentence}".rstrip()


def _note(ply: int, said: str) -> Note | None:
    """What does not read like one is left out: people write things between the lines."""
    found = _NOTE.fullmatch(said)
    if found is None:
        return None
    value = None if found["value"] is None else float(found["value"])
    return Note(ply=ply, mark=found["mark"] or "", value=value, sentence=found["sentence"] or "")


def _fields(text: str) -> dict[str, str]:
    """What is said, by name."""
    if re.fullmatch(r"\s*https?://\S+\s*", text):
        asked = dict(parse_qsl(urlsplit(text.strip()).query, keep_blank_values=True))
        return {{"position": "moves"}.get(key, key): value for key, value in asked.items()}
    lines = [line.partition(":") for line in text.splitlines() if ":" in line]
    return {key.strip().lower(): value.strip() for key, _, value in lines} or {"moves": " ".join(text.split())}
