"""Analysis for programs: one request, one answer. Described by OpenAPI at /api/openapi.json."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
from typing import Annotated

from fastapi import APIRouter, HTTPException, Request
from pydantic import BaseModel, ConfigDict, Field
from pydantic.config import JsonDict

from c4.games import UnknownGameError, game_spec
from c4.native._core import Position
from c4.players.oracle import NoOracleError
from c4.ui.web.door import Refusal
from c4.ui.web.house import ROLLOUTS, House
from c4.ui.web.search import Budget, analysis_by
from c4.ui.web.tasks import NO_MEMORY

EXAMPLE: JsonDict = {"position": "4453", "simulations": 600}


class Question(BaseModel):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [EXAMPLE]})

    position: str = Field(default="", max_length=5000, description="The plies that led there: 4453, or h8 i9.")
    simulations: Annotated[int, Field(ge=1, strict=True, description="New simulations of the search.")]
    game: str | None = Field(default=None, max_length=100, description="connect4, gomoku9 ...; null: the page's first.")
    judge: str | None = Field(default=None, max_length=200, description="A network's name, or rollouts.")
    truth: bool = Field(default=False, description="Whether exact scores and forced wins are asked for, where known.")


class ProofAnswer(BaseModel):
    result: int = Field(description="1 won, 0 drawn, -1 lost.")
    plies: int = Field(description="To the end, under best play of both.")


class ForcedAnswer(BaseModel):
    plies: int = Field(description="To the end, against the longest resistance.")
    by: str = Field(description="fours, or fours and threes.")


class MoveAnswer(BaseModel):
    """For the side that plays it."""

    action: int
    name: str
    visits: int
    prior: float
    q: float | None = Field(description="From -1, lost, to 1, won; null until it is visited.")
    plies_left: float | None
    proof: ProofAnswer | None
    exact: int | None = Field(description="Perfect play's score: positive wins, the larger the sooner.")


class Answer(BaseModel):
    game: str
    position: str
    judge: str
    visits: int
    value: float = Field(description="For the side to move: from -1, lost, to 1, won.")
    value_of_first: float = Field(description="For the first player.")
    plies_left: float
    proof: ProofAnswer | None
    forced: ForcedAnswer | None = Field(description="A win of the side to move by force, in Gomoku.")
    best: int | None = Field(description="The action to play; null when the game is over.")
    line: list[str] = Field(description="What both are expected to play.")
    moves: list[MoveAnswer]


class Failure(BaseModel):
    error: str


def api(house: House) -> APIRouter:
    router = APIRouter(prefix="/api")

    @router.post("/analyse", responses={code: {"model": Failure} for code in (422, 429, 503)})
    async def analyse(question: Question, request: Request) -> Answer:
        """Searches a position and says what it found."""
        with house.turns.held(request.client.host if request.client else "") as refusal:
            if refusal is None:
                return await _answer(house, question, request)
        if refusal is Refusal.ADDRESS:
            raise HTTPException(429, "too many requests from your address at once: try again later")
        raise HTTPException(503, "too many requests at once: try again later")

    return router


async def _answer(house: House, question: Question, request: Request) -> Answer:
    most = house.config.web.most_simulations
    if question.simulations > most:
        raise HTTPException(422, f"simulations={question.simulations} is not allowed: at most {most}")
    try:
        position = Position(game_spec(question.game or house.game).name, question.position)
    except (UnknownGameError, ValueError) as error:
        raise HTTPException(422, str(error)) from error
    game = position.game
    judges = [each.name for each in house.networks if each.game == game] + [ROLLOUTS]
    judge = question.judge or judges[0]
    if judge not in judges:
        raise HTTPException(422, f"no judge of {game} is called '{judge}': there are {', '.join(judges)}")
    sentence = house.why_no_truth(game)
    if question.truth and sentence is not None and not house.tells_forced_wins(game):
        raise HTTPException(422, sentence)
    search = analysis_by(house, judge)
    thinking = asyncio.ensure_future(search.think(position, budget=Budget(simulations=question.simulations)))
    try:
        while not (await asyncio.wait([thinking], timeout=1.0))[0]:
            if await request.is_disconnected():
                raise HTTPException(499, "the client has gone")
        analysis = thinking.result()
    except MemoryError:
        raise HTTPException(503, NO_MEMORY) from None
    finally:
        thinking.cancel()
    scores: list[int | None] = []
    forced = None
    if question.truth:
        forced = await house.forced_win(position)
        with contextlib.suppress(NoOracleError):  # over, or too hard here
            scores = await house.scores(position)
    plain = dataclasses.asdict(analysis) | {"forced": None if forced is None else dataclasses.asdict(forced)}
    for move in plain["moves"]:
        move["exact"] = scores[move["action"]] if scores else None
    return Answer(game=game, judge=judge, **plain)
