"""Going through a game on the terminal: what was judged is shown, stepped along, and left for the game."""

from __future__ import annotations

from tests.ui.kit import table
from tests.ui.terminal.stage import app_of, drive, press, screen, shown
from textual.pilot import Pilot

from c4.params.play import Seat
from c4.ui.terminal.review import ReviewScreen


def test_a_game_is_reviewed_stepped_along_and_gone_on_with() -> None:
    one = table("12123471", seat=Seat.SECOND, simulations=100)  # 7 in place of 1, which won at once

    async def play(pilot: Pilot[None]) -> None:
        await press(pilot, "v")
        assert "judging" not in screen(pilot)
        played = len(one.session.line) - 1
        assert shown(pilot, "title") == f"Review: ply {played} of {played}"
        while "7??" not in screen(pilot).split("value for")[0]:  # of this move the sentence
            await press(pilot, "b")
        assert shown(pilot, "title") == f"Review: ply 7 of {played}"
        assert "1 was better" in screen(pilot)
        assert one.session.position.ply == played  # looking changes nothing
        await press(pilot, "home", "left", "b")
        assert shown(pilot, "title") == "no more mistakes in that direction"
        await press(pilot, "x")
        assert shown(pilot, "title").startswith("x does nothing here")
        await press(pilot, "s")  # a key of the game
        assert one.session.seat is Seat.SECOND
        await press(pilot, "right", "right", "enter")
        assert not isinstance(app_of(pilot).screen, ReviewScreen)
        assert one.session.position.text[:2] == "12"

    drive(one, play)


def test_a_review_can_be_left_while_it_judges() -> None:
    one = table("4453", simulations=100)

    async def play(pilot: Pilot[None]) -> None:
        await pilot.press("v")
        await press(pilot, "escape")
        assert not isinstance(app_of(pilot).screen, ReviewScreen)
        assert "your move" in screen(pilot)

    drive(one, play)
