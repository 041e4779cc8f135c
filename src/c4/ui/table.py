"""A person's game at work: the session, the search that comments on it, the opponent, the truth. Knows no screen.

Calls that think block, so a screen makes them in a worker; they end soon after `cancelled` says so.
"""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable
from pathlib import Path

from c4.native._core import Position
from c4.params.play import LevelParams
from c4.params.search import SearchParams
from c4.players.oracle import ForcedWin, NoOracleError, check_oracle, check_quick, forced_win, has_forced_wins
from c4.players.player import Player, chosen
from c4.players.thinker import Thinker
from c4.printed import printable
from c4.ui import knobs
from c4.ui.analysis import Analysis, analysis_of
from c4.ui.drawing import drawn, write_drawn
from c4.ui.review import MoveVerdict, by_search, by_solver
from c4.ui.session import Session, SessionError
from c4.ui.truth import NobodyWaitsError, Truth


@dataclasses.dataclass(kw_only=True)
class Mind:
    """A search, and how long it thinks about a move."""

    thinker: Thinker
    level: LevelParams


@dataclasses.dataclass(frozen=True, kw_only=True)
class Reviewed:
    """A position of the game, and what the move that led there gave away."""

    ply: int
    position: Position
    analysis: Analysis
    verdict: MoveVerdict | None  # None before the first move


class PlayTable:
    def __init__(
        self,
        *,
        session: Session,
        comments: Mind,
        opponent: Mind | Player | None,
        name: str,
        judge: str,
        truth: Truth,
        may_tell: bool,
    ) -> None:
        """`opponent` None: its moves come from the same search that comments. `judge`: whose judgement that search
        follows. `may_tell`: whether exact scores are told when they are asked for.

        A player that plays by the truth asks the same `truth`.
        """
        self.session, self.name = session, printable(name)
        self._comments, self._opponent = comments, opponent
        self._set = opponent if isinstance(opponent, Mind) else comments  # whom the knobs of the level are about
        self._judge, self._truth, self._may_tell = printable(judge), truth, may_tell
        self.tells_truth = False
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
                    return analysis, chosen(self._opponent, position)
            except NobodyWaitsError:
                return analysis, None

    def draw_tree(self, position: Position, *, cancelled: Callable[[], bool] = lambda: False) -> str:
        """Writes what the commenting search has grown there, or grows now, into a file; says where, or why not."""
        with self._thinking:
            thinker = self._comments.thinker
            if thinker.position().text != position.text or not thinker.root().visits:
                self.analyse(position, cancelled=cancelled)
            if cancelled():
                return ""
            svg, about = thinker.held(drawn)
        try:
            return f"the search tree is in {write_drawn(svg, position=about, folder=Path.cwd())}"
        except OSError as error:
            return f"the search tree cannot be written to {Path.cwd()}: {error.strerror}"

    def exact_scores(
        self, position: Position, *, cancelled: Callable[[], bool] = lambda: False
    ) -> list[int | None] | None:
        """For each action; None where nobody knows, or not at once."""
        if not self.tells_truth or position.is_terminal:
            return None
        return self._scores(position, cancelled=cancelled)

    def forced_win(self, position: Position) -> ForcedWin | None:
        """Of the side to move, where the truth is told and a win by force is seen."""
        return forced_win(position) if self.tells_truth else None

    def review(
        self,
        *,
        simulations: int,
        on_step: Callable[[Reviewed], None],
        cancelled: Callable[[], bool] = lambda: False,
    ) -> None:
        """Judges the whole line ply by ply: by the truth where it may be told and is known at once, else by search."""
        before: tuple[Position, Analysis] | None = None
        level = LevelParams(simulations=simulations, seconds=None)
        for ply, position in enumerate(self.session.line):
            with self._thinking:
                thinker = self._comments.thinker
                thinker.think(position, level=level, cancelled=cancelled)
                analysis = analysis_of(thinker)
            if cancelled():
                return
            verdict = None
            if before is not None:
                verdict = self._verdict(*before, played=position.actions[-1], after=analysis, cancelled=cancelled)
            on_step(Reviewed(ply=ply, position=position, analysis=analysis, verdict=verdict))
            before = (position, analysis)

    def _verdict(
        self,
        position: Position,
        analysis: Analysis,
        *,
        played: int,
        after: Analysis,
        cancelled: Callable[[], bool],
    ) -> MoveVerdict:
        scores = self._scores(position, cancelled=cancelled) if self._may_tell else None
        if scores is None:
            return by_search(analysis, played=played, after=after)
        return by_solver(scores, played=played, names=[position.action_name(each) for each in range(len(scores))])

    def _scores(self, position: Position, *, cancelled: Callable[[], bool]) -> list[int | None] | None:
        try:
            check_oracle(position.game)
            check_quick(position)
            with self._truth.until(cancelled):
                return self._truth.scores(position.game, position.actions)
        except NoOracleError:
            return None

    def new_game(self) -> None:
        self.session.new_game()
        if self._opponent is not None and not isinstance(self._opponent, Mind):
            self._opponent.begin(1)

    def begin_at(self, position: Position) -> None:
        """A game that begins there, against the same opponent."""
        self.session = Session(start=position, seat=self.session.seat)
        self.new_game()

    def tell_truth(self, tells: bool) -> str:
        """From now on, or no longer; raises SessionError with the reason where it cannot be told."""
        if tells:
            if not self._may_tell:
                raise SessionError("this game was started with truth=false: no exact scores")
            try:
                check_oracle(self.session.game)
            except NoOracleError as error:
                if has_forced_wins(self.session.game):
                    self.tells_truth = True
                    return "forced wins are shown; exact scores are not known for this board"
                raise SessionError(str(error)) from error
        self.tells_truth = tells
        return "exact scores are shown" if tells else "exact scores are hidden"

    def set_knob(self, name: str, text: str) -> str:
        """Changes a knob while playing; says what holds now. Raises SessionError with one sentence."""
        if name in knobs.LEVEL:
            level = knobs.changed_level(self.level, name=name, text=text)
            told = knobs.confirmation(self.level, level, name=name)
            self._set.level = level
        else:
            params = knobs.changed_search(self.params, name=name, text=text)
            told = knobs.confirmation(self.params, params, name=name)
            self._set.thinker.set_params(params)
        return told if self._plays else f"{told}, for the search that comments: {self.name} has no such knob"

    @property
    def commentator(self) -> str:
        """Who judges beside the board."""
        return self._judge

    @property
    def _plays(self) -> bool:
        """Whether the knobs are the opponent's own."""
        return self._opponent is None or isinstance(self._opponent, Mind)

    def level_text(self, *, most: int | None = None) -> str:
        """Whose it is, and what it is; the knobs of the search where there is room, in `most` characters."""
        who = self.name if self._plays else f"{self.name}; the search that comments"
        level = f"{who}: {knobs.level_words(self.level, self.params)}"
        whole = f"{level}, {knobs.search_words(self.params)}"
        return whole if most is None or len(whole) <= most else level
