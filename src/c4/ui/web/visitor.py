"""One visitor: a game, an opponent, analyses, the truth. Knows its own connection only, by what it sends.

Messages are obeyed one after the other; whatever thinks does so in a task of its own, and what it finds out about a
position that is no longer on the board is dropped.
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable
from typing import Any

from c4.games import UnknownGameError, game_spec
from c4.native._core import Position
from c4.params.play import Seat
from c4.players.oracle import NoOracleError
from c4.players.words import NETWORK
from c4.ui.arrangement import arranged
from c4.ui.record import Note, read_record, to_text
from c4.ui.session import Session, SessionError
from c4.ui.web import messages as asked
from c4.ui.web.critic import Critic
from c4.ui.web.house import ROLLOUTS, House
from c4.ui.web.messages import Side
from c4.ui.web.rival import LevelAsked, Rival
from c4.ui.web.show import game_shown, session_shown
from c4.ui.web.tasks import Send, Tasks
from c4.ui.web.thoughts import Thoughts

WITHOUT_NETWORK = "rollout"  # whom a visitor meets in a game that no network plays

SEATS = {Side.FIRST: Seat.FIRST, Side.SECOND: Seat.SECOND, Side.BOTH: Seat.NONE, Side.WATCH: Seat.NONE}
SIDES = {Seat.FIRST: Side.FIRST, Seat.SECOND: Side.SECOND, Seat.NONE: Side.WATCH}


class Visitor:
    def __init__(self, house: House, *, send: Send) -> None:
        self._house, self._send = house, send
        config = house.config
        self._side = SIDES[config.me]
        self._session = Session(start=house.start, seat=config.me)
        self._rival = Rival(house, game=house.game, level=self._first_level(house.game))
        self._looked_at = ("", "")  # game and text of what an analysis and the truth are about
        self._holds = False  # somebody looked back: the program waits for `go` or a move
        self._thoughts = Thoughts(house, send=send)
        self._critic: Critic | None = None
        self.tasks = Tasks(send)

    async def welcome(self) -> None:
        """What a page must know before anything else, and the game as it begins."""
        house = self._house
        games = [
            game_shown(name)
            | {
                "judges": [each.name for each in house.networks if each.game == name] + [ROLLOUTS],
                "no_truth": house.why_no_truth(name),
                "forced_wins": house.tells_forced_wins(name),
                "opponents": [dataclasses.asdict(one) for one in house.opponents_of(name)],
            }
            for name in house.games
        ]
        web = house.config.web
        limits = {
            "simulations": web.most_simulations,
            "seconds": web.most_seconds,
            "bytes": web.message_bytes,
            "tree_megabytes": web.tree_megabytes,
        }
        await self._send({"type": "hello", "games": games, "limits": limits, "first": self._rival.shown()})
        await self._moved()

    async def obey(self, text: str) -> None:
        """Does what a message says; a bad one is answered by a sentence and changes nothing."""
        most = self._house.config.web.message_bytes
        about: str | None = None  # the word that could not be obeyed, where one was read
        try:
            if len(text.encode(errors="replace")) > most:
                raise SessionError(f"a message has at most {most} bytes")
            message = asked.read(text)
            about = message.type
            await OBEYED[type(message)](self, message)
        except (SessionError, NoOracleError) as error:
            await self._send({"type": "error", "sentence": str(error), "about": about})

    async def leave(self) -> None:
        """Ends all that thinks for this visitor. Nothing here refers to itself: the trees go with who left."""
        await self.tasks.stop_all()

    # ---- the course of the game

    async def _load(self, message: asked.Load) -> None:
        end = self._position(message.position, game=message.game)
        await self._begin(end, side=message.side, ply=message.ply, resigned=message.resigned)

    async def _import(self, message: asked.Import) -> None:
        record = read_record(message.text, game=self._session.game)
        await self._begin(record.end, side=Side.BOTH, ply=None)
        notes = [dataclasses.asdict(note) for note in record.notes]
        variations = [{"line": end.actions, "line_text": end.text} for end in record.variations]
        await self._send({"type": "imported", "text": record.end.text, "notes": notes, "variations": variations})

    async def _export(self, message: asked.Export) -> None:
        session = self._session
        if message.line is not None:
            end = self._position(message.line, game=session.game)
            session = Session(start=end, seat=session.seat, resigned=message.resigned)
        variations = [self._position(line, game=session.game) for line in message.variations]
        notes = [Note(**note.model_dump()) for note in message.notes]
        text = to_text(session, **self._names(), notes=notes, variations=variations)
        await self._send({"type": "export", "text": text})

    async def _arrange(self, message: asked.Arrange) -> None:
        """Answers with a game that leads there, or says why there is none."""
        game, told = self._position("", game=message.game).game, {"type": "arranged", "rows": message.rows}
        try:
            position = await self._house.search(arranged, game, message.rows)
        except SessionError as error:
            await self._send(told | {"text": None, "sentence": str(error)})
        else:
            await self._send(told | {"text": position.text, "sentence": None})

    def _position(self, text: str, *, game: str) -> Position:
        try:
            return Position(game_spec(game).name, text)
        except (UnknownGameError, ValueError) as error:
            raise SessionError(str(error)) from error

    async def _begin(self, end: Position, *, side: Side, ply: int | None, resigned: int | None = None) -> None:
        if ply is not None and ply > end.ply:
            raise SessionError(f"there is no ply {ply}: the position has {end.ply}")
        if end.game != self._session.game:
            await self.leave()
            self._thoughts.forget()
            self._critic = None
            self._rival = Rival(self._house, game=end.game, level=self._first_level(end.game))
        await self.tasks.stop("review")
        self._session = Session(start=end, seat=SEATS[side], resigned=resigned)
        self._side, self._holds = side, ply is not None and ply < end.ply
        if ply is not None:
            self._session.go_to(ply)
        self._rival.new_game()
        await self._moved()

    async def _play(self, message: asked.Play) -> None:
        session = self._session
        if session.programs_turn and not (self._side is Side.BOTH or self._holds):
            raise SessionError("it is not your turn")
        session.play(message.action)
        self._holds = self._side is Side.WATCH and self._holds
        await self._moved()

    async def _follow(self, message: asked.Follow) -> None:
        """All of the line or nothing."""
        position = self._session.position
        try:
            for action in message.actions:
                position = position.play(action)
        except ValueError as error:
            raise SessionError(f"this line cannot be played here: {error}") from error
        for action in message.actions:
            self._session.play(action)
        self._holds = True
        await self._moved()

    async def _go_to(self, message: asked.GoTo) -> None:
        self._session.go_to(message.ply)
        self._holds = True
        await self._moved()

    async def _take_side(self, message: asked.TakeSide) -> None:
        self._seat(message.side)
        await self._moved()

    def _seat(self, side: Side) -> None:
        self._session.take_seat(SEATS[side])
        self._side, self._holds = side, False

    async def _simple(self, message: asked.Simple) -> None:
        session, word = self._session, message.type
        if word == "ping":
            await self._send({"type": "pong"})
        elif word == "truth":
            self.tasks.start("truth", self._tell_truth(session.position))
        elif word == "stop":
            await self.tasks.stop("analysis")
            await self._send({"type": "stopped"})
        else:
            if word == "new":
                await self.tasks.stop("review")
                self._session = Session(start=Position(session.game), seat=session.seat)
                self._rival.new_game()
            elif word == "go":
                if session.over:
                    raise SessionError("the game is over")
                if self._side is Side.BOTH:
                    self._seat((Side.SECOND, Side.FIRST)[session.to_move])
            else:
                {"undo": session.undo, "redo": session.redo, "resign": session.resign}[word]()
            self._holds = self._side is Side.WATCH and word in {"undo", "redo"}
            await self._moved()

    def _names(self) -> dict[str, str]:
        person = {Side.FIRST: (0,), Side.SECOND: (1,), Side.BOTH: (0, 1), Side.WATCH: ()}[self._side]
        first, second = ("you" if each in person else self._rival.name for each in (0, 1))
        return {"first": first, "second": second}

    async def _moved(self) -> None:
        """After anything that changed the board or whose turn it is."""
        await self.tasks.stop("reply")
        await self._turn_to_the_board()
        await self._tell_game()
        if self._replies():
            self.tasks.start("reply", self._reply())

    async def _turn_to_the_board(self) -> None:
        """Ends what thinks about a position that has left it."""
        position = self._session.position
        if self._looked_at != (position.game, position.text):
            self._looked_at = (position.game, position.text)
            await self.tasks.stop("analysis")
            await self.tasks.stop("truth")

    def _replies(self) -> bool:
        return self._session.programs_turn and self._side is not Side.BOTH and not self._holds

    async def _tell_game(self) -> None:
        session = self._session
        told = {
            "type": "game",
            "side": self._side.value,
            "yours": not session.over and (session.persons_turn or self._side is Side.BOTH or self._holds),
            "holds": self._holds and session.programs_turn and self._side is not Side.BOTH,
            "thinks": self._replies(),
            "opponent": self._rival.shown(),
        }
        await self._send(session_shown(session) | told)

    async def _reply(self) -> None:
        try:
            while self._replies():
                position = self._session.position
                if self._side is Side.WATCH:
                    await asyncio.sleep(self._house.config.web.pause_seconds)
                action = await self._rival.choose(position)
                self._session.play(action)
                await self._turn_to_the_board()
                await self._tell_game()
        except Exception:
            self._holds = True  # until it is told to try again
            await self._tell_game()
            raise

    async def _level(self, message: asked.Level) -> None:
        await self.tasks.stop("reply")
        level = LevelAsked.model_validate(message.model_dump(exclude={"type"}))
        try:
            await self._rival.set_level(level)
        finally:
            await self._moved()

    def _first_level(self, game: str) -> LevelAsked:
        config = self._house.config
        networks = [each.name for each in self._house.networks if each.game == game]
        search = self._house.search_of(networks[0] if networks else ROLLOUTS)
        opponents, web = self._house.opponents, config.web
        kind = opponents.first
        if opponents.asks_truth(kind) and self._house.why_no_truth(game) is not None:
            kind = NETWORK
        if kind == NETWORK and not networks:
            kind = WITHOUT_NETWORK
        return LevelAsked(
            opponent=kind,
            network=networks[0] if networks else None,
            simulations=min(opponents.simulations, web.most_simulations),
            seconds=None if config.seconds is None else min(config.seconds, web.most_seconds),
            temperature=search.temperature_start,
            mlh_slope=search.mlh_slope,
            noise=search.noise_epsilon,
        )

    # ---- what it thinks, what is true

    async def _analyse(self, message: asked.Analyse) -> None:
        session = self._session
        self._thoughts.check(message, game=session.game)
        await self.tasks.stop("analysis")
        self.tasks.start("analysis", self._thoughts.think(session.position, message))

    async def _node(self, message: asked.ShowNode) -> None:
        await self._send(self._thoughts.node(message))

    async def _draw(self, message: asked.DrawTree) -> None:
        async def drawn() -> None:
            await self._send(await self._thoughts.picture(message.side))

        self.tasks.start("picture", drawn())

    async def _tell_truth(self, position: Position) -> None:
        scores, sentence = None, None
        forced = await self._house.forced_win(position)
        try:
            scores = await self._house.scores(position)
        except NoOracleError as error:
            seen = self._house.tells_forced_wins(position.game) and forced is None
            sentence = f"no win by force is seen, and {error}" if seen else str(error)
        told = {
            "scores": scores,
            "sentence": sentence,
            "forced": None if forced is None else dataclasses.asdict(forced),
        }
        await self._send({"type": "truth", "text": position.text, "game": position.game} | told)

    async def _review(self, _: asked.Review) -> None:
        self.tasks.start("review", self._judge(self._session.line[-1]))

    async def _judge(self, end: Position) -> None:
        async for told in self._critic_of(end.game).judge(end):
            await self._send({"type": "reviewed"} | told)
        await self._send({"type": "review_done", "text": end.text})

    async def _try(self, message: asked.Try) -> None:
        position = self._session.position
        if self._session.over or message.action not in position.legal:
            raise SessionError("this move cannot be played here")
        self.tasks.start("review", self._judge_one(position, action=message.action))

    async def _judge_one(self, position: Position, *, action: int) -> None:
        verdict = await self._critic_of(position.game).answer(position, action=action)
        told = {"type": "tried", "text": position.text, "action": action}
        await self._send(told | {"verdict": dataclasses.asdict(verdict)})

    def _critic_of(self, game: str) -> Critic:
        if self._critic is None or self._critic.game != game:
            self._critic = Critic(self._house, game=game)
        return self._critic


OBEYED: dict[type, Callable[[Visitor, Any], Awaitable[None]]] = {
    asked.Load: Visitor._load,
    asked.Import: Visitor._import,
    asked.Export: Visitor._export,
    asked.Arrange: Visitor._arrange,
    asked.Play: Visitor._play,
    asked.Follow: Visitor._follow,
    asked.Try: Visitor._try,
    asked.GoTo: Visitor._go_to,
    asked.TakeSide: Visitor._take_side,
    asked.Simple: Visitor._simple,
    asked.Level: Visitor._level,
    asked.Analyse: Visitor._analyse,
    asked.ShowNode: Visitor._node,
    asked.DrawTree: Visitor._draw,
    asked.Review: Visitor._review,
}
