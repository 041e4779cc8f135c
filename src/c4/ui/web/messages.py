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
    position: Annotated[str, Field(max_length=5 * MOST_PLIES)] = ""
    ply: Annotated[int, Field(ge=0, le=MOST_PLIES)] | None = None
    side: Annotated[Side, Field(strict=False)]


class Import(_Message):
    """A game as text, as `export` gives it."""

    type: Literal["import"]
    text: Annotated[str, Field(max_length=10 * MOST_PLIES)]


class Play(_Message):
    type: Literal["play"]
    action: Action


class GoTo(_Message):
    type: Literal["goto"]
    ply: Annotated[int, Field(ge=0, le=MOST_PLIES)]


class TakeSide(_Message):
    type: Literal["side"]
    side: Annotated[Side, Field(strict=False)]


class Simple(_Message):
    """`go`: the program moves although somebody looked back. `stop`: no analysis any more."""

    type: Literal["new", "undo", "redo", "resign", "go", "stop", "truth", "export", "ping"]


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
    """Numbers that grow, of up to two judges side by side."""

    type: Literal["analyse"]
    judges: Annotated[list[Name], Field(min_length=1, max_length=2)]  # networks' names, or rollouts
    visits: Count


class ShowNode(_Message):
    """A node of the tree of an analysis; `id` comes back with it."""

    type: Literal["node"]
    id: Annotated[int, Field(ge=0, le=1 << 50)]
    side: Annotated[int, Field(ge=0, le=1)]
    path: Annotated[list[Action], Field(max_length=MOST_PLIES)]


class Review(_Message):
    """What each move of the game gave away."""

    type: Literal["review"]


Asked = Annotated[
    Load | Import | Play | GoTo | TakeSide | Simple | Level | Analyse | ShowNode | Review, Field(discriminator="type")
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
