"""What up to two judges think of the position on one visitor's board, and the trees that they grow."""

from __future__ import annotations

import asyncio

from c4.native._core import Position
from c4.ui.analysis import Analysis
from c4.ui.drawing import drawn
from c4.ui.session import SessionError
from c4.ui.web import messages as asked
from c4.ui.web.house import ROLLOUTS, House
from c4.ui.web.search import Budget, SharedSearch, analysis_by
from c4.ui.web.show import Plain, analysis_shown, node_shown
from c4.ui.web.tasks import Send

MADE_ROOM = "this tree has made room for those of other visitors: analyse again"


class Thoughts:
    def __init__(self, house: House, *, send: Send) -> None:
        self._house, self._send = house, send
        self._trees: list[tuple[str, SharedSearch]] = []  # with the name of who judges

    def forget(self) -> None:
        """All trees: another game has come."""
        self._trees = []

    def check(self, message: asked.Analyse, *, game: str) -> None:
        """Raises SessionError for what cannot be had."""
        most = self._house.config.web.most_simulations
        if message.visits is not None and message.visits > most:
            raise SessionError(f"visits={message.visits} is not allowed: at most {most}, or null until it is stopped")
        for judge in message.judges:
            if judge != ROLLOUTS and self._house.network(judge, game=game) is None:
                raise SessionError(f"no network is called '{judge}' and plays {game}")

    async def think(self, position: Position, message: asked.Analyse) -> None:
        """Sends what each judge thinks as it grows. Trees of the same judges grow on."""
        judges, budget = message.judges, Budget(visits=message.visits)
        if [judge for judge, _ in self._trees] != judges:
            self._trees = [(name, analysis_by(self._house, name)) for name in judges]

        async def one(side: int, judge: str, search: SharedSearch) -> None:
            async def on_step(analysis: Analysis) -> None:
                await tell(analysis, done=False)

            async def tell(analysis: Analysis, *, done: bool) -> None:
                told: Plain = {"type": "thought", "id": message.id, "side": side, "judge": judge, "done": done}
                ends: Plain = {"full": done and search.full, "crowded": done and search.crowded}
                await self._send(told | ends | analysis_shown(analysis))

            await tell(await search.think(position, budget=budget, on_step=on_step), done=True)

        await asyncio.gather(*(one(side, *each) for side, each in enumerate(self._trees)))

    async def picture(self, side: int) -> Plain:
        """An SVG file. Raises SessionError while there is nothing to draw."""
        thinker = self._trees[side][1].thinker if side < len(self._trees) else None
        if thinker is None or not thinker.root().visits:
            raise SessionError("there is no analysis to draw yet: switch on the live search")
        svg, position = await self._house.search(thinker.held, drawn)
        return {"type": "picture", "side": side, "text": position.text, "svg": svg}

    def node(self, message: asked.ShowNode) -> Plain:
        answer: Plain = {"type": "node", "id": message.id, "side": message.side, "path": message.path}
        search = self._trees[message.side][1] if message.side < len(self._trees) else None
        if search is None or (thinker := search.thinker) is None:
            dropped = search is not None and search.dropped
            return answer | {"missing": MADE_ROOM if dropped else "there is no analysis yet"}
        try:
            position = thinker.position()
            node = thinker.node(message.path)
            for action in message.path:
                position = position.play(action)
        except (KeyError, ValueError):
            return answer | {"missing": "the tree no longer has this node"}
        return answer | node_shown(node, position=position)
