"""Watching runs train: what the page of a run asks for, again and again. Answers hold only what is new."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query
from fastapi.responses import HTMLResponse
from pydantic import BaseModel, Field

from c4.games import UnknownGameError, game_spec
from c4.invocation import as_typed_here
from c4.native._core import OPENING_PLY, SAMPLED_MOVE, Position
from c4.run.kept import read_games, read_mistakes
from c4.ui.web.runs import NoSuchRunError, Run, Runs, is_small, seconds_since, stamp
from c4.ui.web.show import game_shown

MOST_RUNS, MOST_GAMES = 200, 500
ANYTHING = (OSError, ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, RecursionError)
"""That files of a stranger's may lead to."""
Name = Annotated[str, Query(max_length=500, description="A run's folder below that of all runs.")]


class Shape(BaseModel):
    """Of a game's board."""

    name: str
    title: str
    height: int
    width: int
    in_a_row: int
    gravity: bool = Field(description="Whether an action is a column into which a stone drops, or a cell.")
    names: list[str] = Field(description="Of all actions.")


class Summary(BaseModel):
    name: str
    game: str | None
    ending: str = Field(description="training, finished, stopped, pruned or failed")
    silent_seconds: float = Field(description="Since the run last wrote something.")
    generation: int
    minutes: float | None
    progress: float | None = Field(description="Share of the budget, 0 to 1.")
    value_preserving: float | None = Field(description="The newest of the bare network: 1 minus its errors.")
    trouble: str = Field(default="", description="Why nothing more can be told of it; empty when all is well.")


class News(BaseModel):
    """A run as it stands, and its metrics from one generation on."""

    summary: Summary
    shape: Shape | None
    network: str
    seed: int | None
    simulations: int | None
    origin: dict[str, str] = Field(description="Where it comes from: command, commit, machine, best player, search.")
    generations: list[int]
    metrics: dict[str, list[float | None]] = Field(description="By name, a value for each of `generations`.")
    games_stamp: str = Field(description="Changes with the kept games.")
    mistakes_stamp: str


class Game(BaseModel):
    generation: int
    game_id: int
    actions: list[int]
    names: list[str]
    result: int = Field(description="For the first player: 1, 0, -1.")
    winning: list[tuple[int, int]] = Field(description="(row from the top, column)")
    opening: list[bool] = Field(description="By ply, whether the move was a random one to begin with.")
    sampled: list[bool] = Field(description="By ply, whether chance took another move than the search's best.")
    best: list[int] = Field(description="By ply, the search's best move; -1 where it did not search.")


class Mistake(BaseModel):
    """A position of known truth that the newest graded player got wrong."""

    generation: int
    moves: str
    board: list[list[int]]
    simulations: int
    played: int
    played_name: str
    truth: int = Field(description="The true result for the side to move: 1, 0, -1.")
    became: int | None = Field(description="What it is after the move; null where nobody knows.")
    value: float | None = Field(description="The player's own value of the position.")
    scores: list[int | None] = Field(
        description="Exact, by action: positive wins, the larger the sooner; null: unknown."
    )
    policy: list[float]


def watch(runs_folder: str | None, *, page: Path) -> APIRouter:
    """The page /watch and what it asks for."""
    router = APIRouter()
    runs = None if runs_folder is None else Runs(Path(runs_folder))

    def found(name: str) -> Run:
        if runs is None:
            raise HTTPException(404, "no runs are watched here: web.runs=FOLDER shows them")
        try:
            return runs.run(name)
        except NoSuchRunError as error:
            raise HTTPException(404, str(error)) from None

    @router.get("/watch", include_in_schema=False)
    def show() -> HTMLResponse:
        return HTMLResponse(as_typed_here(page.read_text(encoding="utf-8")))

    @router.get("/api/watch/runs")
    def list_runs() -> list[Summary]:
        """The runs that wrote last first."""
        return [] if runs is None else [_summary(run) for run in runs.all()[:MOST_RUNS]]

    @router.get("/api/watch/run")
    def news(name: Name, since: Annotated[int, Query(ge=0, le=1 << 31)] = 0) -> News:
        """Metrics of the generations from `since` on, and how the run stands."""
        return _news(found(name), since=since)

    @router.get("/api/watch/games")
    def games(name: Name) -> list[Game]:
        """The newest self-play games, newest first."""
        run = found(name)
        shape = _shape(run.setup.game)
        if shape is None or not is_small(run.folder.games):
            return []
        return [game for kept in reversed(read_games(run.folder)[-MOST_GAMES:]) for game in _game(kept, shape)]

    @router.get("/api/watch/mistakes")
    def mistakes(name: Name) -> list[Mistake]:
        """Of the newest grading, the gravest first."""
        run = found(name)
        shape = _shape(run.setup.game)
        if shape is None or not is_small(run.folder.mistakes):
            return []
        return [mistake for kept in read_mistakes(run.folder)[:MOST_GAMES] for mistake in _mistake(kept, shape)]

    return router


