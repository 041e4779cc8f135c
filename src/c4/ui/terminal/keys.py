"""The keys of the board: what each does, through which values, and how the help says it."""

from __future__ import annotations

from textual.binding import Binding, BindingType

BINDINGS: list[BindingType] = [
    *(Binding(str(digit), f"column({digit})", show=False) for digit in range(10)),
    Binding("left", "cursor(0,-1)", show=False),
    Binding("right", "cursor(0,1)", show=False),
    Binding("up", "cursor(-1,0)", show=False),
    Binding("down", "cursor(1,0)", show=False),
    Binding("enter,space", "play", show=False),
    Binding("u", "do('undo')", "undo"),
    Binding("r", "do('redo')", show=False),
    Binding("n", "do('new')", "new"),
    Binding("s", "do('swap')", "swap"),
    Binding("h", "do('hint')", "hint"),
    Binding("e", "do('truth')", "exact"),
    Binding("v", "do('review')", "review"),
    Binding("d", "do('tree')", show=False),
    Binding("g", "resign", show=False),
    Binding("plus,equals_sign", "simulations(2.0)", "level", key_display="+-"),
    Binding("minus", "simulations(0.5)", show=False),
    Binding("t", "next_of('temperature')", show=False),
    Binding("m", "next_of('mlh_slope')", show=False),
    Binding("a", "numbers", show=False),
    Binding("p", "pause", show=False),
    Binding("colon", "prompt", "type", key_display=":", priority=True),  # before the next key is looked at
    Binding("question_mark,f1", "help", "help", key_display="?"),
    Binding("q,ctrl+c", "quit", "quit", key_display="q", priority=False),
]

ROUNDS = {"temperature": (0.0, 0.5, 1.0), "mlh_slope": (0.0, 0.01, 0.02, 0.03, 0.05, 0.1)}

KEYS = (
    ("1 to 9", "drop a stone into a column"),
    ("arrows, enter", "choose a move and play it; so does the mouse"),
    ("u, r", "undo, redo"),
    ("n, s, g", "new game, swap sides, resign"),
    ("h", "hint: the move the search prefers"),
    ("e", "exact: each move's score under perfect play, on or off"),
    ("v", "review the game and its mistakes"),
    ("d", "draw the search tree of this position into a file"),
    ("+, -", "double or halve the simulations of a move"),
    ("t, m", "step through temperatures, through values of mlh_slope"),
    ("a", "show or hide what the search thinks"),
    ("p", "pause or resume a game of the program against itself"),
    (":", "type a move, a command or a knob; tab completes, up and down recall"),
    ("q", "quit"),
)


def next_value(knob: str, *, now: float) -> float:
    """Of the round that a key steps through."""
    values = ROUNDS[knob]
    return next((value for value in values if value > now), values[0])
