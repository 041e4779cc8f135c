"""Positions with the truth about every move, and what follows from it. The file format is one JSON object a line.

A score is for the side to move: positive wins, the larger the sooner, 0 draws; its size is
(cells + 2 - plies of the whole game) / 2 rounded down, so the winner's parity gives the exact length back.
"""

from __future__ import annotations

import dataclasses
import io
import json
import reprlib
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from c4.files import read_plain, unpacked
from c4.games import game_spec
from c4.native._core import Position
from c4.players.oracle import has_oracle

MOST = 2**26  # bytes of a file of positions, packed or not
NOT_LEGAL = np.iinfo(np.int16).min  # in place of the score of an action that cannot be played


class LabelError(ValueError):
    """A file of positions says something impossible: which line, which ply, why."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class LabelledSet:
    """n positions of one game and the exact score of each legal action; arrays are [n] or [n, actions]."""

    name: str
    game: str
    moves: tuple[tuple[int, ...], ...]  # actions from the empty board
    scores: NDArray[np.int16]  # [n, actions]

    def __len__(self) -> int:
        return len(self.moves)

    def take(self, rows: Sequence[int] | NDArray[np.intp]) -> LabelledSet:
        chosen = [int(row) for row in rows]
        return dataclasses.replace(self, moves=tuple(self.moves[row] for row in chosen), scores=self.scores[chosen])

    def told(self, row: int) -> list[int | None]:
        """The scores of a row for people; None where a move is not legal, and where nothing is known of it."""
        exact = has_oracle(self.game)  # where nobody knows the truth, wins by force are labelled and nothing else
        untold = {NOT_LEGAL} if exact else {NOT_LEGAL, 0}
        return [None if score in untold else score for score in self.scores[row].tolist()]

    def positions(self) -> list[Position]:
        return [Position.from_actions(self.game, moves) for moves in self.moves]

    @cached_property
    def cells(self) -> int:
        return game_spec(self.game).max_plies

    @cached_property
    def ply(self) -> NDArray[np.int64]:
        return np.array([len(moves) for moves in self.moves], dtype=np.int64)

    @cached_property
    def legal(self) -> NDArray[np.bool_]:
        return np.asarray(self.scores != NOT_LEGAL)

    @cached_property
    def best(self) -> NDArray[np.int16]:
        return np.asarray(self.scores.max(axis=1))

    @cached_property
    def value(self) -> NDArray[np.int64]:
        """The true result for the side to move: -1, 0, 1."""
        return np.sign(self.best).astype(np.int64)

    @cached_property
    def preserving(self) -> NDArray[np.bool_]:
        """Actions that keep the value."""
        return np.asarray(self.legal & (np.sign(self.scores) == np.sign(self.best)[:, None]))

    @cached_property
    def fastest(self) -> NDArray[np.bool_]:
        """Actions with the best score: the fastest win, the slowest loss."""
        return np.asarray(self.scores == self.best[:, None])

    @cached_property
    def decisive(self) -> NDArray[np.bool_]:
        """Whether some legal action gives the value away: elsewhere nobody can err."""
        return np.asarray((self.legal & ~self.preserving).any(axis=1))

    @cached_property
    def plies(self) -> NDArray[np.int64]:
        """Plies to the end after each action under perfect play, that action included; 0 where it is not legal."""
        size = np.abs(self.scores.astype(np.int64))
        last = self.cells + 2 - 2 * size  # or one less: the winner plays the last ply
        winner_moves_last = (last - self.ply[:, None]) % 2 == 1
        won = self.scores > 0
        length = np.where(self.scores == 0, self.cells, last - (winner_moves_last != won)) - self.ply[:, None]
        return np.where(self.legal, length, 0)

    @cached_property
    def moves_left(self) -> NDArray[np.int64]:
        """Plies to the end under perfect play."""
        return np.asarray(self.plies[np.arange(len(self)), self.fastest.argmax(axis=1)])

    def text(self, row: int) -> str:
        return Position.from_actions(self.game, self.moves[row]).text


def concatenate(sets: Sequence[LabelledSet], *, name: str) -> LabelledSet:
    scores = np.concatenate([labelled.scores for labelled in sets])
    moves = tuple(moves for labelled in sets for moves in labelled.moves)
    return LabelledSet(name=name, game=sets[0].game, moves=moves, scores=scores)


def from_scores(
    *, name: str, game: str, moves: Sequence[Sequence[int]], scores: Sequence[Sequence[int | None]]
) -> LabelledSet:
    table = np.array([[NOT_LEGAL if s is None else s for s in row] for row in scores], dtype=np.int16)
    table = table.reshape(len(moves), game_spec(game).actions)
    return LabelledSet(name=name, game=game, moves=tuple(tuple(one) for one in moves), scores=table)


def read_labelled(path: Path, *, game: str, name: str | None = None) -> LabelledSet:
    """A file of positions (.jsonl or .jsonl.gz). Each line is checked against the rules and against itself."""
    try:
        data = read_plain(path, most=MOST)
        text = (unpacked(data, most=MOST) if path.suffix == ".gz" else data).decode("utf-8")
    except FileNotFoundError:
        raise LabelError(f"{path}: there is no such file") from None
    except OSError as error:
        raise LabelError(f"{path}: not a readable file of positions ({error.strerror or error})") from None
    except UnicodeDecodeError as error:
        raise LabelError(f"{path}: not a readable file of positions ({error})") from None
    return parse_labelled(io.StringIO(text), game=game, name=name or path.name.split(".")[0], source=str(path))


def parse_labelled(lines: Iterable[str], *, game: str, name: str, source: str) -> LabelledSet:
    moves, scores = [], []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            position, row = _parse_line(line, game=game)
        except ValueError as error:
            raise LabelError(f"{source}, line {number}: {error}") from None
        moves.append(position.actions)
        scores.append(row)
    if not moves:
        raise LabelError(f"{source}: no positions in it")
    return from_scores(name=name, game=game, moves=moves, scores=scores)


def _parse_line(line: str, *, game: str) -> tuple[Position, list[int | None]]:
    try:
        entry = json.loads(line)
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON, at column {error.colno}: {error.msg.removesuffix(' starting at')}") from None
    except RecursionError:
        raise ValueError("not a position: nested too deeply") from None
    if not isinstance(entry, dict) or not isinstance(entry.get("moves"), str):
        raise ValueError('expected an object with "moves" (text) and "scores" (a list)')
    if entry.get("game", game) != game:
        raise ValueError(f"a position of {str(entry['game'])[:40]}, but the game is {game}")
    position = Position(game, entry["moves"])
    if position.is_terminal:
        raise ValueError(f"the game is over after ply {position.ply}: nothing is left to judge")
    return position, _check_scores(entry, position)


def _check_scores(entry: dict[str, Any], position: Position) -> list[int | None]:
    scores = entry.get("scores")
    info = game_spec(position.game)
    if not isinstance(scores, list) or len(scores) != info.actions:
        count = len(scores) if isinstance(scores, list) else "no"
        raise ValueError(f"{count} scores, but {position.game} has {info.actions} actions")
    legal = set(position.legal)
    longest = info.max_plies // 2 + 1
    for action, score in enumerate(scores):
        if (score is None) != (action not in legal):
            said = "has no score although it is legal" if score is None else "has a score although it cannot be played"
            raise ValueError(f"ply {position.ply + 1}: action {action + 1} {said}")
        if score is not None and (type(score) is not int or abs(score) > longest):
            raise ValueError(
                f"action {action + 1}: score {reprlib.repr(score)} is no whole number from -{longest} to {longest}"
            )
    best = max(score for score in scores if score is not None)
    if entry.get("best", best) != best:
        raise ValueError(f"best is {reprlib.repr(entry['best'])}, but the best of the scores is {best}")
    return scores


def to_lines(labelled: LabelledSet) -> list[str]:
    """The set in its own format, moves and scores only."""
    rows = zip(labelled.moves, labelled.scores.tolist(), strict=True)
    return [
        json.dumps(
            {
                "moves": Position.from_actions(labelled.game, moves).text,
                "scores": [None if score == NOT_LEGAL else score for score in scores],
            },
            separators=(",", ":"),
        )
        for moves, scores in rows
    ]
