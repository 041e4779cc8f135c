"""The positions that are known by heart are what is said of them."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from c4.evaluation.known import KNOWN, Checked, Known, asked_for, known_positions
from c4.native._core import Position
from c4.players.oracle import has_oracle
from c4.report.check import check_text, known_text


def checked(known: Known, played: int) -> Checked:
    return Checked(known=known, simulations=100, value=0.5, plies_left=12.0, played=played, moves=())


@pytest.mark.skipif(not has_oracle("connect4"), reason="needs the solver")
def test_they_are_what_is_said_of_them() -> None:
    found = {
        one.about: [score for score in one.scores or () if score is not None] for one in known_positions("connect4")
    }
    assert list(found) == [about for _, about in KNOWN["connect4"]]
    keeping = {about: sum(np.sign(scores) == np.sign(max(scores))) for about, scores in found.items()}
    best = {about: max(scores) for about, scores in found.items()}
    assert best["a win at once"] == 18
    assert sorted(found["a threat that must be met"])[:-1] == [-18] * 6
    assert (best["a single move holds the draw"], keeping["a single move holds the draw"]) == (0, 1)
    assert (best["a single move wins"] > 0, keeping["a single move wins"]) == (True, 1)
    assert best["two in a row with room on both sides: a forced win"] == 18
    assert best["the same, by who must prevent it"] < 0
    assert best["an opening that is lost, however it is played"] < 0
    assert keeping["the empty board: only the middle wins"] == 1


def test_other_games_give_decisive_positions_of_their_set() -> None:
    found = known_positions("gomoku6")
    assert len(found) == 6
    assert [one.position.ply for one in found] == sorted(one.position.ply for one in found)
    for one in found:
        scores = [score for score in one.scores or () if score is not None]
        assert len(scores) == len(one.position.legal)
        assert min(np.sign(scores)) < max(np.sign(scores))
    assert known_positions("gomoku15") == []


def test_wins_by_force_are_known_and_nothing_is_said_of_other_moves() -> None:
    for known in known_positions("gomoku8"):
        scores = known.scores or ()
        won = next(action for action, score in enumerate(scores) if score is not None)
        other = next(action for action in known.position.legal if scores[action] is None)
        assert min(score for score in scores if score is not None) > 0
        assert (checked(known, won).keeps, checked(known, other).keeps) == (True, False)
        assert not checked(known, other).is_best
        assert "in truth a win: not known to keep it" in known_text(checked(known, other))


def test_a_move_is_held_to_the_truth_in_words() -> None:
    known = Known(position=Position("connect4", "4344"), about="said of it", scores=(-4, -4, 3, 1, -4, None, 0))
    told = {played: known_text(checked(known, played)) for played in (2, 3, 6)}
    assert "X to move plays 3 after 100 simulations, value +0.50; in truth a win: best" in told[2]
    assert "in truth a win: keeps the value" in told[3]
    assert "in truth a win: WRONG" in told[6]
    assert [line[:20] for line in told[2].splitlines()[-3:]] == [
        " .  .  . [O] .  .  .",
        " .  .  .  X  .  .  .",
        " .  .  O  X  .  .  .",
    ]
    text = check_text([checked(known, 2), checked(known, 3), checked(known, 6)])
    assert text.splitlines()[-1].startswith("of 3 moves 2 keep the value of the position, and 1 are the best")
    unknown = dataclasses.replace(known, scores=None)
    assert "truth" not in known_text(checked(unknown, 2))


def test_a_position_that_nobody_knows_is_asked_for_all_the_same() -> None:
    assert asked_for(Position("gomoku15", "h8")).scores is None
