"""The board on a terminal with everything around it: keys, mouse, prompt, and a search in a worker beside the screen.

What a worker finds out comes back as a message with the number of the question; an answer to an old one is dropped.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import ClassVar

from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Footer, Input, Static

from c4.native._core import Position
from c4.params.play import Seat
from c4.players.oracle import NoOracleError
from c4.ui.analysis import Analysis
from c4.ui.board import BoardView
from c4.ui.commands import Effect, obey
from c4.ui.numbers import EvaluationBar, Numbers
from c4.ui.session import NAMES, SessionError
from c4.ui.table import LEVELS, PlayTable
from c4.ui.words import STONES, has_columns, outcome_text

REDRAW = 0.1  # seconds between two looks at a running search
PAUSE = 0.7  # seconds between moves that a spectator sees
TEMPERATURES = (0.0, 0.5, 1.0)
SLOPES = (0.0, 0.01, 0.02, 0.03, 0.05, 0.1)


class Thought(Message):
    def __init__(self, *, question: int, analysis: Analysis, done: bool, action: int | None = None) -> None:
        super().__init__()
        self.question, self.analysis, self.done, self.action = question, analysis, done, action


class TruthTold(Message):
    def __init__(self, *, question: int, scores: Sequence[int | None] | None) -> None:
        super().__init__()
        self.question, self.scores = question, scores


class Trouble(Message):
    def __init__(self, *, question: int, sentence: str) -> None:
        super().__init__()
        self.question, self.sentence = question, sentence


class PlayApp(App[None]):
    TITLE = "c4"
    AUTO_FOCUS = None
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #main { height: 1fr; }
    #side { width: 1fr; }
    #status { text-style: bold; height: auto; }
    #level, #message { height: auto; color: $text-muted; }
    #message { color: $warning; }
    Input { dock: bottom; display: none; height: 1; border: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(str(digit), f"column({digit})", show=False) for digit in range(1, 10)),
        Binding("left", "cursor(0,-1)", show=False),
        Binding("right", "cursor(0,1)", show=False),
        Binding("up", "cursor(-1,0)", show=False),
        Binding("down", "cursor(1,0)", show=False),
        Binding("enter,space", "play", "play", show=False),
        Binding("q,ctrl+c", "quit", "quit", key_display="q", priority=False),
        Binding("u", "do('undo')", "undo"),
        Binding("r", "do('redo')", "redo"),
        Binding("n", "do('new')", "new"),
        Binding("s", "do('swap')", "swap"),
        Binding("h", "hint", "hint"),
        Binding("g", "do('resign')", "resign"),
        Binding("plus,equals_sign", "simulations(2.0)", "level", key_display="+-"),
        Binding("minus", "simulations(0.5)", show=False),
        Binding("t", "next_of('temperature')", "temp"),
        Binding("m", "next_of('mlh_slope')", "slope"),
        Binding("a", "numbers", "numbers"),
        Binding("p", "pause", "pause", show=False),
        Binding("colon", "prompt", "type", key_display=":"),
        Binding("escape", "leave_prompt", show=False),
    ]

    def __init__(self, table: PlayTable) -> None:
        super().__init__()
        self._table, self._session = table, table.session
        self._question = 0
        self._analysis: Analysis | None = None
        self._exact: Sequence[int | None] | None = None
        self._paused, self._wants_hint = False, False

    def compose(self) -> ComposeResult:
        with Horizontal(id="main"):
            yield BoardView(self._session)
            yield EvaluationBar()
            with Vertical(id="side"):
                yield Static(id="status", markup=False)
                yield Static(id="level", markup=False)
                yield Numbers()
                yield Static(id="message", markup=False)
        yield Input(placeholder="a move, or simulations 2000, seconds 3, noise 0.25, help ...")
        yield Footer(compact=True)

    def on_mount(self) -> None:
        self._renew()

    def on_unmount(self) -> None:
        self._question += 1  # whoever thinks stops

    # ---- what a person does

    def action_column(self, digit: int) -> None:
        board = self.query_one(BoardView)
        if digit <= board.columns:
            board.move_cursor(rows=0, columns=digit - 1 - board.cursor[1])
            if has_columns(self._session.position):
                self.action_play()

    def action_cursor(self, rows: int, columns: int) -> None:
        self.query_one(BoardView).move_cursor(rows=rows, columns=columns)

    def action_play(self) -> None:
        self._obey(self._session.position.action_name(self.query_one(BoardView).action))

    def on_board_view_chosen(self, message: BoardView.Chosen) -> None:
        self._obey(self._session.position.action_name(message.action))

    def action_do(self, word: str) -> None:
        self._obey(word)

    def action_simulations(self, factor: float) -> None:
        self._obey(f"simulations {max(1, int(self._table.level.simulations * factor))}")

    def action_next_of(self, knob: str) -> None:
        """The next value of a round."""
        params = self._table.params
        values, now = (TEMPERATURES, params.temperature_start) if knob == "temperature" else (SLOPES, params.mlh_slope)
        self._obey(f"{knob} {next((value for value in values if value > now), values[0])}")

    def action_hint(self) -> None:
        self._obey("hint")

    def action_numbers(self) -> None:
        shown = not self.query_one(Numbers).display
        self.query_one(Numbers).display = self.query_one(EvaluationBar).display = shown
        self._renew()

    def action_pause(self) -> None:
        self._paused = not self._paused
        self._renew()

    def action_prompt(self) -> None:
        prompt = self.query_one(Input)
        prompt.display = True
        prompt.focus()

    def action_leave_prompt(self) -> None:
        prompt = self.query_one(Input)
        prompt.value, prompt.display = "", False
        self.set_focus(None)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        line = event.value
        self.action_leave_prompt()
        if line.strip():
            self._obey(line)

    def _obey(self, line: str) -> None:
        if _word(line) in LEVELS:
            self._question += 1  # whoever thinks has to stop before the knobs change
        try:
            effect, sentence = obey(line, table=self._table)
        except SessionError as error:
            self._say(str(error))
            if _word(line) in LEVELS:
                self._renew()
            return
        if effect is Effect.QUIT:
            self.exit()
            return
        if line.strip() == "undo" and self._session.seat is Seat.NONE:
            self._paused = True
        self._say(sentence if effect is Effect.TOLD else "")
        self._wants_hint = effect is Effect.HINT
        self._renew()

    # ---- what the program does

    def _renew(self) -> None:
        """Shows the session as it is now, and thinks about it."""
        self._question += 1
        self._analysis = self._exact = None
        self.query_one(BoardView).show()
        self._show()
        if self._session.over:
            return
        replies = self._session.programs_turn and not self._paused
        if replies or self._wants_hint or self.query_one(Numbers).display:
            self._think(self._question, self._session.position, replies=replies)
        if self.query_one(Numbers).display:
            self._ask(self._question, self._session.position)

    def _is_old(self, question: int) -> bool:
        return question != self._question or not self.is_running

    @work(thread=True, group="search")
    def _think(self, question: int, position: Position, *, replies: bool) -> None:
        shown_at = 0.0

        def on_step(analysis: Analysis) -> None:
            nonlocal shown_at
            if time.monotonic() - shown_at >= REDRAW:
                shown_at = time.monotonic()
                self.post_message(Thought(question=question, analysis=analysis, done=False))

        def cancelled() -> bool:
            return self._is_old(question)

        if cancelled():
            return
        action = None
        if replies:
            try:
                analysis, action = self._table.reply(position, on_step=on_step, cancelled=cancelled)
            except NoOracleError as error:
                self.post_message(Trouble(question=question, sentence=str(error)))
                return
        else:
            analysis = self._table.analyse(position, on_step=on_step, cancelled=cancelled)
        self.post_message(Thought(question=question, analysis=analysis, done=True, action=action))

    @work(thread=True, group="truth")
    def _ask(self, question: int, position: Position) -> None:
        if question == self._question:
            scores = self._table.exact_scores(position, cancelled=lambda: self._is_old(question))
            self.post_message(TruthTold(question=question, scores=scores))

    def on_thought(self, message: Thought) -> None:
        if message.question != self._question:
            return
        self._analysis = message.analysis
        if message.action is not None:
            if self._session.seat is Seat.NONE:
                self.set_timer(PAUSE, lambda: self._play_for_program(message.question, message.action))
            else:
                self._play_for_program(message.question, message.action)
            return
        if self._wants_hint and message.done and message.analysis.best is not None:
            self.query_one(BoardView).point_at(message.analysis.best, hint=True)
            self._say(f"hint: {message.analysis.line[0]}")
        self._show()

    def on_truth_told(self, message: TruthTold) -> None:
        if message.question == self._question:
            self._exact = message.scores
            self._show()

    def on_trouble(self, message: Trouble) -> None:
        if message.question == self._question:
            self._paused = True
            self._say(f"{message.sentence}: p tries again")
            self._show()

    def _play_for_program(self, question: int, action: int | None) -> None:
        if question != self._question or action is None:
            return
        name = self._session.position.action_name(action)
        self._session.play(action)
        self._wants_hint = False
        self._say(f"{self._table.name} played {name}")
        self._renew()

    # ---- what is shown

    def _show(self) -> None:
        to_move = self._session.to_move
        self.query_one("#status", Static).update(self._status())
        self.query_one("#level", Static).update(self._table.level_text())
        self.query_one(EvaluationBar).show(self._analysis)
        self.query_one(Numbers).show(self._analysis, exact=self._exact, to_move=to_move)

    def _status(self) -> str:
        session = self._session
        outcome = session.outcome
        if outcome is not None:
            return outcome_text(outcome, seat=session.seat, opponent=self._table.name)
        mover = f"{STONES[session.to_move]} ({NAMES[session.to_move]})"
        if session.persons_turn:
            return f"ply {session.position.ply + 1}: your move, {mover}"
        return f"ply {session.position.ply + 1}: {mover} {'waits: p goes on' if self._paused else 'thinks'}"

    def _say(self, sentence: str) -> None:
        self.query_one("#message", Static).update(sentence)


def _word(line: str) -> str:
    return line.partition(" ")[0].lower()
