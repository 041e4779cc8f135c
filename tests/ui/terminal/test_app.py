"""A game on the terminal, driven by keys and mouse; the search in its worker."""

from __future__ import annotations

import asyncio
import contextlib
import math
import os
import signal
from pathlib import Path

import pytest
from tests.ui.kit import Known, against_solver, table
from tests.ui.terminal.stage import PARAMS, PATIENCE, app_of, drive, press, screen, shown, until
from textual.geometry import Offset
from textual.pilot import Pilot

from c4.params.play import Seat
from c4.players.oracle import NoOracleError
from c4.ui.table import PlayTable
from c4.ui.terminal.app import PlayApp
from c4.ui.terminal.board import BoardView
from c4.ui.terminal.picture import flushed, settled
from c4.ui.truth import Truth


def test_a_key_drops_a_stone_and_the_program_answers() -> None:
    one = table()

    async def play(pilot: Pilot[None]) -> None:
        assert "your move: ◉ first, ply 1" in screen(pilot)
        await press(pilot, "4")
        assert one.session.position.actions[0] == 3
        assert one.session.position.ply == 2
        assert "rollouts played" in shown(pilot, "message")
        assert "moves: 1.4" in screen(pilot)

    drive(one, play)


def test_arrows_and_enter_choose_a_move() -> None:
    one = table()

    async def play(pilot: Pilot[None]) -> None:
        await press(pilot, "left", "left", "enter")
        assert one.session.position.actions[0] == 1

    drive(one, play)


@pytest.mark.parametrize("size", [(80, 24), (130, 42)])
@pytest.mark.parametrize(("game", "cell", "action"), [("connect4", (0, 5), 5), ("gomoku8", (2, 3), 2 * 8 + 3)])
def test_the_mouse_chooses_a_move(game: str, cell: tuple[int, int], action: int, size: tuple[int, int]) -> None:
    one = table(game=game, simulations=30)

    async def play(pilot: Pilot[None]) -> None:
        layout = pilot.app.query_one(BoardView).layout_of_cells
        x, y = layout.left + cell[1] * layout.width, layout.top + cell[0] * layout.lines
        for corner in ((x, y), (x + layout.width - 1, y + layout.lines - 1)):
            assert layout.cell_at(*corner) == cell
        await pilot.click(BoardView, offset=Offset(x, y))
        await settled(pilot)
        assert one.session.position.actions[0] == action

    drive(one, play, size=size)


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
        assert not one.session.over  # it asks once
        assert "g again" in shown(pilot, "message")
        await press(pilot, "g")
        assert "rollouts won by resignation" in screen(pilot)
        await press(pilot, "n")
        assert one.session.position.ply == 1

    drive(one, play)


def test_a_hint_points_at_the_winning_move() -> None:
    one = table("121212")

    async def play(pilot: Pilot[None]) -> None:
        assert "◉ wins in 1 ply, proven" in screen(pilot)
        await press(pilot, "h")
        assert "★1" in screen(pilot)
        assert shown(pilot, "message") == "hint: 1"
        await press(pilot, "enter")
        assert "you won as ◉" in screen(pilot)

    drive(one, play)


def test_exact_scores_are_shown_when_they_are_asked_for() -> None:
    one = table("111222", game="connect4_4x4")

    async def play(pilot: Pilot[None]) -> None:
        assert "exact" not in screen(pilot).replace("e exact", "")
        await press(pilot, "e")
        assert "left exact" in screen(pilot)
        await press(pilot, "e")
        assert "left exact" not in screen(pilot)
        assert shown(pilot, "message") == "exact scores are hidden"

    drive(one, play)


def test_a_win_by_force_is_told_on_a_board_that_nobody_can_solve() -> None:
    one = table("d4 a1 e4 a3 f4 h8", game="gomoku9", simulations=30)  # three in a row, open on both sides

    async def play(pilot: Pilot[None]) -> None:
        assert "by fours" not in screen(pilot)
        await press(pilot, "e")
        assert "● wins in 3 plies by fours" in screen(pilot)

    drive(one, play)


def test_a_digit_only_points_where_a_move_is_a_cell() -> None:
    one = table(game="gomoku8", simulations=30)

    async def play(pilot: Pilot[None]) -> None:
        view = pilot.app.query_one(BoardView)
        row = view.cursor[0]
        await press(pilot, "3")
        assert (view.cursor, one.session.position.ply) == ((row, 2), 0)
        await press(pilot, "enter")
        assert one.session.position.actions[0] == row * 8 + 2

    drive(one, play)


@pytest.mark.parametrize(
    ("game", "key", "says"),
    [
        ("connect4", "9", "there is no column 9: they run from 1 to 7"),
        ("connect4", "x", "x does nothing here; press ? for the keys"),
        ("gomoku8", "c", "c does nothing here; press ? for the keys; type a cell after a colon, as in :c3"),
        ("connect4", "p", "p only pauses a game that the program plays against itself (me=none)"),
    ],
)
def test_a_mistyped_key_gets_a_sentence(game: str, key: str, says: str) -> None:
    async def play(pilot: Pilot[None]) -> None:
        await press(pilot, key)
        assert shown(pilot, "message") == says

    drive(table(game=game, simulations=30), play)


