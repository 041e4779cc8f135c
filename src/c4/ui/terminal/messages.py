"""What workers tell the screen, each with the number of the question that it answers."""

from __future__ import annotations

from collections.abc import Sequence

from textual.message import Message

from c4.players.oracle import ForcedWin
from c4.ui.analysis import Analysis
from c4.ui.table import Reviewed


class Thought(Message):
    def __init__(self, *, question: int, analysis: Analysis, done: bool, action: int | None = None) -> None:
        super().__init__()
        self.question, self.analysis, self.done, self.action = question, analysis, done, action


class TruthTold(Message):
    def __init__(self, *, question: int, scores: Sequence[int | None] | None, forced: ForcedWin | None) -> None:
        super().__init__()
        self.question, self.scores, self.forced = question, scores, forced


class Judged(Message):
    def __init__(self, *, question: int, told: Reviewed) -> None:
        super().__init__()
        self.question, self.told = question, told


class Drawn(Message):
    """A picture has been written, or could not be."""

    def __init__(self, *, question: int, sentence: str) -> None:
        super().__init__()
        self.question, self.sentence = question, sentence


class Trouble(Message):
    def __init__(self, *, question: int, sentence: str) -> None:
        super().__init__()
        self.question, self.sentence = question, sentence
