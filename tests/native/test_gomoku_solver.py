"""What the solver of Gomoku says of known boards, how it stops and goes on, and what it refuses."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from c4.native._core import GomokuSolver, Position

NODES = 10**9


def six() -> GomokuSolver:
    return GomokuSolver(size=6, in_a_row=4, entries=1 << 16)


def test_the_first_player_wins_four_in_a_row_on_six_by_six_in_eleven_plies() -> None:
    solver = six()
    assert solver.solve([], nodes=NODES) == 11
    assert solver.nodes < 100_000
    centre, corner = 14, 0
    assert solver.solve([centre], nodes=NODES) == -10
    assert solver.solve([corner], nodes=NODES) == 13  # a stone in the corner is as good as none
    assert solver.forced([], threes=True, plies=35, nodes=NODES) == 0  # one stone threatens nothing
    assert solver.forced([centre, corner], threes=True, plies=35, nodes=NODES) > 0  # type: ignore[operator]


def test_nobody_wins_what_is_too_long_for_the_board() -> None:
    assert GomokuSolver(size=3, in_a_row=3, entries=1 << 12).solve([], nodes=NODES) == 0
    assert GomokuSolver(size=4, in_a_row=4, entries=1 << 12).solve([], nodes=NODES) == 0
    assert GomokuSolver(size=4, in_a_row=3, entries=1 << 12).solve([], nodes=NODES) == 5


def test_known_draws_are_proven_from_the_empty_board() -> None:
    """Whoever moves second holds by pairs of cells; and whoever moves first has a stone more."""
    for size, in_a_row, answers in ((3, 3, 3), (4, 4, 1), (5, 4, 5), (6, 5, 1), (7, 5, 4)):
        solver = GomokuSolver(size=size, in_a_row=in_a_row, entries=1 << 19)
        assert solver.holds([], answers=answers - 1, nodes=NODES) is False
        assert solver.holds([], answers=answers, nodes=NODES) is True


# 8 x 8 is a draw too (Hsu et al., 2020: 17 hours of theirs).
@pytest.mark.parametrize(("size", "in_a_row"), [(7, 5), (8, 5)])
def test_known_draws_are_never_said_to_be_won(size: int, in_a_row: int) -> None:
    """Nor after any first stone: one more stone harms nobody, so the second player cannot win either."""
    firsts = [row * size + column for row in range((size + 1) // 2) for column in range(row + 1)]
    for actions in ([], *([first] for first in firsts)):
        solver = GomokuSolver(size=size, in_a_row=in_a_row, entries=1 << 14)
        assert solver.solve(actions, nodes=100_000) in (0, None)
        assert not solver.forced(actions, threes=True, plies=15, nodes=100_000)


def test_what_is_won_is_never_said_to_be_held() -> None:
    solver = six()
    assert solver.holds([], answers=4, nodes=NODES) is False
    assert solver.holds([14], answers=1, nodes=NODES) is False  # nor is what the other side wins, for that side's moves
    with pytest.raises(ValueError, match="answers must be at least 0"):
        solver.holds([], answers=-1, nodes=1)
    with pytest.raises(ValueError, match="ply 1: action 36 is not legal"):
        solver.holds([36], answers=1, nodes=1)


def test_a_proof_that_takes_too_long_is_none_and_another_call_finds_it() -> None:
    solver = GomokuSolver(size=5, in_a_row=4, entries=1 << 18)
    assert solver.holds([], answers=5, nodes=1000) is None
    assert solver.nodes == 1001
    assert solver.holds([], answers=5, nodes=NODES) is True


def test_symmetric_images_have_the_same_answer() -> None:
    position = Position("gomoku6", "d6 c3 f6 a5 f3 e1 a4 f2")
    row_column = [divmod(action, 6) for action in position.actions]
    images = [
        [6 * row + column for row, column in row_column],
        [6 * column + row for row, column in row_column],
        [6 * (5 - row) + column for row, column in row_column],
        [6 * (5 - column) + 5 - row for row, column in row_column],
    ]
    assert {six().solve(image, nodes=NODES) for image in images} == {11}
    solver = six()
    solver.solve(images[0], nodes=NODES)
    spent = solver.nodes
    for image in images[1:]:
        solver.solve(image, nodes=NODES)
    assert solver.nodes - spent < spent // 20  # known already


def test_a_budget_stops_it_and_another_call_goes_on() -> None:
    for text in ("a3 b6 f5 c4 a2 a1 e3 c1", "d6 c3 f6 a5 f3 e1 a4 f2"):
        actions = Position("gomoku6", text).actions
        whole, parts = six(), six()
        expected = whole.solve(actions, nodes=NODES)
        assert parts.solve(actions, nodes=1000) is None
        assert parts.nodes == 1000
        while (answer := parts.solve(actions, nodes=5000)) is None:
            assert parts.nodes < 4 * whole.nodes
        assert answer == expected


def test_no_budget_is_too_large() -> None:
    assert six().solve([], nodes=2**64 - 1) == 11


@pytest.mark.parametrize("game", ["gomoku6", "gomoku8", "gomoku9", "gomoku15"])
def test_a_forced_win_holds_against_every_reply(game: str) -> None:
    size, in_a_row = (6, 4) if game == "gomoku6" else (int(game.removeprefix("gomoku")), 5)
    solver = GomokuSolver(size=size, in_a_row=in_a_row, entries=1 << 16)
    rng, checked = random.Random(game), 0

    def won_in(actions: Sequence[int], most: int) -> int:
        plies = solver.forced(actions, threes=True, plies=most, nodes=NODES)
        assert plies is not None
        return plies

    def wins(position: Position, plies: int) -> bool:
        """Whether some stone leaves no reply after which the win is not two plies nearer."""
        for action in position.legal:
            after = position.play(action)
            if after.is_terminal:
                return after.value == -1
            replies = [after.play(reply) for reply in after.legal]
            if plies > 2 and all(
                not reply.is_terminal and 0 < won_in(reply.actions, plies - 2) <= plies - 2 for reply in replies
            ):
                return plies == 3 or all(wins(reply, plies - 2) for reply in rng.sample(replies, 2))
        return False

    while checked < 6:
        position = crowded(game, size=size, rng=rng)
        if position.is_terminal:
            continue
        plies = won_in(position.actions, 7)
        if plies >= 3:
            assert wins(position, plies), position.text
            checked += 1


def crowded(game: str, *, size: int, rng: random.Random) -> Position:
    """Random stones near the middle of the board."""
    position, middle = Position(game), range(max(0, size // 2 - 3), min(size, size // 2 + 3))
    while not position.is_terminal and position.ply < 14:
        action = size * rng.choice(middle) + rng.choice(middle)
        if action in position.legal:
            position = position.play(action)
    return position


def test_what_it_refuses() -> None:
    with pytest.raises(ValueError, match="no solver for 5 in a row on 10 x 10 cells"):
        GomokuSolver(size=10, in_a_row=5, entries=1)
    solver = six()
    with pytest.raises(ValueError, match="ply 2: action 3 is not legal"):
        solver.solve([3, 3], nodes=1)
    with pytest.raises(ValueError, match="ply 1: action 36 is not legal"):
        solver.solve([36], nodes=1)
    row = [0, 6, 1, 7, 2, 8, 3]
    with pytest.raises(ValueError, match="the game is over after ply 7"):
        solver.forced(row, threes=True, plies=3, nodes=1)
    with pytest.raises(ValueError, match="ply 8: the game is already over"):
        solver.solve([*row, 9], nodes=1)
    with pytest.raises(ValueError, match="plies must be at least 0"):
        solver.forced([], threes=True, plies=-1, nodes=1)
