"""What a person can type, in a pipe or at the board's prompt: a move, a word, or a knob with its value."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum

from c4.invocation import as_typed_here
from c4.native._core import Position
from c4.params.errors import nearest_of
from c4.ui import knobs
from c4.ui.session import Session, SessionError
from c4.ui.table import PlayTable


class Effect(Enum):
    """What has to be shown after a command."""

    MOVED = "moved"  # the position or whose turn it is
    TOLD = "told"  # nothing but the sentence
    CHANGED = "changed"  # how the program thinks, or what is shown of it
    HINT = "hint"
    TREE = "tree"
    REVIEW = "review"
    QUIT = "quit"


WORDS = {  # word -> what it does
    "undo": "takes back your last move",
    "redo": "replays what was taken back",
    "new": "starts a new game",
    "swap": "changes sides: the program takes yours",
    "resign": "gives up the game",
    "hint": "shows the move the search prefers",
    "truth": "shows or hides each move's exact score, where perfect play is known (truth on, truth off)",
    "review": "goes through the game and marks the moves that gave something away",
    "tree": "writes a picture of the search tree of this position into a file",
    "position": "shows the position; position 4453 starts from there",
    "help": "lists the commands; help cpuct explains a knob",
    "quit": "leaves the game",
}
HELP = (
    f"a move (4, h8) or a command: {', '.join(WORDS)}; or a knob and its value, as in simulations 2000, seconds 3, "
    "temperature 1, cpuct=2 or any other knob of the search; help NAME explains one"
)


def obey(line: str, *, table: PlayTable, others: Iterable[str] = ()) -> tuple[Effect, str]:
    """Does what a line says, and tells it in a sentence (or none). Raises SessionError.

    `others`: words that the screen knows besides, for the sentence about a word that nobody knows.
    """
    said = line.strip().lstrip(":").strip()
    word, rest = _parted(said)
    if word in WORDS:
        return _word(word, rest, table=table)
    if word in {"exit", "q"} and not rest:
        return Effect.QUIT, ""
    if (knob := knobs.split(said)) is not None:
        return Effect.CHANGED, table.set_knob(*knob)
    if knobs.is_knob(word):
        raise SessionError(f"{word} needs a value: {word} VALUE. {_about(word, table)}")
    if word in knobs.AT_THE_START:
        raise SessionError(f"{word} is chosen at the start: {as_typed_here('python play.py')} {word}=...")
    action = _action(said, session=table.session, others=others)
    if table.session.programs_turn and table.session.person is not None:
        raise SessionError("it is not your turn")
    table.session.play(action)
    return Effect.MOVED, ""


def is_level(line: str) -> bool:
    """Whether a line changes how the program thinks."""
    return knobs.split(line.strip().lstrip(":")) is not None


def completions(start: str, *, others: Iterable[str] = ()) -> list[str]:
    """The words and knobs that begin so; with `search.` before it, the knobs of the search."""
    if start.startswith(knobs.GROUP) or (start and knobs.GROUP.startswith(start) and len(start) > 2):
        known = [knobs.GROUP + name for name in knobs.SEARCH if name not in knobs.VAIN]
    else:
        known = [*WORDS, *others, *knobs.KNOBS]
    return [name for name in known if name.startswith(start.lower())]


def explanation(word: str, *, table: PlayTable) -> str:
    """What a word or a knob is for; empty for anything else."""
    if word in WORDS:
        return f"{word} {WORDS[word]}"
    return _about(word, table) if knobs.is_knob(word) else ""


def refusal(said: str, *, session: Session, others: Iterable[str] = ()) -> SessionError:
    """Of what is neither a move nor a word: the nearest word, or what would be understood."""
    word, rest = _parted(said)
    position = session.position
    moves = f"{position.action_name(0)} to {position.action_name(session.actions - 1)}"
    near = nearest_of(knobs.name_of(word), [*WORDS, *others, *knobs.KNOBS])
    if near is not None:
        return SessionError(f"'{said}' is neither a move nor a command; did you mean {f'{near} {rest}'.strip()}?")
    return SessionError(f"'{said}' is neither a move nor a command: moves run from {moves}; help lists the commands")


def _word(word: str, rest: str, *, table: PlayTable) -> tuple[Effect, str]:
    session = table.session
    moves: dict[str, Callable[[], None]] = {
        "undo": session.undo,
        "redo": session.redo,
        "new": table.new_game,
        "swap": session.swap_sides,
        "resign": session.resign,
    }
    if rest and word not in {"truth", "position", "help"}:
        raise SessionError(f"{word} takes nothing after it: type {word}")
    if word in moves:
        moves[word]()
        return Effect.MOVED, ""
    if word == "position":
        return _position(rest, table=table)
    if word == "truth":
        if rest not in {"", "on", "off"}:
            raise SessionError(f"'truth {rest}' is not understood: type truth on or truth off")
        return Effect.CHANGED, table.tell_truth(rest == "on" if rest else not table.tells_truth)
    if word == "help":
        if rest and not explanation(rest, table=table):
            raise refusal(rest, session=session)
        return Effect.TOLD, explanation(rest, table=table) or HELP
    if word in {"hint", "tree"} and session.over:
        raise SessionError("the game is over")
    if word == "review" and len(session.line) == 1:
        raise SessionError("there is nothing to review yet: no move has been played")
    effects = {"hint": Effect.HINT, "tree": Effect.TREE, "review": Effect.REVIEW, "quit": Effect.QUIT}
    return effects[word], ""


def _position(text: str, *, table: PlayTable) -> tuple[Effect, str]:
    if not text:
        return Effect.TOLD, f"position={table.session.position.text}"
    try:
        table.begin_at(Position(table.session.game, text))
    except ValueError as error:
        raise SessionError(f"position {text} cannot be set up: {error}") from error
    return Effect.MOVED, ""


def _action(said: str, *, session: Session, others: Iterable[str]) -> int:
    try:
        return session.action_of(said)
    except SessionError as error:
        if said.isalpha() or "=" in said or " " in said:
            raise refusal(said, session=session, others=others) from error
        raise


def _about(word: str, table: PlayTable) -> str:
    return knobs.about(word, level=table.level, params=table.params)


def _parted(said: str) -> tuple[str, str]:
    """A word and what follows it, after a space or an equals sign."""
    word, _, rest = said.replace("=", " ", 1).partition(" ")
    return word.lower(), rest.strip()
