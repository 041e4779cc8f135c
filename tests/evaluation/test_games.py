"""Whole games: who moves when, who owns the result, what is written down, and that nobody shares a tree."""

from __future__ import annotations

from collections.abc import Mapping

from tests.evaluation.makers import SEARCH, HashJudge, Judge

from c4.evaluation.games import PlayedGame, first_players_result, play_games, play_pairs, record
from c4.evaluation.openings import balanced_openings, can_win_at_once, ends_at_once
from c4.native._core import Position
from c4.players.chance import RandomPlayer
from c4.players.network import NetworkPlayer
from c4.players.oracle import forced_win, oracle


class Scripted:
    """Plays the first legal of its favourite actions and remembers what it was asked."""

    def __init__(self, name: str, favourites: list[int]) -> None:
        self.name, self._favourites = name, favourites
        self.asked: list[tuple[int, int]] = []  # slot, ply
        self.begun: list[int] = []

    def begin(self, slots: int, /) -> None:
        self.begun.append(slots)

    def choose(self, positions: Mapping[int, Position], /) -> dict[int, int]:
        self.asked += [(slot, position.ply) for slot, position in positions.items()]
        return {
            slot: next(action for action in self._favourites if action in position.legal)
            for slot, position in positions.items()
        }


def test_colours_are_swapped_and_results_belong_to_the_right_player() -> None:
    tall = Scripted("tall", [0, 1, 2, 3, 4, 5, 6])  # fills the left column: wins when nobody stops it
    other = Scripted("other", [6, 4, 3, 2, 1, 0])
    ((one, two),) = play_pairs((tall, other), [Position("connect4")])
    assert (one.first, one.second, two.first, two.second) == ("tall", "other", "other", "tall")
    assert one.actions == (0, 6, 0, 6, 0, 6, 0)
    assert two.actions == (6, 0, 6, 0, 6, 0, 6)
    assert (one.result, two.result) == (1, 1)  # whoever moves first is faster
    assert (one.score("tall"), two.score("tall"), two.score("other")) == (1.0, 0.0, 1.0)
    assert tall.begun == other.begun == [2]
    assert {ply % 2 for slot, ply in tall.asked if slot == 0} == {0}
    assert {ply % 2 for slot, ply in tall.asked if slot == 1} == {1}


def test_an_opening_of_odd_length_leaves_the_second_player_to_move() -> None:
    one, two = Scripted("one", [0, 1, 2, 3]), Scripted("two", [3, 2, 1, 0])
    (game,) = play_games((one, two), [Position("connect4", "444")], first=[0])
    assert two.asked[0] == (0, 3)
    assert one.asked[0] == (0, 4)
    assert game.opening_plies == 3
    assert game.actions[:3] == (3, 3, 3)


def test_a_win_of_the_second_player_and_a_draw() -> None:
    assert first_players_result(Position("connect4", "1212121")) == 1
    assert first_players_result(Position("connect4", "71212121")) == -1
    full = Position.from_actions("tictactoe", [0, 1, 2, 4, 3, 5, 7, 6, 8])
    assert first_players_result(full) == 0
    assert PlayedGame(game="g", first="a", second="b", opening_plies=0, actions=(), result=0).score("b") == 0.5


def test_the_record_can_be_read_by_a_person_and_played_again() -> None:
    game = PlayedGame(game="connect4", first="a", second="b", opening_plies=1, actions=(0, 1, 0, 1, 0, 1, 0), result=1)
    text = record(game, number=3)
    assert '[First "a"]' in text
    assert '[Round "3"]' in text
    assert '[OpeningPlies "1"]' in text
    assert text.endswith("1. 1 2 2. 1 2 3. 1 2 4. 1 1-0\n")
    moves = [word for word in text.splitlines()[-1].split() if word.isdecimal()]
    assert Position("connect4", "".join(moves)).is_terminal


def test_long_records_are_broken_into_lines() -> None:
    rows = play_games((RandomPlayer(seed=1), RandomPlayer(seed=2)), [Position("gomoku9")], first=[0])
    lines = record(rows[0], number=1).splitlines()
    assert max(len(line) for line in lines) <= 80
    assert lines[-1].split()[-1] in {"1-0", "0-1", "1/2-1/2"}


def _network(judge: Judge, *, name: str = "network") -> NetworkPlayer:
    return NetworkPlayer(
        name=name, game="connect4", judge=judge, params=SEARCH, simulations=30, threads=1, cache_megabytes=0.25
    )


def test_two_players_of_one_network_share_no_tree() -> None:
    """The same player against itself plays as it does against a copy with an engine of its own."""
    judge = HashJudge()
    together = play_games((_network(judge), _network(judge)), [Position("connect4")], first=[0])
    apart = play_games((_network(HashJudge()), _network(HashJudge())), [Position("connect4")], first=[0])
    assert together == apart


def test_games_side_by_side_are_the_games_one_by_one() -> None:
    openings = balanced_openings(game="connect4", count=5, plies=3, seed=1)
    seats = [0, 1, 0, 1, 0]
    together = play_games((_network(HashJudge(), name="one"), _network(HashJudge(), name="two")), openings, first=seats)
    for opening, seat, game in zip(openings, seats, together, strict=True):
        players = (_network(HashJudge(), name="one"), _network(HashJudge(), name="two"))
        assert play_games(players, [opening], first=[seat]) == [game]


def test_openings_are_even_quiet_and_different() -> None:
    openings = balanced_openings(game="connect4_4x4", count=12, plies=4, seed=2)
    assert len({opening.canonical_key for opening in openings}) == 12
    for opening in openings:
        assert opening.ply == 4
        assert not ends_at_once(opening)
        assert max(s for s in oracle("connect4_4x4").scores(opening.actions) if s is not None) == 0
    assert [one.text for one in openings] == [
        one.text for one in balanced_openings(game="connect4_4x4", count=12, plies=4, seed=2)
    ]


def test_openings_get_longer_where_too_few_are_even() -> None:
    openings = balanced_openings(game="connect4_4x4", count=60, plies=2, seed=2)
    assert len({opening.canonical_key for opening in openings}) == 60
    assert {opening.ply for opening in openings} == {2, 4}
    for opening in openings:
        assert max(s for s in oracle("connect4_4x4").scores(opening.actions) if s is not None) == 0


def test_openings_of_a_game_nobody_has_solved() -> None:
    openings = balanced_openings(game="gomoku9", count=3, plies=4, seed=2)
    assert [opening.ply for opening in openings] == [4, 4, 4]
    crowded = balanced_openings(game="gomoku8", count=8, plies=16, seed=2)
    assert [forced_win(opening) for opening in crowded] == [None] * 8


def test_positions_that_end_at_once() -> None:
    assert can_win_at_once(Position("connect4", "112233"))
    assert ends_at_once(Position("connect4", "112233"))
    lost = Position("connect4", "44335")  # three in the bottom row with both ends open
    assert not can_win_at_once(lost)
    assert ends_at_once(lost)
    assert not ends_at_once(Position("connect4", "4433"))
