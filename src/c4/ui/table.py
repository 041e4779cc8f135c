"""A person's game at work: the session, the search that comments on it, the opponent, the truth. Knows no screen.

Calls that think block, so a screen makes them in a worker; they end soon after `cancelled` says so.
"""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable
from typing import Any

from c4.native._core import Position
from c4.params.knob import OutOfRangeError
from c4.params.play import LevelParams
from c4.params.search import SearchParams
from c4.players.oracle import NoOracleError, check_quick
from c4.players.player import Player
from c4.players.thinker import Thinker
from c4.ui.analysis import Analysis, analysis_of
from c4.ui.session import Session, SessionError
from c4.ui.truth import NobodyWaitsError, Truth

KNOBS: dict[str, tuple[str, ...]] = {  # word -> the knobs that it sets
    "temperature": ("temperature_start", "temperature_end"),
    "noise": ("noise_epsilon",),
    "mlh_slope": ("mlh_slope",),
    "mlh_cap": ("mlh_cap",),
    "cpuct": ("cpuct",),
    "fpu_reduction": ("fpu_reduction",),
}
LEVELS = ("simulations", "seconds", *KNOBS)


@dataclasses.dataclass(kw_only=True)
class Mind:
    """A search, and how long it thinks about a move."""

    thinker: Thinker
    level: LevelParams


class PlayTable:
    def __init__(
        self,
        *,
        session: Session,
        comments: Mind,
        opponent: Mind | Player | None,
        name: str,
        truth: Truth,
        tells_truth: bool,
    ) -> None:
        """`opponent` None: its moves come from the same search that comments.

        A player that plays by the truth asks the same `truth`.
        """
        self.session, self.name = session, name
        self._comments, self._opponent = comments, opponent
        self._set = opponent if isinstance(opponent, Mind) else comments  # whom the knobs of the level are about
        self._truth, self._tells_truth = truth, tells_truth
        self._thinking = threading.RLock()

    @property
    def level(self) -> LevelParams:
        return self._set.level

    @property
    def params(self) -> SearchParams:
        return self._set.thinker.params

    def analyse(
        self,
        position: Position,
        *,
        on_step: Callable[[Analysis], None] = lambda _: None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Analysis:
        """Thinks about a position for one move's budget."""
        with self._thinking:
            thinker = self._comments.thinker
            thinker.think(
                position,
                level=self._comments.level,
                on_step=lambda: on_step(analysis_of(thinker)),
                cancelled=cancelled,
            )
            return analysis_of(thinker)

    def reply(
        self,
        position: Position,
        *,
        on_step: Callable[[Analysis], None] = lambda _: None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> tuple[Analysis, int | None]:
        """The same, and the program's move; None when it was cancelled. Raises NoOracleError if the truth is lost."""
        with self._thinking:
            analysis = self.analyse(position, on_step=on_step, cancelled=cancelled)
            if cancelled():
                return analysis, None
            if self._opponent is None:
                return analysis, self._comments.thinker.choose(position)
            on_step(analysis)  # to be looked at while the opponent thinks
            if isinstance(self._opponent, Mind):
                self._opponent.thinker.think(position, level=self._opponent.level, cancelled=cancelled)
                return analysis, None if cancelled() else self._opponent.thinker.choose(position)
            try:
                with self._truth.until(cancelled):
                    return analysis, self._opponent.choose({0: position})[0]
            except NobodyWaitsError:
                return analysis, None

    def exact_scores(
        self, position: Position, *, cancelled: Callable[[], bool] = lambda: False
    ) -> list[int | None] | None:
        """For each action; None where nobody knows, or not at once."""
        if not self._tells_truth or position.is_terminal:
            return None
        try:
            check_quick(position)
            with self._truth.until(cancelled):
                return self._truth.scores(position.game, position.actions)
        except NoOracleError:
            return None

    def new_game(self) -> None:
        self.session.new_game()
        if self._opponent is not None and not isinstance(self._opponent, Mind):
            self._opponent.begin(1)

    def set_level(self, word: str, value: str) -> str:
        """Changes a knob while playing; returns what holds now. Raises SessionError with one sentence."""
        if word not in LEVELS:
            raise SessionError(f"'{word}' is no knob of the level; there are {', '.join(LEVELS)}")
        number = _number(value, word=word)
        try:
            if word == "simulations":
                simulations = _whole(number, word=word)
                self._set.level = dataclasses.replace(self.level, simulations=simulations, seconds=None)
            elif word == "seconds":
                self._set.level = dataclasses.replace(self.level, seconds=number or None)
            else:
                changes: dict[str, Any] = dict.fromkeys(KNOBS[word], number)
                self._set.thinker.set_params(dataclasses.replace(self.params, **changes))
        except OutOfRangeError as error:
            raise SessionError(f"{word}={value} is not allowed: {error.allowed}") from error
        return self.level_text()

    def level_text(self) -> str:
        """Whose it is, and what it is."""
        params, level = self.params, self.level
        plays = self._opponent is None or isinstance(self._opponent, Mind)
        who = self.name if plays else f"{self.name}; the search that comments"
        budget = f"{level.seconds:g} s" if level.seconds is not None else f"{level.simulations} simulations"
        knobs = {word: getattr(params, names[0]) for word, names in KNOBS.items()}
        told = [f"{word} {value:g}" for word, value in knobs.items() if value or word != "noise"]
        return f"{who}: {', '.join([budget, *told])}"


def _number(text: str, *, word: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise SessionError(f"{word} needs a number, not '{text}'") from None


def _whole(number: float, *, word: str) -> int:
    if not number.is_integer():
        raise SessionError(f"{word} needs a whole number, not {number:g}")
    return int(number)