def test_any_name_is_shown_and_no_hint_is_given_at_the_end() -> None:
    one = table("44")
    one.name = "run[/1]x/best"

    async def play(pilot: Pilot[None]) -> None:
        await press(pilot, "g", "g")
        assert "run[/1]x/best won" in screen(pilot)
        await press(pilot, "h")
        assert shown(pilot, "message") == "the game is over"

    drive(one, play)


@pytest.mark.parametrize("game", ["connect4", "gomoku15"])
@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 55)])
def test_numbers_are_whole_at_every_size(size: tuple[int, int], game: str) -> None:
    one = table(game=game, simulations=60)

    async def play(pilot: Pilot[None]) -> None:
        await press(pilot, "e")
        text = screen(pilot)
        assert "…" not in text
        names = ["move", "N", "P", "Q", "left", "expected:", "moves:", "q quit", "? help"]
        assert [name for name in names if name not in text] == []
        assert ("exact\n" in "\n".join(line.rstrip() for line in text.splitlines())) == (game == "connect4")

    drive(one, play, size=size)


def test_keys_change_the_level() -> None:
    one = table(simulations=100)

    async def play(pilot: Pilot[None]) -> None:
        await press(pilot, "plus", "t", "m")
        assert one.level.simulations == 200
        assert one.params.mlh_slope == 0.01
        assert shown(pilot, "message") == "mlh_slope is now 0.01 (it was 0)"

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
        app = PlayApp(one, params=PARAMS)
        async with app.run_test(size=(100, 30)) as pilot:
            await pilot.press("left", "4")
            await flushed(pilot.app)
            assert app.query_one(BoardView).cursor[1] == 3
            assert shown(pilot, "message") == "it is not your turn"
            await pilot.press("q")

    asyncio.run(asyncio.wait_for(run(), timeout=PATIENCE))


def test_rollouts_that_think_are_left_for_a_new_game_and_overruled() -> None:
    one = table("44", seat=Seat.SECOND, simulations=10, rollouts=10_000_000)

    async def run() -> None:
        app = PlayApp(one, params=PARAMS)
        async with app.run_test(size=(100, 30)) as pilot:
            await until(pilot, lambda: "judge: rollouts" in screen(pilot))  # the search that comments comes first
            await pilot.press("n")
            await flushed(pilot.app)
            assert "waiting for rollouts (◉ first)" in screen(pilot)
            await pilot.press("s")
            await settled(pilot)
            assert "your move" in screen(pilot)
            assert "rollouts: 10000000 simulations" in shown(pilot, "title")

    asyncio.run(asyncio.wait_for(run(), timeout=PATIENCE))


@pytest.mark.parametrize("leaves", [True, False])
def test_a_solver_that_never_answers_can_be_left_and_overruled(leaves: bool) -> None:
    async def run(one: PlayTable) -> None:
        app = PlayApp(one, params=PARAMS)
        async with app.run_test(size=(100, 30)) as pilot:
            await until(pilot, lambda: "judge: rollouts" in screen(pilot))  # the search that comments comes first
            await pilot.press("left")
            await flushed(pilot.app)
            assert "waiting for solver (◉ first)" in screen(pilot)
            if not leaves:
                await pilot.press("s")  # now the person is to move
                await settled(pilot)
                assert "your move" in screen(pilot)
            await pilot.press("q")

    with contextlib.closing(Truth(seconds=math.inf)) as truth:
        truth.scores("connect4_4x4", [])
        assert truth._process is not None
        assert truth._process.pid is not None
        os.kill(truth._process.pid, signal.SIGSTOP)
        asyncio.run(asyncio.wait_for(run(against_solver(truth, game="connect4_4x4", may_tell=True)), PATIENCE))


def test_a_solver_that_is_lost_is_told_and_asked_again() -> None:
    one = against_solver(Known(), game="connect4", may_tell=False)
    one.reply = lambda *_, **__: (_ for _ in ()).throw(NoOracleError("the solver has ended"))  # type: ignore[method-assign]

    async def play(pilot: Pilot[None]) -> None:
        assert shown(pilot, "message") == "the solver has ended: press p to try again"
        del one.reply
        await press(pilot, "p")
        assert one.session.position.ply == 1

    drive(one, play)


def test_a_game_that_the_program_plays_itself_can_be_paused_and_ends() -> None:
    one = table(game="connect4_4x4", seat=Seat.NONE, simulations=20)

    async def play(pilot: Pilot[None]) -> None:
        assert one.session.over
        await press(pilot, "u", "p")
        assert one.session.over
        assert app_of(pilot).is_busy is False

    drive(one, play)


def test_a_key_writes_the_search_tree_that_has_grown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = table("44")
    monkeypatch.chdir(tmp_path)

    async def play(pilot: Pilot[None]) -> None:
        visits = one._comments.thinker.root().visits
        await press(pilot, "d")
        assert shown(pilot, "message") == f"the search tree is in {tmp_path / 'search_tree_44.svg'}"
        assert f"{visits} visits" in (tmp_path / "search_tree_44.svg").read_text()
        await press(pilot, "a", "1", "d")  # where nothing was thought yet
        assert shown(pilot, "message").endswith(f"search_tree_{one.session.position.text}.svg")

    drive(one, play)