def _summary(run: Run) -> Summary:
    """Whatever a run is made of, it hides no other."""
    try:
        shape, glance = _shape(run.setup.game), run.glance
        return Summary(
            name=run.name,
            game=None if shape is None else shape.title,
            ending=run.ending,
            silent_seconds=seconds_since(run),
            **dataclasses.asdict(glance),
        )
    except ANYTHING as error:
        return Summary(
            name=run.name, game=None, ending="unreadable", silent_seconds=0.0, generation=0, minutes=None,
            progress=None, value_preserving=None, trouble=f"it cannot be read ({type(error).__name__})",
        )  # fmt: skip


def _news(run: Run, *, since: int) -> News:
    summary, setup = _summary(run), run.setup
    columns = None if summary.trouble else run.columns()
    generations = [] if columns is None else columns.generations
    first = next((row for row, step in enumerate(generations) if step >= since), len(generations))
    metrics = {} if columns is None else {name: list(values[first:]) for name, values in columns.metrics.items()}
    return News(
        summary=summary,
        shape=_shape(setup.game),
        network=setup.network,
        seed=setup.seed,
        simulations=setup.simulations,
        origin=run.origin() | {"search": setup.search},
        generations=generations[first:],
        metrics={
            name: [None if math.isnan(value) else value for value in values]
            for name, values in metrics.items()
            if not all(map(math.isnan, values))
        },
        games_stamp=stamp(run.folder.games),
        mistakes_stamp=stamp(run.folder.mistakes),
    )


def _shape(game: str) -> Shape | None:
    """Of the game that a run learns; None for one that this program does not know."""
    try:
        return Shape(**game_shown(game_spec(game).name))
    except UnknownGameError:
        return None


def _game(kept: dict[str, Any], shape: Shape) -> list[Game]:
    """None, or one: where its moves are no game there is none."""
    try:
        position, names = Position(shape.name), list[str]()
        for action in kept["actions"]:
            names.append(position.action_name(action))
            position = position.play(action)
        plies = range(len(names))
        flags, best = [int(kept["flags"][ply]) for ply in plies], [int(kept["best"][ply]) for ply in plies]
        sampled = [bool(flags[ply] & SAMPLED_MOVE) and best[ply] != position.actions[ply] for ply in plies]
    except (ValueError, TypeError, IndexError):
        return []
    return [
        Game(
            generation=kept["generation"],
            game_id=kept["game_id"],
            actions=position.actions,
            names=names,
            result=kept["result"],
            winning=position.winning_cells,
            opening=[bool(flag & OPENING_PLY) for flag in flags],
            sampled=sampled,
            best=best,
        )
    ]


def _mistake(kept: dict[str, Any], shape: Shape) -> list[Mistake]:
    """None, or one: where it is no position there is none."""
    try:
        position = Position(shape.name, kept["moves"])
        score = kept["scores"][kept["played"]]
        return [
            Mistake(
                generation=kept["generation"],
                moves=kept["moves"],
                board=position.board().tolist(),
                simulations=kept["simulations"],
                played=kept["played"],
                played_name=position.action_name(kept["played"]),
                truth=kept["truth"],
                became=None if score is None else (int(score) > 0) - (int(score) < 0),
                value=kept.get("value"),
                scores=kept["scores"],
                policy=kept.get("policy", []),
            )
        ]
    except (ValueError, TypeError, IndexError, KeyError):  # pydantic's errors are ValueErrors
        return []
