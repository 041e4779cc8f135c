"""Where games begin: random positions, and random openings that favour nobody as far as that can be known."""

from __future__ import annotations

import random

from c4.games import game_spec
from c4.native._core import Position
from c4.players.oracle import NoOracleError, forced_win, oracle

TRIES = 1000  # random games for one opening before it gets longer


def random_position(*, game: str, ply: int, rng: random.Random) -> Position | None:
    """Random play up to `ply`; None if the game ended on the way."""
    position = Position(game)
    while position.ply < ply and not position.is_terminal:
        position = position.play(rng.choice(position.legal))
    return None if position.is_terminal else position


def can_win_at_once(position: Position) -> bool:
    after = (position.play(action) for action in position.legal)
    return any(one.is_terminal and one.value != 0 for one in after)


def ends_at_once(position: Position) -> bool:
    """Whether the side to move can win with this move, or loses to the next one whatever it plays."""
    if can_win_at_once(position):
        return True
    after = [position.play(action) for action in position.legal]
    return all(not one.is_terminal and can_win_at_once(one) for one in after)


def balanced_openings(*, game: str, count: int, plies: int, seed: int) -> list[Position]:
    """`count` openings, different up to symmetry; drawn ones where perfect play is known, and in Gomoku none that fours
    and threes win.

    Where there are too few of `plies` plies, the rest are two longer, and so on. Only a game that has too few of any
    length repeats them: the empty board.
    """
    openings: list[Position] = []
    used: set[int] = set()
    longest = game_spec(game).max_plies
    while len(openings) < count:
        rng = random.Random(f"{seed} opening {len(openings)}")
        found = _opening(game=game, plies=plies, used=used, rng=rng)
        if found is None and plies + 2 <= longest:
            plies += 2
            continue
        openings.append(found or Position(game))
        used.add(openings[-1].canonical_key)
    return openings


def _opening(*, game: str, plies: int, used: set[int], rng: random.Random) -> Position | None:
    for _ in range(TRIES):
        position = random_position(game=game, ply=plies, rng=rng)
        if position is None or position.canonical_key in used or ends_at_once(position):
            continue
        if _is_even(position):
            return position
        used.add(position.canonical_key)  # asked once
    return None


def _is_even(position: Position) -> bool:
    """Whether nobody is ahead; yes where nobody can tell."""
    try:
        return oracle(position.game).value(position.actions) == 0
    except NoOracleError:
        return forced_win(position) is None
