"""Reviews a game for one visitor: a short search and, where it is known, the truth, of every position. Remembers."""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator

from c4.games import game_spec
from c4.native._core import Position
from c4.players.oracle import NoOracleError
from c4.ui.analysis import Analysis
from c4.ui.review import MoveVerdict, by_search, by_solver
from c4.ui.web.house import ROLLOUTS, House
from c4.ui.web.search import Budget, analysis_by
from c4.ui.web.show import Plain


class Critic:
    def __init__(self, house: House, *, game: str) -> None:
        self.game = game
        networks = [each.name for each in house.networks if each.game == game]
        self._house = house
        self._search = analysis_by(house, networks[0] if networks else ROLLOUTS)
        self._known: dict[str, Analysis] = {}
        self._scores: dict[str, list[int | None] | None] = {}

    async def judge(self, end: Position) -> AsyncIterator[Plain]:
        """Ply by ply: the value there, and what the move that led there gave away."""
        names = [end.action_name(action) for action in range(game_spec(end.game).actions)]
        self._forget(end)
        at, before = Position(end.game), None
        for ply in range(end.ply + 1):
            analysis = await self._analysis(at)
            verdict: MoveVerdict | None = None
            if before is not None:
                verdict = await self._verdict(before, played=end.actions[ply - 1], after=analysis, names=names)
            yield {
                "ply": ply,
                "text": at.text,
                "value_of_first": analysis.value_of_first,
                "plies_left": analysis.plies_left,
                "visits": analysis.visits,
                "verdict": None if verdict is None else dataclasses.asdict(verdict),
            }
            before = (at, analysis)
            if ply < end.ply:
                at = at.play(end.actions[ply])

    async def answer(self, position: Position, *, action: int) -> MoveVerdict:
        """What a move would give away. Raises ValueError when it is not legal."""
        names = [position.action_name(each) for each in range(game_spec(position.game).actions)]
        after = await self._analysis(position.play(action))
        before = (position, await self._analysis(position))
        return await self._verdict(before, played=action, after=after, names=names)

    def _forget(self, end: Position) -> None:
        """What is not of this game."""
        line = {Position.from_actions(end.game, end.actions[:ply]).text for ply in range(end.ply + 1)}
        self._known = {text: known for text, known in self._known.items() if text in line}
        self._scores = {text: known for text, known in self._scores.items() if text in line}

    async def _analysis(self, position: Position) -> Analysis:
        if position.text not in self._known:
            budget = Budget(visits=self._house.config.web.review_simulations)
            self._known[position.text] = await self._search.think(position, budget=budget)
        return self._known[position.text]

    async def _verdict(
        self, before: tuple[Position, Analysis], *, played: int, after: Analysis, names: list[str]
    ) -> MoveVerdict:
        """The truth's where it is known."""
        position, analysis = before
        if position.text not in self._scores:
            self._scores[position.text] = await self._truth(position)
        scores = self._scores[position.text]
        if scores is not None:
            return by_solver(scores, played=played, names=names)
        return by_search(analysis, played=played, after=after)

    async def _truth(self, position: Position) -> list[int | None] | None:
        try:
            return await self._house.scores(position)
        except NoOracleError:
            return None
