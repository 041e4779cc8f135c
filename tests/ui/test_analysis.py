"""The numbers beside the board: signs, proofs and lines, on positions that are known."""

from __future__ import annotations

import pytest
from tests.ui.kit import table

from c4.native._core import Position
from c4.params.play import Seat
from c4.players.moves import Proof
from c4.ui.analysis import Analysis
from c4.ui.review import by_search
from c4.ui.table import Reviewed


def analysed(text: str, *, simulations: int = 400) -> Analysis:
    one = table(text, simulations=simulations)
    return one.analyse(one.session.position)


def test_a_win_is_seen_from_the_side_that_plays_it() -> None:
    seen = analysed("121212")  # column 1 wins at once for the first player
    assert (seen.value, seen.value_of_first) == (1.0, 1.0)
    assert seen.proof is not None
    assert (seen.proof.result, seen.proof.plies) == (1, 1)
    winning = seen.move(0)
    assert winning is not None
    assert winning.proof is not None
    assert (winning.proof.result, winning.proof.plies) == (1, 1)
    assert (seen.line, seen.best) == (("1",), 0)


def test_the_second_players_win_is_the_first_players_loss() -> None:
    seen = analysed("3141415")  # column 1 wins at once for the second player
    assert (seen.value, seen.value_of_first, seen.best) == (1.0, -1.0, 0)


def test_a_move_that_lets_the_other_win_is_bad_for_who_plays_it() -> None:
    seen = analysed("12121", simulations=3000)  # the second player must block column 1
    block, other = seen.move(0), seen.move(6)
    assert block is not None
    assert other is not None
    assert seen.best == 0
    assert other.proof is not None
    assert (other.proof.result, other.proof.plies) == (-1, 2)
    assert block.q is not None
    assert block.q > -1


def test_the_line_can_be_played() -> None:
    seen = analysed("4453", simulations=2000)
    assert len(seen.line) > 2
    assert Position("connect4", "4453" + "".join(seen.line)).ply == 4 + len(seen.line)
    assert sum(move.visits for move in seen.moves) in {seen.visits, seen.visits - 1}
    assert sum(move.prior for move in seen.moves) == pytest.approx(1.0, abs=1e-5)


def test_nothing_is_said_before_the_first_simulation() -> None:
    one = table()
    seen = one.analyse(one.session.position, cancelled=lambda: True)
    assert seen.visits > 0  # a first look is always taken
    done = table("1212121")
    over = done.analyse(done.session.position)
    assert (over.moves, over.line, over.best) == ((), (), None)


def test_a_search_can_be_stopped_and_goes_on() -> None:
    one = table(simulations=100_000)
    looks: list[int] = []
    one.analyse(one.session.position, on_step=lambda seen: looks.append(seen.visits), cancelled=lambda: len(looks) > 2)
    assert looks == sorted(looks)
    assert looks[-1] < 1000
    again = one.analyse(one.session.position, cancelled=lambda: True)
    assert again.visits > looks[-1]


def test_exact_scores_come_with_boards_that_can_be_solved() -> None:
    small = table("111222", game="connect4_4x4")
    assert small.exact_scores(small.session.position) is None  # until somebody asks
    small.tell_truth(True)
    scores = small.exact_scores(small.session.position)
    assert scores is not None
    assert [score is None for score in scores] == [False, False, False, False]
    assert table(game="gomoku8").exact_scores(Position("gomoku8")) is None


def test_the_level_changes_while_playing() -> None:
    one = table()
    assert one.set_knob("mlh_slope", "0.05") == "mlh_slope is now 0.05 (it was 0)"
    assert one.params.mlh_slope == 0.05
    one.set_knob("temperature", "1")
    assert (one.params.temperature_start, one.params.temperature_end) == (1.0, 1.0)
    one.set_knob("seconds", "0.01")
    assert one.level.seconds == 0.01
    one.set_knob("simulations", "50")
    assert (one.level.simulations, one.level.seconds) == (50, None)


def test_the_level_is_of_whoever_plays_or_says_whose_it_is() -> None:
    assert table().level_text().startswith("rollouts: 200 simulations")
    chance = table(chance=True)
    assert chance.level_text().startswith("random; the search that comments: 200 simulations")
    assert "for the search that comments: random has no such knob" in chance.set_knob("cpuct", "2")
    one = table("44", simulations=30, rollouts=70)
    assert one.level_text().startswith("rollouts: 70 simulations")
    assert one.set_knob("simulations", "90") == "simulations is now 90 (it was 70)"
    seen, action = one.reply(one.session.position)
    assert (seen.visits, action in range(7)) == (30, True)  # the search that comments keeps its own
    one.set_knob("temperature", "1")
    assert one.params.temperature_end == 1.0


def test_a_review_marks_the_move_that_gave_the_game_away() -> None:
    one = table("121234", seat=Seat.NONE)
    one.session.play(6)  # 1 would have won at once
    one.session.play(0)
    told: list[Reviewed] = []
    one.review(simulations=400, on_step=told.append)
    assert [each.ply for each in told] == list(range(9))
    seventh = told[7].verdict
    assert seventh is not None
    assert (seventh.mark != "", seventh.better) == (True, 0)


def test_q_of_a_move_is_for_who_plays_it() -> None:
    seen = analysed("4455", simulations=60)  # 3 or 6 makes three in a row that is open on both sides
    assert seen.proof is None
    assert seen.value > 0.2
    mean = sum(move.visits * (move.q or 0.0) for move in seen.moves) / sum(move.visits for move in seen.moves)
    assert mean == pytest.approx(seen.value, abs=0.05)


@pytest.mark.parametrize(("text", "first"), [("1212121", 1.0), ("31414151", -1.0)])
def test_the_end_has_its_result_for_a_value(text: str, first: float) -> None:
    over = analysed(text)
    assert (over.value, over.value_of_first, over.proof) == (-1.0, first, Proof(result=-1, plies=0))


def test_a_second_winning_move_gives_nothing_away() -> None:
    before = analysed("415161", simulations=4000)  # 3 wins, and so does 7
    for played in {2, 6} - {before.best}:
        verdict = by_search(before, played=played, after=analysed(f"415161{played + 1}"))
        assert (verdict.mark, verdict.lost) == ("", 0.0)
