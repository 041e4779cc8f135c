"""The course of a game: taking back, sides, endings. No search takes part."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.ui.kit import session

from c4.native._core import Position
from c4.params.play import Seat
from c4.ui.session import GameEnding, Outcome, Session, SessionError


def test_undo_goes_back_to_the_persons_choice_and_redo_forward() -> None:
    game = session("4453")
    game.play(2)
    game.play(2)
    game.undo()
    assert game.position.text == "4453"
    game.redo()
    assert game.position.text == "445333"
    with pytest.raises(SessionError, match="nothing to replay"):
        game.redo()


def test_undo_while_the_program_thinks_takes_back_the_persons_move() -> None:
    game = session("44")
    game.play(0)
    assert game.programs_turn
    game.undo()
    assert game.position.text == "44"


def test_a_second_player_has_nothing_to_take_back_before_the_own_move() -> None:
    game = session("4", seat=Seat.SECOND)
    with pytest.raises(SessionError, match="nothing to take back"):
        game.undo()
    assert game.position.text == "4"


def test_a_new_move_forgets_what_was_undone() -> None:
    game = session(seat=Seat.NONE)
    for action in (3, 3, 2):
        game.play(action)
    game.undo()
    game.play(6)
    assert game.position.text == "447"
    with pytest.raises(SessionError):
        game.redo()


def test_a_new_game_begins_where_this_one_began() -> None:
    game = session("4453")
    game.play(0)
    game.undo()
    game.undo()
    game.new_game()
    assert game.position.text == "4453"
    with pytest.raises(SessionError, match="nothing to replay"):
        game.redo()


@pytest.mark.parametrize(("text", "winner"), [("1212121", 0), ("31414151", 1)], ids=["first", "second"])
def test_says_who_has_won(text: str, winner: int) -> None:
    assert session(text).outcome == Outcome(winner=winner, ending=GameEnding.FULL)
    assert session(text[:-1]).outcome is None


def test_resigning_loses_and_can_be_taken_back() -> None:
    game = session("44", seat=Seat.SECOND)
    game.resign()
    assert game.outcome == Outcome(winner=0, ending=GameEnding.RESIGNED)
    with pytest.raises(SessionError, match="over"):
        game.play(0)
    game.undo()
    assert game.outcome is None
    assert game.position.text == "44"


def test_a_resigned_game_stays_lost_while_somebody_looks_back() -> None:
    game = Session(start=Position("connect4", "4453"), seat=Seat.FIRST, resigned=0)
    assert game.over
    game.go_to(2)
    assert (game.over, game.outcome, game.resigned) == (False, None, 0)
    game.go_to(4)
    assert game.outcome == Outcome(winner=1, ending=GameEnding.RESIGNED)
    game.go_to(2)
    game.play(0)
    assert (game.over, game.resigned) == (False, None)
    game.undo()
    game.resign()
    assert (game.over, game.line[-1].text) == (True, "44")  # what was taken back is gone


def test_looking_back_keeps_what_was_played() -> None:
    game = session("4453")
    game.go_to(1)
    assert (game.position.text, [position.text for position in game.line][-1]) == ("4", "4453")
    game.redo()
    assert game.position.ply == 2  # the person's next choice
    with pytest.raises(SessionError, match="there is no ply 5: 4 have been played"):
        game.go_to(5)
    game.go_to(0)
    game.play(6)
    assert [position.text for position in game.line] == ["", "7"]


def test_swapping_sides_hands_the_move_over() -> None:
    game = session("44")
    game.swap_sides()
    assert (game.seat, game.programs_turn) == (Seat.SECOND, True)


def test_a_full_column_is_refused_with_its_reason() -> None:
    game = session("444444")
    with pytest.raises(SessionError, match="full"):
        game.play(3)
    assert game.position.text == "444444"


@pytest.mark.parametrize(
    ("game", "name", "action"), [("connect4", "7", 6), ("gomoku8", "h8", 7), ("gomoku8", "A1", 56)]
)
def test_moves_go_by_the_games_names(game: str, name: str, action: int) -> None:
    assert session(game=game).action_of(name) == action


@pytest.mark.parametrize("name", ["0", "8", "x", "44", "-1"])
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(SessionError, match="moves run from 1 to 7"):
        session().action_of(name)


@given(
    st.sampled_from(Seat), st.lists(st.sampled_from(["undo", "redo", "new", "swap", "resign", *range(7)]), max_size=60)
)
def test_any_course_keeps_to_the_rules(seat: Seat, course: list[str | int]) -> None:
    game = session("44", seat=seat)
    words = {
        "undo": game.undo,
        "redo": game.redo,
        "new": game.new_game,
        "swap": game.swap_sides,
        "resign": game.resign,
    }
    for step in course:
        try:
            game.play(step) if isinstance(step, int) else words[step]()
        except SessionError:
            continue
        assert len(game.position.actions) == game.position.ply
        assert game.over == (game.outcome is not None)
        assert [game.persons_turn, game.programs_turn, game.over].count(True) == 1
