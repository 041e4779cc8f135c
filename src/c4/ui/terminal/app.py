"""The game on a terminal: keys, mouse, prompt, and a search in a worker beside the screen.

What a worker finds out comes back as a message with the number of the question; an answer to an old one is dropped.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from typing import ClassVar

from textual import work
from textual.actions import SkipAction
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.events import Key, Resize
from textual.widgets import Footer, Static

from c4.games import game_spec
from c4.native._core import Position
from c4.params.play import Seat
from c4.params.terminal import TerminalParams
from c4.players.oracle import ForcedWin, NoOracleError
from c4.ui.analysis import Analysis
from c4.ui.commands import Effect, completions, explanation, is_level, obey
from c4.ui.session import Session, SessionError
from c4.ui.table import PlayTable, Reviewed
from c4.ui.terminal.board import BoardView
from c4.ui.terminal.help import HelpScreen
from c4.ui.terminal.keys import BINDINGS, next_value
from c4.ui.terminal.looks import WORDS, look_asked
from c4.ui.terminal.messages import Drawn, Judged, Thought, Trouble, TruthTold
from c4.ui.terminal.palette import is_dark, themes
from c4.ui.terminal.panel import Panel, Shown, status_text
from c4.ui.terminal.prompt import Prompt, Sentence
from c4.ui.terminal.review import ReviewScreen
from c4.ui.terminal.stage import Stage

REDRAW = 0.1  # seconds between two looks at a running search
SIDE, WIDEST_SIDE = 30, 50  # characters of what stands beside the board


class PlayApp(App[None]):
    TITLE = "c4"
    AUTO_FOCUS = None
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    Screen { layers: below above; }
    #title { height: 1; background: $panel; padding: 0 1; text-wrap: nowrap; text-overflow: ellipsis; }
    #main { height: 1fr; }
    #message { layer: above; dock: bottom; height: auto; max-height: 6; margin: 0 0 1 0; padding: 0 1; color: $warning;
        text-style: bold; background: $background; }
    #space { height: 1; }
    Footer { background: $panel; }
    """
    BINDINGS: ClassVar[list[BindingType]] = BINDINGS

    def __init__(self, table: PlayTable, *, params: TerminalParams) -> None:
        super().__init__()
        self._table, self._params = table, params
        self._question = 0
        self._pending: set[str] = set()  # what the question of now still waits for
        self._analysis: Analysis | None = None
        self._exact: Sequence[int | None] | None = None
        self._forced: ForcedWin | None = None
        self._paused, self._wants_hint, self._resigning, self._with_numbers = False, False, False, True
        for theme in themes():
            self.register_theme(theme)
        self._take_theme(dark=is_dark(params.theme))

    @property
    def session(self) -> Session:
        return self._table.session

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        with Horizontal(id="main"):
            yield Stage(self.session.position, animated=self._params.animation)
            yield Panel(self._shown())
        yield Static(id="space")  # of a message of one line; a longer one lies over the board
        yield Sentence(id="message", markup=False)
        yield Prompt(completions=partial(completions, others=WORDS))
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        self._renew()

    def on_resize(self, event: Resize) -> None:
        self.query_one(Panel).styles.width = self._side(event.size.width)

    def on_unmount(self) -> None:
        self._question += 1  # whoever thinks stops

    @property
    def is_busy(self) -> bool:
        """Whether anything more will be shown although nobody does anything."""
        return bool(self._pending) or self.board.is_falling

    @property
    def board(self) -> BoardView:
        return self.query_one(Stage).board

    # ---- what a person does

    def action_column(self, digit: int) -> None:
        board = self.board
        if not 1 <= digit <= board.columns:
            self._say(f"there is no column {digit}: they run from 1 to {board.columns}")
            return
        board.move_cursor(rows=0, columns=digit - 1 - board.cursor[1])
        if board.falls:
            self.action_play()

    def action_cursor(self, rows: int, columns: int) -> None:
        self.board.move_cursor(rows=rows, columns=columns)

    def action_play(self) -> None:
        self._obey(self.session.position.action_name(self.board.action))

    def on_board_view_chosen(self, message: BoardView.Chosen) -> None:
        self._obey(self.session.position.action_name(message.action))

    def action_do(self, word: str) -> None:
        self._obey(word)

    def action_resign(self) -> None:
        if self._resigning or self.session.over:
            self._obey("resign")
            return
        self._say("resign? press g again to give up the game")
        self._resigning = True

    def action_simulations(self, factor: float) -> None:
        self._obey(f"simulations {max(1, int(self._table.level.simulations * factor))}")

    def action_next_of(self, knob: str) -> None:
        params = self._table.params
        now = params.temperature_start if knob == "temperature" else params.mlh_slope
        self._obey(f"{knob} {next_value(knob, now=now)}")

    def action_numbers(self) -> None:
        self._with_numbers = not self._with_numbers
        self.query_one(Stage).show_bar(self._with_numbers)
        self._renew()

    def action_pause(self) -> None:
        if self.session.seat is not Seat.NONE and not self._paused:
            self._say("p only pauses a game that the program plays against itself (me=none)")
            return
        self._paused = not self._paused
        self._renew()

    def action_prompt(self) -> None:
        if self.focused is not None or self.screen is not self.screen_stack[0]:
            raise SkipAction
        self.query_one(Footer).display = False
        self.query_one(Prompt).open()

    def action_help(self) -> None:
        self.push_screen(HelpScreen(words=WORDS.items()))

    def on_key(self, event: Key) -> None:
        """What no binding has taken."""
        if event.is_printable and event.key not in self.active_bindings:
            typed = f"; type a cell after a colon, as in :{event.character}3" if self._names_column(event) else ""
            self._say(f"{event.character} does nothing here; press ? for the keys{typed}")

    def _names_column(self, event: Key) -> bool:
        position = self.session.position
        return not self.board.falls and event.character in {position.action_name(each)[0] for each in position.legal}

    def on_prompt_typing(self, message: Prompt.Typing) -> None:
        if message.line is None:
            self.query_one(Footer).display = True
            self._say("")
            return
        word = message.line.strip().replace("=", " ").partition(" ")[0]
        told = WORDS.get(word) or explanation(word, table=self._table)
        self._say(told or ("  ".join(message.words) if message.line.strip() else ""))

    def on_prompt_said(self, message: Prompt.Said) -> None:
        self.query_one(Footer).display = True
        if message.line:
            self._obey(message.line)

    def _obey(self, line: str) -> None:
        self._resigning = False
        if is_level(line):
            self._question += 1  # whoever thinks has to stop before the knobs change
        try:
            if (look := look_asked(line)) is not None:
                self._look(*look)
                return
            effect, sentence = obey(line, table=self._table, others=WORDS)
        except SessionError as error:
            self._say(str(error))
            if is_level(line):
                self._renew()
            return
        if effect is Effect.QUIT:
            self.exit()
            return
        if effect is Effect.REVIEW:
            self._review()
            return
        if effect is Effect.TREE:
            self._pending.add("picture")
            self._say("drawing the search tree…")
            self._draw(self._question, self.session.position)
            return
        if line.strip() == "undo" and self.session.seat is Seat.NONE:
            self._paused = True
        self._say(sentence)
        if effect is Effect.TOLD:
            return
        self._wants_hint = effect is Effect.HINT
        self._renew()

    def _look(self, word: str, choice: str) -> None:
        if word == "theme":
            self._take_theme(dark=choice == "dark")
        else:
            self.board.animated = choice == "on"
        self._say(f"{word} {choice}")

    def _take_theme(self, *, dark: bool) -> None:
        self.theme = themes()[0 if dark else 1].name

    # ---- what the program does

    def _renew(self) -> None:
        """Shows the session as it is now, and thinks about it."""
        self._question += 1
        self._pending = set()
        self._analysis = self._exact = self._forced = None
        session = self.session
        to_move = session.to_move if session.persons_turn else None
        self.board.show(session.position, newest=session.last_cell, to_move=to_move)
        self._show()
        if session.over:
            return
        replies = session.programs_turn and not self._paused
        if replies or self._wants_hint or self._with_numbers:
            self._pending.add("search")
            self._think(self._question, session.position, replies=replies)
        if self._with_numbers and self._table.tells_truth:
            self._pending.add("truth")
            self._ask(self._question, session.position)

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
            forced = self._table.forced_win(position)
            scores = self._table.exact_scores(position, cancelled=lambda: self._is_old(question))
            self.post_message(TruthTold(question=question, scores=scores, forced=forced))

    @work(thread=True, group="picture")
    def _draw(self, question: int, position: Position) -> None:
        """Once the search that may be running has ended."""
        told = self._table.draw_tree(position, cancelled=lambda: self._is_old(question))
        self.post_message(Drawn(question=question, sentence=told))

    def on_drawn(self, message: Drawn) -> None:
        if message.question == self._question:
            self._pending.discard("picture")
            self._say(message.sentence)

    def _review(self) -> None:
        self._question += 1
        self._pending = {"review"}
        screen = ReviewScreen(self.session.line, side=self._side(self.size.width))
        self.push_screen(screen, self._after_review)
        self._judge(self._question)

    @work(thread=True, group="search")
    def _judge(self, question: int) -> None:
        def on_step(told: Reviewed) -> None:
            self.post_message(Judged(question=question, told=told))

        simulations = self._params.review_simulations
        self._table.review(simulations=simulations, on_step=on_step, cancelled=lambda: self._is_old(question))

    def on_judged(self, message: Judged) -> None:
        if message.question == self._question and isinstance(self.screen, ReviewScreen):
            self.screen.tell(message.told)
            if message.told.ply == len(self.session.line) - 1:
                self._pending.discard("review")

    def _after_review(self, ply: int | None) -> None:
        if ply is not None and ply != self.session.position.ply:
            self.session.go_to(ply)
            self._say(f"back at ply {ply}; press r to replay what followed")
        self._renew()

    def on_thought(self, message: Thought) -> None:
        if message.question != self._question:
            return
        self._analysis = message.analysis
        if message.action is not None:
            self._pending.discard("search")
            if self.session.seat is Seat.NONE:
                self._pending.add("pause")
                self.set_timer(
                    max(self._params.pause_seconds, 0.001),  # a timer of no time never ends
                    lambda: self._play_for_program(message.question, message.action),
                )
            else:
                self._play_for_program(message.question, message.action)
            return
        if message.done:
            self._pending.discard("search")
        if self._wants_hint and message.done and message.analysis.best is not None:
            self.board.point_at(message.analysis.best, hint=True)
            self._say(f"hint: {message.analysis.line[0]}")
        self._show()

    def on_truth_told(self, message: TruthTold) -> None:
        if message.question == self._question:
            self._pending.discard("truth")
            self._exact, self._forced = message.scores, message.forced
            self._show()

    def on_trouble(self, message: Trouble) -> None:
        if message.question == self._question:
            self._pending.discard("search")
            self._paused = True
            self._say(f"{message.sentence}: press p to try again")
            self._show()

    def _play_for_program(self, question: int, action: int | None) -> None:
        if question != self._question or action is None:
            return
        name = self.session.position.action_name(action)
        self.session.play(action)
        self._wants_hint = False
        self._say(f"{self._table.name} played {name}")
        self._renew()

    # ---- what is shown

    def _side(self, width: int) -> int:
        """Of the window's width, for the panel."""
        return min(max(SIDE, round(width * 0.34)), WIDEST_SIDE)

    def _show(self) -> None:
        game = f"{game_spec(self.session.game).title}   "
        self.query_one("#title", Static).update(game + self._table.level_text(most=self.size.width - len(game) - 2))
        self.query_one(Stage).bar.show(self._value_of_first())
        self.query_one(Panel).show(self._shown())

    def _value_of_first(self) -> float | None:
        outcome = self.session.outcome
        if outcome is not None:
            return 0.0 if outcome.winner is None else 1.0 - 2 * outcome.winner
        return None if self._analysis is None else self._analysis.value_of_first

    def _shown(self) -> Shown:
        return Shown(
            status=status_text(self.session, opponent=self._table.name, paused=self._paused),
            position=self.session.position,
            commentator=self._table.commentator,
            analysis=self._analysis,
            exact=self._exact,
            forced=self._forced,
            with_numbers=self._with_numbers,
        )

    def _say(self, sentence: str) -> None:
        self.query_one(Sentence).tell(sentence)
