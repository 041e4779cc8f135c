"""Positions whose truth people know by heart: what a search makes of them says whether it works at all."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from c4.evaluation.sets import labelled_set, set_names
from c4.native._core import Position
from c4.players.moves import MoveNumbers
from c4.players.oracle import NoOracleError, has_oracle, oracle

KNOWN = {
    "connect4": (
        ("", "the empty board: only the middle wins"),
        ("112233", "a win at once"),
        ("11223", "a threat that must be met"),
        ("4151", "two in a row with room on both sides: a forced win"),
        ("415", "the same, by who must prevent it"),
        ("4453", "an opening that is lost, however it is played"),
        ("4344", "a single move holds the draw"),
        ("3441", "a single move wins"),
    ),
}
OF_A_SET = 6  # positions, of a game without known ones


@dataclasses.dataclass(frozen=True, kw_only=True)
class Known:
    position: Position
    about: str
    scores: tuple[int | None, ...] | None  # of each action, exact; None where nobody knows, for one or for all


@dataclasses.dataclass(frozen=True, kw_only=True)
class Checked:
    """A known position, and what a search made of it."""

    known: Known
    simulations: int
    value: float  # for the side to move
    plies_left: float
    played: int
    moves: tuple[MoveNumbers, ...]

    @cached_property
    def keeps(self) -> bool | None:
        """Whether what is played keeps the value; None where nobody knows."""
        known = self._known
        if known is None:
            return None
        return self.played in known and _sign(known[self.played]) == _sign(max(known.values()))

    @cached_property
    def is_best(self) -> bool | None:
        """Whether nothing wins sooner or loses later."""
        known = self._known
        return None if known is None else known.get(self.played) == max(known.values())

    @property
    def _known(self) -> dict[int, int] | None:
        if self.known.scores is None:
            return None
        return {action: score for action, score in enumerate(self.known.scores) if score is not None}

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "position": self.known.position.text,
            "about": self.known.about,
            "simulations": self.simulations,
            "value": self.value,
            "plies_left": self.plies_left,
            "played": self.played,
            "keeps_the_value": self.keeps,
            "is_best": self.is_best,
            "moves": [dataclasses.asdict(move) for move in self.moves],
            "scores": self.known.scores,
        }


def known_positions(game: str) -> list[Known]:
    """Of a game without any: decisive ones of its labelled set, from the whole course of games. None of others."""
    if game in KNOWN:
        return [_asked(Position(game, text), about=about) for text, about in KNOWN[game]]
    names = set_names(game)
    if not names:
        return []
    labels = labelled_set(names[0], game=game)
    decisive = np.flatnonzero((labels.preserving.sum(axis=1) < labels.legal.sum(axis=1)) & (labels.ply > 0))
    by_ply = decisive[np.argsort(labels.ply[decisive], kind="stable")]
    chosen = by_ply[np.linspace(0, len(by_ply) - 1, min(OF_A_SET, len(by_ply))).astype(int)]
    return [
        Known(
            position=position,
            about=f"from the set {labels.name}, after {position.ply} plies",
            scores=tuple(labels.told(int(row))),
        )
        for position, row in zip(labels.take(chosen).positions(), chosen, strict=True)
    ]


def asked_for(position: Position) -> Known:
    """The one that a person has typed."""
    return _asked(position, about="")


def _asked(position: Position, *, about: str) -> Known:
    scores: Sequence[int | None] | None = None
    if has_oracle(position.game) and not position.is_terminal:
        try:
            scores = oracle(position.game).scores(position.actions)
        except NoOracleError:
            scores = None  # too hard for who knows the game
    return Known(position=position, about=about, scores=None if scores is None else tuple(scores))


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)
