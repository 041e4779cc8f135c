"""Playing without a terminal: moves are read as lines, boards and numbers written as lines. For pipes and scripts."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TextIO

from c4.params.play import Seat
from c4.printed import printable
from c4.report.position import board_lines
from c4.ui.analysis import Analysis
from c4.ui.commands import HELP, Effect, obey
from c4.ui.session import SessionError
from c4.ui.table import PlayTable
from c4.ui.words import (
    HEAD,
    STONES,
    forced_text,
    line_text,
    numbers,
    outcome_text,
    ranked,
    review_text,
    verdict,
)

MOST_MOVES = 12  # rows of numbers


def play_text(table: PlayTable, *, lines: Iterable[str] | None = None, out: TextIO | None = None) -> None:
    """Until the input ends or says quit; a game that the program plays against itself ends with it."""
    _Talk(table, lines=sys.stdin if lines is None else lines, out=sys.stdout if out is None else out).run()


class _Talk:
    def __init__(self, table: PlayTable, *, lines: Iterable[str], out: TextIO) -> None:
        self._table, self._lines, self._out = table, iter(lines), out

    def run(self) -> None:
        seat = self._table.session.seat
        whose = "it plays itself" if seat is Seat.NONE else f"you are {STONES[seat is Seat.SECOND]}, {seat.value}"
        self._say(f"{self._table.level_text()}; {whose}; moves are judged by {self._table.commentator}")
        self._say(f"type {HELP}")
        self._show()
        self._programs_moves()
        if self._table.session.seat is Seat.NONE:
            return
        for line in self._lines:
            if line.strip() and not self._follow(line):
                return

    def _follow(self, line: str) -> bool:
        """Whether the game goes on."""
        try:
            effect, sentence = obey(line, table=self._table)
        except SessionError as error:
            self._say(f"error: {error}")
            return True
        if sentence:
            self._say(sentence)
        if effect is Effect.MOVED:
            self._show()
            self._programs_moves()
        elif effect is Effect.HINT:
            self._hint()
        elif effect is Effect.REVIEW:
            self._review()
        elif effect is Effect.TREE:
            self._say(self._table.draw_tree(self._table.session.position))
        return effect is not Effect.QUIT

    def _programs_moves(self) -> None:
        session = self._table.session
        while session.programs_turn:
            position = session.position
            analysis, action = self._table.reply(position)
            if action is None:
                return
            self._numbers(analysis)
            session.play(action)
            self._say(f"{self._table.name} played {position.action_name(action)}")
            self._show()

    def _hint(self) -> None:
        analysis = self._table.analyse(self._table.session.position)
        self._numbers(analysis)
        if analysis.best is not None:
            self._say(f"hint: {analysis.line[0]}")

    def _review(self) -> None:
        self._table.review(simulations=self._table.level.simulations, on_step=lambda told: self._say(review_text(told)))

    def _numbers(self, analysis: Analysis) -> None:
        position = self._table.session.position
        exact = self._table.exact_scores(position)
        shown = len(HEAD) if exact is not None else HEAD.index("exact")
        rows = [HEAD[:shown]] + [
            numbers(move, exact=None if exact is None else exact[move.action])[:shown]
            for move in ranked(analysis, most=MOST_MOVES)
        ]
        for row in rows:
            self._say("".join(f"{cell:>8}" for cell in row).rstrip())
        self._say(verdict(analysis, to_move=position.ply % 2))
        if (forced := self._table.forced_win(position)) is not None:
            self._say(f"{STONES[position.ply % 2]} {forced_text(forced)}")
        self._say(f"expected: {line_text(analysis.line)}")

    def _show(self) -> None:
        session = self._table.session
        self._say("\n".join(["", *board_lines(session.position)]))
        outcome = session.outcome
        if outcome is not None:
            self._say(f"game over: {outcome_text(outcome, seat=session.seat, opponent=self._table.name)}")
        elif session.persons_turn:
            self._say(f"your move ({STONES[session.to_move]}):")

    def _say(self, text: str) -> None:
        self._out.write(printable(text) + "\n")
        self._out.flush()
