"""The board on a terminal, driven by keys and mouse; the search in its worker."""

from __future__ import annotations

import asyncio
import contextlib
import math
import os
import signal
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

pytest.importorskip("textual", reason="the board is an extra: pip install -e '.[ui]'")

from tests.ui.kit import Known, against_solver, table
from textual.geometry import Offset
from textual.pilot import Pilot
from textual.widgets import Static

from c4.params.play import Seat
from c4.players.oracle import NoOracleError
from c4.ui.app import PlayApp
from c4.ui.board import BoardView
from c4.ui.numbers import Numbers
from c4.ui.table import PlayTable
from c4.ui.truth import Truth

PATIENCE = 300.0  # seconds; what does not end by then hangs

Play = Callable[[Pilot[None]], Coroutine[Any, Any, None]]


def drive(one: PlayTable, play: Play, *, size: tuple[int, int] = (100, 30)) -> None:
    async def run() -> None:
        async with PlayApp(one).run_test(size=size) as pilot:
            await settled(pilot)
            await play(pilot)

    asyncio.run(run())


async def settled(pilot: Pilot[None]) -> None:
    """Until no worker thinks and every message was seen."""
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


async def press(pilot: Pilot[None], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await settled(pilot)


def shown(pilot: Pilot[None], what: str) -> str:
    return str(pilot.app.query_one(f"#{what}", Static).render())


def board(pilot: Pilot[None]) -> str:
    return pilot.app.query_one(BoardView).render().plain


def test_a_key_drops_a_stone_and_the_program_answers() -> None:
    one = table()

    async def play(pilot: Pilot[None]) -> None:
        assert "your move, X" in shown(pilot, "status")
        await press(pilot, "4")
        assert one.session.position.actions[0] == 3
        assert one.session.position.ply == 2
        assert "rollouts played" in shown(pilot, "message")
        assert " ▄▀▀▄ " in board(pilot)  # a ring, and
        assert " ▄██▄ " in board(pilot)  # a disc: they differ without colour

    drive(one, play)


def test_arrows_and_enter_choose_a_move() -> None:
    one = table()

    async def play(pilot: Pilot[None]) -> None:
        await press(pilot, "left", "left", "enter")
        assert one.session.position.actions[0] == 1

    drive(one, play)


@pytest.mark.parametrize(
    ("game", "x", "y", "action"), [("connect4", 32, 4, 5), ("gomoku8", 3 + 3 * 3 + 1, 3, 2 * 8 + 3)]
)
def test_the_mouse_chooses_a_move(game: str, x: int, y: int, action: int) -> None:
    one = table(game=game, simulations=30)

    async def play(pilot: Pilot[None]) -> None:
        await pilot.click(BoardView, offset=Offset(x, y))
        await settled(pilot)
        assert one.session.position.actions[0] == action

    drive(one, play, size=(80, 24))


def test_undo_redo_new_swap_and_resign() -> None:
    one = table()

    async def play(pilot: Pilot[None]) -> None:
        await press(pilot, "4")
        text = one.session.position.text
        await press(pilot, "u")
        assert one.session.position.text == ""
        await press(pilot, "r")
        assert one.session.position.text == text
        await press(pilot, "s")
        assert one.session.seat is Seat.SECOND
        assert one.session.position.ply == 3
        await press(pilot, "g")
        assert "rollouts wins by resignation" in shown(pilot, "status")
        await press(pilot, "n")
        assert one.session.position.ply == 1

    drive(one, play)


def test_a_hint_points_at_the_winning_move() -> None:
    one = table("121212")

    async def play(pilot: Pilot[None]) -> None:
        assert "wins in 1 ply, proven" in numbers(pilot)
        await press(pilot, "h")
        assert "★1" in board(pilot)
        assert shown(pilot, "message") == "hint: 1"
        await press(pilot, "enter")
        assert "you win" in shown(pilot, "status")
        assert "(████)" in board(pilot)

    drive(one, play)


def numbers(pilot: Pilot[None]) -> str:
    """What is drawn of the search."""
    widget = pilot.app.query_one(Numbers)
    return "\n".join("".join(part.text for part in widget.render_line(y)) for y in range(widget.size.height))


def test_a_digit_only_points_where_a_move_is_a_cell() -> None:
    one = table(game="gomoku8", simulations=30)

    async def play(pilot: Pilot[None]) -> None:
        view = pilot.app.query_one(BoardView)
        row = view.cursor[0]
        await press(pilot, "3", "9")
        assert (view.cursor, one.session.position.ply) == ((row, 2), 0)
        await press(pilot, "enter")
        assert one.session.position.actions[0] == row * 8 + 2

    drive(one, play)


def test_any_name_is_shown_and_no_hint_is_given_at_the_end() -> None:
    one = table("44")
    one.name = "run[/1]x/best"

    async def play(pilot: Pilot[None]) -> None:
        await press(pilot, "g")
        assert shown(pilot, "status").startswith("run[/1]x/best wins")
        await press(pilot, "h")
        assert shown(pilot, "message") == "the game is over"

    drive(one, play)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_numbers_are_whole_at_every_size(size: tuple[int, int]) -> None:
    async def play(pilot: Pilot[None]) -> None:
        text = numbers(pilot)
        assert "…" not in text
        assert all(name in text for name in ("move", "N", "prior", "Q", "left", "exact", "line:"))

    drive(table(), play, size=size)


def test_the_level_changes_by_keys_and_by_the_prompt() -> None:
    one = table(simulations=100)

    async def play(pilot: Pilot[None]) -> None:
        await press(pilot, "plus", "t", "m")
        assert one.level.simulations == 200
        assert one.params.mlh_slope == 0.01
        await press(pilot, "colon", *"noise 0.5", "enter")
        assert one.params.noise_epsilon == 0.5
        await press(pilot, "colon", *"noise 9", "enter")
        assert "not allowed" in shown(pilot, "message")
        await press(pilot, "4")  # the prompt is gone, keys are moves again
        assert one.session.position.ply == 2

    drive(one, play)


def test_a_refused_move_is_told_and_changes_nothing() -> None:
    one = table("444444")

    async def play(pilot: Pilot[None]) -> None:
        await press(pilot, "4")
        assert "full" in shown(pilot, "message")
        assert one.session.position.ply == 6

    drive(one, play)


def test_the_screen_answers_while_the_search_runs_and_leaving_ends_it() -> None:
    one = table(seat=Seat.SECOND, simulations=10_000_000)  # more than anybody waits for

    async def run() -> None:
        app = PlayApp(one)
        async with app.run_test(size=(100, 30)) as pilot:
            await pilot.press("left", "4")
            assert app.query_one(BoardView).cursor[1] == 3
            assert shown(pilot, "message") == "it is not your turn"
            await pilot.press("q")

    asyncio.run(asyncio.wait_for(run(), timeout=PATIENCE))


def test_rollouts_that_think_are_left_for_a_new_game_and_overruled() -> None:
    one = table("44", seat=Seat.SECOND, simulations=10, rollouts=10_000_000)

    async def run() -> None:
        app = PlayApp(one)
        async with app.run_test(size=(100, 30)) as pilot:
            while app._analysis is None:  # the search that comments comes first
                await pilot.pause()
            await pilot.press("n")
            assert "thinks" in shown(pilot, "status")
            await pilot.press("s")
            await settled(pilot)
            assert "your move" in shown(pilot, "status")
            assert shown(pilot, "level").startswith("rollouts: 10000000 simulations")

    asyncio.run(asyncio.wait_for(run(), timeout=PATIENCE))


@pytest.mark.parametrize("leaves", [True, False])
def test_a_solver_that_never_answers_can_be_left_and_overruled(leaves: bool) -> None:
    async def run(one: PlayTable) -> None:
        app = PlayApp(one)
        async with app.run_test(size=(100, 30)) as pilot:
            while app._analysis is None:  # the search that comments comes first
                await pilot.pause()
            await pilot.press("left")
            assert "thinks" in shown(pilot, "status")
            if not leaves:
                await pilot.press("s")  # now the person is to move
                await settled(pilot)
                assert "your move" in shown(pilot, "status")
            await pilot.press("q")

    with contextlib.closing(Truth(seconds=math.inf)) as truth:
        truth.scores("connect4_4x4", [])
        assert truth._process is not None
        assert truth._process.pid is not None
        os.kill(truth._process.pid, signal.SIGSTOP)
        asyncio.run(asyncio.wait_for(run(against_solver(truth, game="connect4_4x4", tells_truth=True)), PATIENCE))


def test_a_solver_that_is_lost_is_told_and_asked_again() -> None:
    one = against_solver(Known(), game="connect4", tells_truth=False)
    one.reply = lambda *_, **__: (_ for _ in ()).throw(NoOracleError("the solver has ended"))  # type: ignore[method-assign]

    async def play(pilot: Pilot[None]) -> None:
        assert shown(pilot, "message") == "the solver has ended: p tries again"
        del one.reply
        await press(pilot, "p")
        assert one.session.position.ply == 1

    drive(one, play)
