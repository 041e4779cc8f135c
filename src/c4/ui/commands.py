"""What a person can type, in a pipe or at the board's prompt: a move, or a word with what it needs."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from c4.ui.session import SessionError
from c4.ui.table import LEVELS, PlayTable


class Effect(Enum):
    """What has to be shown after a command."""

    MOVED = "moved"  # the position or whose turn it is
    TOLD = "told"  # nothing but the sentence
    CHANGED = "changed"  # how the program thinks
    HINT = "hint"
    QUIT = "quit"


HELP = (
    "a move (4, h8), undo, redo, new, swap, hint, resign, position, quit, or a knob of the level with its value: "
    + ", ".join(LEVELS)
)


def obey(line: str, *, table: PlayTable) -> tuple[Effect, str]:
    """Does what a line says, and tells it in a sentence (or none). Raises SessionError."""
    word, *rest = line.split()
    word = word.lower()
    session = table.session
    moves: dict[str, Callable[[], None]] = {
        "undo": session.undo,
        "redo": session.redo,
        "new": table.new_game,
        "swap": session.swap_sides,
        "resign": session.resign,
    }
    if word in LEVELS:
        if len(rest) != 1:
            raise SessionError(f"{word} needs a number: {word} VALUE")
        return Effect.CHANGED, table.set_level(word, rest[0])
    if rest:
        raise SessionError(f"'{line.strip()}' is not understood: one move or word a line; help lists them")
    if word in moves:
        moves[word]()
        return Effect.MOVED, ""
    if word in {"quit", "exit"}:
        return Effect.QUIT, ""
    if word == "help":
        return Effect.TOLD, HELP
    if word == "position":
        return Effect.TOLD, f"position={session.position.text}"
    if word == "hint":
        if session.over:
            raise SessionError("the game is over")
        return Effect.HINT, ""
    action = session.action_of(word)
    if session.programs_turn and session.person is not None:
        raise SessionError("it is not your turn")
    session.play(action)
    return Effect.MOVED, ""
