"""The line in which a person types: words are completed by tab, old lines come back by up and down. And the sentence
that answers it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.events import Key
from textual.message import Message
from textual.widgets import Input, Static

from c4.printed import printable


class Sentence(Static):
    """What is said to a person; some of its words may come from files."""

    def tell(self, text: str) -> None:
        self.update(printable(text))


class Line(Input):
    """Every key in the order in which it was typed, however fast: none is looked at before the one before it."""

    def on_key(self, event: Key) -> None:
        prompt = self.parent
        assert isinstance(prompt, Prompt)
        if not prompt.display:  # typed on after the line was said: a key of the game
            self.app.post_message(Key(event.key, event.character))
        elif event.key in prompt.keys:
            prompt.keys[event.key]()
        else:
            return
        event.stop()
        event.prevent_default()


class Prompt(Horizontal):
    """Hidden until it is opened; says what was typed."""

    DEFAULT_CSS = """
    Prompt { height: 1; display: none; background: $panel; }
    Prompt Static { width: 2; color: $accent; text-style: bold; }
    Prompt Input { width: 1fr; height: 1; border: none; padding: 0; background: $panel; }
    Prompt Input:focus { border: none; }
    """

    class Said(Message):
        def __init__(self, line: str) -> None:
            super().__init__()
            self.line = line

    class Typing(Message):
        """What stands there now, and the words that it may become; None: the prompt was left."""

        def __init__(self, line: str | None, words: Sequence[str]) -> None:
            super().__init__()
            self.line, self.words = line, words

    def __init__(self, *, completions: Callable[[str], list[str]]) -> None:
        super().__init__()
        self._completions = completions
        self._history: list[str] = []
        self._back = 0  # lines back in the history
        self._draft = ""
        self.keys: dict[str, Callable[[], None]] = {
            "enter": self.say,
            "escape": self.leave,
            "tab": self.complete,
            "up": lambda: self._recall(self._back + 1),
            "down": lambda: self._recall(self._back - 1),
        }

    def compose(self) -> ComposeResult:
        yield Static(": ", markup=False)
        line = Line(placeholder="4, cpuct=2, simulations 2000, position 4453 (tab completes, esc leaves)")
        line.cursor_blink = False  # a screen that nobody touches stays as it is
        yield line

    @property
    def _input(self) -> Input:
        return self.query_one(Input)

    def open(self) -> None:
        self.display = True
        self._back, self._draft = 0, ""
        self.screen.set_focus(self._input)  # at once: who types fast is typing already

    def leave(self) -> None:
        self._close()
        self.app.post_message(self.Typing(None, ()))

    def _close(self) -> None:
        self._input.value = ""
        self.display = False
        self.screen.set_focus(None)

    def complete(self) -> None:
        line = self._input.value
        kept, _, start = line.rpartition(" ")
        words = self._completions(start)
        if words:
            done = _common(words) if len(words) > 1 else f"{words[0]} "
            self._put(f"{kept} {done}".lstrip() if len(done) >= len(start) else line)

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        if self.display:
            self.post_message(self.Typing(event.value, self._completions(event.value.rpartition(" ")[2])))

    def say(self) -> None:
        line = self._input.value.strip()
        if line and self._history[-1:] != [line]:
            self._history.append(line)
        self._close()
        self.app.post_message(self.Said(line))  # before the next key

    def _recall(self, back: int) -> None:
        if not 0 <= back <= len(self._history):
            return
        if self._back == 0:
            self._draft = self._input.value
        self._back = back
        self._put(self._history[-back] if back else self._draft)

    def _put(self, line: str) -> None:
        self._input.value = line
        self._input.cursor_position = len(line)


def _common(words: Sequence[str]) -> str:
    """How they all begin."""
    first, last = min(words), max(words)
    alike = next((at for at, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), len(first))
    return first[:alike]
