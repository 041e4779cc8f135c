"""Gomocup's protocol under a player that is no player: what is answered, with which stones and how much time."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from c4.adapters.gomocup import Brain, Limits, Mind, RefusedError

SIZE = 8


class FirstCell:
    """Plays the first empty cell, and keeps what it was asked."""

    size = SIZE

    def __init__(self) -> None:
        self.asked: list[tuple[list[int], float]] = []

    def choose(self, actions: Sequence[int], /, *, seconds: float) -> int:
        self.asked.append((list(actions), seconds))
        return min({*range(SIZE * SIZE)} - {*actions})


def said(text: str, *, mind: FirstCell | None = None) -> list[str]:
    def of_size(size: int) -> Mind:
        if size != SIZE:
            raise RefusedError("only 8 x 8")
        return mind or FirstCell()

    brain = Brain(of_size, about='name="c4"', seconds=5.0, margin=0.25)
    return list(brain.answers(iter(text.splitlines(keepends=True))))


def test_a_game_as_a_manager_plays_it() -> None:
    mind = FirstCell()
    lines = "START 8\r\nINFO timeout_turn 1000\r\nBEGIN\r\nTURN 1,0\r\n\r\nTURN 3,2\r\nEND\r\nBEGIN\r\n"
    assert said(lines, mind=mind) == ["OK", "0,0", "2,0", "3,0"]
    assert mind.asked == [([], 0.75), ([0, 1], 0.75), ([0, 1, 2, 19], 0.75)]


def test_the_other_side_may_begin_and_a_new_game_may_follow() -> None:
    mind = FirstCell()
    assert said("start 8\nturn 7,7\nRESTART\nTURN 0,0\nRECTSTART 8,8\nBEGIN", mind=mind) == [
        "OK", "0,0", "OK", "1,0", "OK", "0,0",
    ]  # fmt: skip
    assert [actions for actions, _ in mind.asked] == [[63], [0], []]


def test_a_board_is_set_up_whatever_the_order_of_its_stones() -> None:
    mind = FirstCell()
    said("START 8\nBOARD\n1,1,2\n0,0,1\n2,2,2\n3,3,1\n4,4,2\nDONE\nBOARD\nDONE\nEND", mind=mind)
    assert [actions for actions, _ in mind.asked] == [[9, 0, 18, 27, 36], []]


def test_a_board_that_goes_on_keeps_the_order_of_the_game() -> None:
    mind = FirstCell()
    said("START 8\nTURN 7,7\nTURN 6,6\nBOARD\n1,0,1\n5,5,2\n0,0,1\n6,6,2\n7,7,2\nDONE", mind=mind)
    assert [actions for actions, _ in mind.asked] == [[63], [63, 0, 54], [63, 0, 54, 1, 45]]


def test_stones_are_taken_back() -> None:
    mind = FirstCell()
    assert said("START 8\nTURN 1,0\nTAKEBACK 0,0\nTAKEBACK 1,0\nTURN 4,0\n", mind=mind) == [
        "OK",
        "0,0",
        "OK",
        "OK",
        "0,0",
    ]
    assert mind.asked[-1][0] == [4]


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        ("BEGIN", "ERROR START comes first"),
        ("RESTART", "ERROR START comes first"),
        ("START 20", "ERROR only 8 x 8"),
        ("START", "ERROR boards are square"),
        ("RECTSTART 8,9", "ERROR boards are square"),
        ("START 8\nTURN 8,0", "ERROR TURN takes x,y, each from 0 to 7"),
        ("START 8\nTURN a", "ERROR TURN takes x,y"),
        ("START 8\nTURN -1,0", "ERROR TURN takes x,y"),
        ("START 8\nBEGIN\nTURN 0,0", "ERROR TURN: there is a stone on that cell"),
        ("START 8\nTAKEBACK 3,3", "ERROR TAKEBACK of a stone that is not there"),
        ("START 8\nBOARD\n0,0,3\nBEGIN\nDONE", "ERROR BOARD takes lines x,y,1 for my stones and x,y,2"),
        ("START 8\nBOARD\n0,0,1\n0,0,2\nDONE", "ERROR two stones on 0,0"),
        ("START 8\nBOARD\n0,0,1\nDONE", "ERROR it is not my turn: I have 1 stones, they have 0"),
        ("SWAP2BOARD", "UNKNOWN SWAP2BOARD"),
        ("ABOUT", 'name="c4"'),
        ("INFO rule 4", "MESSAGE c4 plays without opening rules"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_answered_and_the_talk_goes_on(lines: str, answer: str) -> None:
    answers = said(f"{lines}\nSTART 8\nBEGIN")
    assert answers[-3].startswith(answer)
    assert answers[-2:] == ["OK", "0,0"]


def test_a_wrong_turn_leaves_the_board_as_it_was() -> None:
    mind = FirstCell()
    said("START 8\nTURN 9,9\nTURN 0,0\nTURN 0,0\nTURN 2,2", mind=mind)
    assert mind.asked[-1][0] == [0, 1, 18]


@pytest.mark.parametrize(
    ("infos", "seconds"),
    [
        ([], 4.75),
        (["timeout_turn 1000"], 0.75),
        (["timeout_turn 0"], 0.0),  # as fast as possible
        (["timeout_turn 1000", "time_left 4000"], 0.0),  # 0.2 seconds for each of 20 moves to come
        (["timeout_turn 30000", "timeout_match 100000"], 4.75),
        (["timeout_match 0", "time_left 40000"], 1.75),
        (["timeout_turn 2000", "timeout_match 0"], 1.75),
        (["timeout_turn -1", "max_memory 1000", "timeout_turn", ""], 4.75),
    ],
)
def test_limits_are_kept(infos: Sequence[str], seconds: float) -> None:
    mind = FirstCell()
    said("\n".join(["START 8", *(f"INFO {info}" for info in infos), "BEGIN"]), mind=mind)
    assert mind.asked[0][1] == pytest.approx(seconds)


def test_the_last_cells_share_what_is_left() -> None:
    limits = Limits(turn=30.0, left=10.0)
    assert limits.seconds(usual=5.0, margin=0.0, cells=4) == pytest.approx(5.0)
    assert limits.seconds(usual=5.0, margin=0.0, cells=1) == pytest.approx(10.0)
