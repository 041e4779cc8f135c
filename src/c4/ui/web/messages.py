"""What a page may say to the server, word by word. Anything else is answered by one sentence.

The limits that are knobs are checked where the message is obeyed.
"""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from c4.ui.session import SessionError

MOST_PLIES = 1000
Name = Annotated[str, Field(max_length=200)]
Count = Annotated[int, Field(ge=1, le=10_000_000)]
Action = Annotated[int, Field(ge=0, le=10_000)]
Id = Annotated[int, Field(ge=0, le=1 << 50)]
Player = Annotated[int, Field(ge=0, le=1)]
Line = Annotated[str, Field(max_length=5 * MOST_PLIES)]  # the plies from the empty board on


class Side(Enum):
    """Whom a person plays."""

    FIRST = "first"
    SECOND = "second"
    BOTH = "both"
    WATCH = "watch"


class _Message(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class Load(_Message):
    """A game from any position; `ply`: how much of it is on the board, all of it if null."""

    type: Literal["load"]
    game: Name
    position: Line = ""
    ply: Annotated[int, Field(ge=0, le=MOST_PLIES)] | None = None
    side: Annotated[Side, Field(strict=False)]
    resigned: Player | None = None  # who gave up at its end


class Import(_Message):
    """A game as text, as `export` gives it."""

    type: Literal["import"]
    text: Annotated[str, Field(max_length=60 * MOST_PLIES)]


class MoveNote(_Message):
    """What was found out about a move."""

    ply: Annotated[int, Field(ge=1, le=MOST_PLIES)]
    mark: Literal["", "?!", "?", "??"] = ""
    value: Annotated[float, Field(ge=-1, le=1)] | None = None  # after it, for the first player
    sentence: Annotated[str, Field(max_length=200, pattern=r"^[^\r\n]*$")] = ""


class Export(_Message):
    """The game as text: the one on the board, or `line`, which is another one of the same game."""

    type: Literal["export"]
    line: Line | None = None
    resigned: Player | None = None
    notes: Annotated[list[MoveNote], Field(max_length=MOST_PLIES)] = []
    variations: Annotated[list[Line], Field(max_length=100)] = []


class Play(_Message):
    type: Literal["play"]
    action: Action


class Follow(_Message):
    """Plays a line of both players, to be looked at: nobody answers it."""

    type: Literal["follow"]
    actions: Annotated[list[Action], Field(min_length=1, max_length=MOST_PLIES)]


class Try(_Message):
    """What a move would give away, without playing it."""

    type: Literal["try"]
    action: Action


class Arrange(_Message):
    """A board that somebody set up: whether it can come about. `rows` as the server sends them."""

    type: Literal["arrange"]
    game: Name
    rows: Annotated[list[Annotated[str, Field(max_length=100)]], Field(max_length=100)]


class GoTo(_Message):
    type: Literal["goto"]
    ply: Annotated[int, Field(ge=0, le=MOST_PLIES)]


class TakeSide(_Message):
    type: Literal["side"]
    side: Annotated[Side, Field(strict=False)]


class Simple(_Message):
    """`go`: the program moves although somebody looked back. `stop`: no analysis any more."""

    type: Literal["new", "undo", "redo", "resign", "go", "stop", "truth", "ping"]


class Level(_Message):
    type: Literal["level"]
    opponent: Name  # network, or another kind that the server offers
    network: Name | None = None  # None: the first of the game
    simulations: Count
    seconds: Annotated[float, Field(gt=0)] | None = None
    temperature: float
    mlh_slope: float
    noise: float


class Analyse(_Message):
    """Numbers that grow, of up to two judges side by side; `id` comes back with each of them."""

    type: Literal["analyse"]
    id: Id = 0
    judges: Annotated[list[Name], Field(min_length=1, max_length=2)]  # networks' names, or rollouts
    visits: Count | None  # None: until it is stopped, or its tree is full


class ShowNode(_Message):
    """A node of the tree of an analysis; `id` comes back with it."""

    type: Literal["node"]
    id: Id
    side: Annotated[int, Field(ge=0, le=1)]
    path: Annotated[list[Action], Field(max_length=MOST_PLIES)]


class DrawTree(_Message):
    """The tree of an analysis as a picture."""

    type: Literal["picture"]
    side: Annotated[int, Field(ge=0, le=1)]


class Review(_Message):
    """What each move of the game gave away."""

    type: Literal["review"]


Asked = Annotated[
    Load
    | Import
    | Export
    | Play
    | Follow
    | Try
    | Arrange
    | GoTo
    | TakeSide
    | Simple
    | Level
    | Analyse
    | ShowNode
    | DrawTree
    | Review,
    Field(discriminator="type"),
]
_ASKED: TypeAdapter[Asked] = TypeAdapter(Asked)


def read(text: str) -> Asked:
    """Raises SessionError with one sentence."""
    try:
        return _ASKED.validate_json(text)
    except ValidationError as error:
        raise SessionError(sentence_of(error)) from None


def sentence_of(error: ValidationError) -> str:
    """The first thing that is wrong."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"])[:80]
    return f"{where or 'message'}: {first['msg'][:200]}"
