"""What is typed after the colon: seen while it is typed, completed, recalled, obeyed or refused in a sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.ui.kit import table
from tests.ui.terminal.stage import drive, press, screen, shown, type_in
from textual.events import Key
from textual.pilot import Pilot
from textual.widgets import Input

from c4.params.play import Seat
from c4.ui.table import PlayTable
from c4.ui.terminal.picture import settled


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_what_is_typed_is_seen_and_explained_meanwhile(size: tuple[int, int]) -> None:
    async def play(pilot: Pilot[None]) -> None:
        await press(pilot, "colon", *"cpuct")
        assert [line.rstrip() for line in screen(pilot).splitlines() if line.startswith(": ")] == [": cpuct"]
        assert shown(pilot, "message").startswith("cpuct is 2 (a number from 0 to 100): Weight of the prior")
        assert "q quit" not in screen(pilot)  # it stands where the keys stood
        await press(pilot, "escape")
        assert "q quit" in screen(pilot)

    drive(table(simulations=30), play, size=size)


@pytest.mark.parametrize(
    ("line", "says", "holds"),
    [
        ("search.cpuct=3", "cpuct is now 3 (it was 2)", lambda one: one.params.cpuct == 3.0),
        ("cpuct=3", "cpuct is now 3 (it was 2)", lambda one: one.params.cpuct == 3.0),
        ("cpuct 3", "cpuct is now 3 (it was 2)", lambda one: one.params.cpuct == 3.0),
        ("noise 0.5", "noise is now 0.5 (it was 0.25)", lambda one: one.params.noise_epsilon == 0.5),
        ("cpuct 200", "search.cpuct=200.0 is not allowed: a number from 0 to 100", lambda one: one.params.cpuct == 2.0),
        (
            "cpcut 2",
            "'cpcut 2' is neither a move nor a command; did you mean cpuct 2?",
            lambda one: one.params.cpuct == 2.0,
        ),
        (
            "undoo",
            "'undoo' is neither a move nor a command; did you mean undo?",
            lambda one: one.session.position.ply == 0,
        ),
        ("theme pink", "'theme pink' is not understood: theme light or theme dark sets the colours", lambda _: True),
        ("position", "position=", lambda one: one.session.position.ply == 0),
        ("opponent=solver", "opponent is chosen at the start: python play.py opponent=...", lambda _: True),
        ("position 4453", "", lambda one: one.session.position.text == "4453"),
    ],
)
def test_a_line_is_obeyed_and_confirmed_or_refused(line: str, says: str, holds: Callable[[PlayTable], bool]) -> None:
    one = table(simulations=30)

    async def play(pilot: Pilot[None]) -> None:
        await type_in(pilot, line)
        assert shown(pilot, "message") == says
        assert holds(one)
        assert pilot.app.focused is None  # keys are moves again

    drive(one, play)


def test_who_types_faster_than_the_screen_is_understood() -> None:
    """A paste, or keys that have waited while the machine was busy: no letter may act as a key of its own."""
    one = table(simulations=30)

    async def play(pilot: Pilot[None]) -> None:
        for character in ":position 4455\r:cpuct 3\r6":
            name = {" ": "space", ":": "colon", "\r": "enter"}.get(character, character)
            pilot.app.post_message(Key(name, character))
        await settled(pilot)
        assert one.session.position.text[:5] == "44556"
        assert (one.session.position.ply, one.session.seat) == (6, Seat.FIRST)
        assert (one.params.cpuct, one.params.temperature_start) == (3.0, 1.0)

    drive(one, play)


def test_tab_completes_and_old_lines_come_back() -> None:
    one = table(simulations=30)

    async def play(pilot: Pilot[None]) -> None:
        def typed() -> str:
            return pilot.app.query_one(Input).value

        await press(pilot, "colon", *"cp", "tab", *"3", "enter")
        assert one.params.cpuct == 3.0
        await press(pilot, "colon", *"mlh", "tab")
        assert typed() == "mlh_"
        assert shown(pilot, "message") == "mlh_slope  mlh_cap"
        await press(pilot, "up")
        assert typed() == "cpuct 3"
        await press(pilot, "down")
        assert typed() == "mlh_"

    drive(one, play)


def test_the_theme_and_the_animation_are_words_too() -> None:
    async def play(pilot: Pilot[None]) -> None:
        app: Any = pilot.app
        assert app.current_theme.dark
        await type_in(pilot, "theme light")
        assert not app.current_theme.dark
        await type_in(pilot, "animation on")
        assert app.board.animated
        await press(pilot, "4")  # a stone falls, and lies where it belongs
        assert not app.board.is_falling
        assert app.board._scene.board[5, 3] == 1

    drive(table(simulations=30), play)
