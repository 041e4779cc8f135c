"""What a visitor can do, over a real connection: play, look back, try moves, be told the truth, review."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from tests.ui.web.kit import PATIENCE, Guest, both, config, serving, visit

from c4.native._core import Position
from c4.players.oracle import NoOracleError
from c4.players.player import SearchPlayer
from c4.players.rollouts import YARDSTICK
from c4.ui.web.house import House
from c4.ui.web.rival import LevelAsked, Rival, params_at
from c4.ui.web.visitor import Visitor

Told = Callable[[Guest], Awaitable[None]]
LEVEL: dict[str, Any] = {"simulations": 20, "temperature": 0.0, "mlh_slope": 0.0, "noise": 0.0}


def test_a_move_is_answered_and_taken_back(port: int) -> None:
    async def told(one: Guest) -> None:
        await one.say("play", action=3)
        mine = await one.hear("game")
        assert (mine["text"], mine["thinks"], mine["yours"]) == ("4", True, False)
        answered = await one.hear("game")
        assert (answered["ply"], answered["yours"], answered["rows"][5][3]) == (2, True, "1")
        await one.say("undo")
        assert (await one.hear("game"))["text"] == ""
        await one.say("redo")
        assert (await one.hear("game"))["text"] == answered["text"]

    visit(port, told)


def test_to_look_back_stops_the_program_until_it_is_told_to_go_on(port: int) -> None:
    async def told(one: Guest) -> None:
        await one.say("load", game="connect4", position="4455", side="first", ply=3)
        looking = await one.hear("game")
        assert (looking["text"], looking["line_text"], looking["holds"], looking["thinks"]) == (
            "445",
            "4455",
            True,
            False,
        )
        await one.say("goto", ply=1)
        looking = await one.hear("game")
        assert (looking["text"], looking["holds"], looking["thinks"]) == ("4", True, False)
        await one.say("ping")
        await one.hear("pong")
        assert [message["type"] for message in one.heard[-2:]] == ["game", "pong"]  # nobody moved
        await one.say("go")
        assert (await one.hear("game"))["thinks"]
        assert (await one.hear("game"))["ply"] == 2

    visit(port, told)


@pytest.mark.parametrize(
    ("error", "says"),
    [(NoOracleError("the solver has ended"), "the solver has ended"), (RuntimeError("an engine"), "went wrong")],
)
def test_a_reply_that_fails_is_told_and_can_be_asked_for_again(
    port: int, monkeypatch: pytest.MonkeyPatch, error: Exception, says: str
) -> None:
    async def fails(*_: object) -> int:
        raise error

    async def told(one: Guest) -> None:
        with monkeypatch.context() as broken:
            broken.setattr(Rival, "choose", fails)
            await one.say("play", action=3)
            assert (await one.hear("game"))["thinks"]
            stands = await one.hear("game")
            assert (stands["text"], stands["thinks"], stands["holds"]) == ("4", False, True)
            assert says in (await one.hear("error"))["sentence"]
        await one.say("go")
        assert (await one.hear("game"))["thinks"]
        assert (await one.hear("game"))["ply"] == 2

    visit(port, told)


def test_a_solver_gives_way_in_a_game_that_it_cannot_play() -> None:
    async def told(one: Guest) -> None:
        for game, opponent in (("gomoku9", "rollout"), ("tictactoe", "solver")):
            await one.say("load", game=game, position="", side="first")
            assert (await one.hear("game"))["opponent"]["opponent"] == opponent

    with serving("opponent=solver", "game=tictactoe") as (_, port):
        visit(port, told)


def test_a_won_game_is_over_with_its_winner_and_line(port: int) -> None:
    async def told(one: Guest) -> None:
        await one.say("load", **both("121212"))
        await one.hear("game")
        await one.say("play", action=0)
        won = await one.hear("game")
        assert won["outcome"] == {"winner": 0, "how": "in a row"}
        assert sorted(won["winning"]) == [[2, 0], [3, 0], [4, 0], [5, 0]]
        await one.say("play", action=0)
        assert "over" in (await one.hear("error"))["sentence"]

    visit(port, told)


def test_nothing_goes_on_about_what_has_left_the_board() -> None:
    async def ignored(_: dict[str, Any]) -> None:
        pass

    async def run(house: House) -> None:
        visitor = Visitor(house, send=ignored)
        for message, works in (
            ({"type": "load", **both("4453")}, set()),
            ({"type": "analyse", "judges": ["rollouts"], "visits": 1 << 22}, {"analysis"}),  # nobody waits so long
            ({"type": "truth"}, {"analysis", "truth"}),
            ({"type": "review"}, {"analysis", "truth", "review"}),
            ({"type": "goto", "ply": 4}, {"analysis", "truth", "review"}),  # it is there already
            ({"type": "goto", "ply": 3}, {"review"}),
            ({"type": "new"}, set()),
            ({"type": "review"}, {"review"}),
            ({"type": "load", **both("4")}, set()),
        ):
            await visitor.obey(json.dumps(message))
            assert set(visitor.tasks.running) == works, message
        await visitor.leave()

    knobs = config("web.most_simulations=10000000", "web.review_simulations=100000", "truth=false")
    with contextlib.closing(House(knobs)) as house:
        asyncio.run(run(house))


def test_perfect_play_is_free_for_others_when_one_no_longer_waits() -> None:
    async def run(house: House) -> None:
        position = Position("connect4_4x4", "1122")
        known = await house.scores(position)
        assert house.truth._process is not None
        assert house.truth._process.pid is not None
        os.kill(house.truth._process.pid, signal.SIGSTOP)
        first = asyncio.create_task(house.scores(Position("connect4_4x4", "12")))
        while not house.truth._owes:
            await asyncio.sleep(0)
        first.cancel()
        assert await asyncio.wait_for(house.scores(position), PATIENCE) == known

    with contextlib.closing(House(config("web.truth_seconds=1000"))) as house:
        asyncio.run(run(house))


def test_rollouts_are_the_same_player_as_everywhere() -> None:
    asked = LevelAsked(opponent="rollout", network=None, seconds=None, **LEVEL)
    with contextlib.closing(House(config())) as house:
        player = house.opponents.player("rollout", game="connect4", network=None, seed=1)
        assert isinstance(player, SearchPlayer)
        assert params_at(asked, player) == YARDSTICK


def test_a_win_at_hand_is_proven_and_the_miss_is_marked(port: int) -> None:
    async def told(one: Guest) -> None:
        await one.say("load", **both("1212127"))  # the first player could have won in column 1
        await one.hear("game")
        await one.say("review")
        missed = await one.hear("reviewed", ply=7)
        assert missed["verdict"]["mark"] in {"?", "??"}
        assert missed["verdict"]["better"] == 0
        await one.hear("review_done")
        await one.say("load", **both("1212121"))
        await one.say("review")
        won = await one.hear("reviewed", ply=7)
        assert (won["value_of_first"], won["verdict"]["mark"]) == (1.0, "")

    visit(port, told)


def test_a_move_is_tried_without_being_played(port: int) -> None:
    async def told(one: Guest) -> None:
        await one.say("load", **both("121212"))  # column 1 wins
        await one.hear("game")
        for action, mark in ((6, True), (0, False)):
            await one.say("try", action=action)
            tried = await one.hear("tried", action=action)
            assert (tried["text"], bool(tried["verdict"]["mark"])) == ("121212", mark)
        await one.say("try", action=6000)
        assert (await one.hear("error"))["sentence"] == "this move cannot be played here"
        assert not any(message["type"] == "game" for message in one.heard[4:])  # the board has not changed

    visit(port, told)


def test_a_line_is_followed_and_nobody_answers_it(port: int) -> None:
    async def told(one: Guest) -> None:
        await one.say("follow", actions=[3, 3, 2])
        looking = await one.hear("game")
        assert (looking["text"], looking["thinks"], looking["holds"]) == ("443", False, True)
        await one.say("follow", actions=[3, 3, 3, 3, 3])  # the last finds no room
        assert "cannot be played here" in (await one.hear("error", about="follow"))["sentence"]
        await one.say("ping")
        await one.hear("pong")
        assert [message["type"] for message in one.heard[-2:]] == ["error", "pong"]

    visit(port, told)


def test_a_board_that_was_set_up_becomes_a_position_or_a_sentence(port: int) -> None:
    async def told(one: Guest) -> None:
        empty = ["......."] * 5
        await one.say("arrange", game="connect4", rows=[*empty, "12....1"])
        assert sorted((await one.hear("arranged"))["text"]) == ["1", "2", "7"]
        await one.say("arrange", game="connect4", rows=[*empty, "1..1..."])
        assert "one more" in (await one.hear("arranged", text=None))["sentence"]

    visit(port, told)


def test_a_resigned_game_comes_back_resigned(port: int) -> None:
    async def told(one: Guest) -> None:
        await one.say("load", **both("4453"))
        await one.hear("game")
        await one.say("resign")
        lost = await one.hear("game", over=True)
        assert (lost["resigned"], lost["outcome"]) == (0, {"winner": 1, "how": "resigned"})
        await one.say("goto", ply=2)
        assert (await one.hear("game"))["resigned"] == 0
        await one.say("load", **both("4453"), resigned=0)
        assert (await one.hear("game"))["outcome"] == lost["outcome"]

    visit(port, told)


def test_the_truth_is_told_where_it_is_known_and_missed_in_a_sentence_elsewhere(port: int) -> None:
    async def told(one: Guest) -> None:
        await one.say("load", **both("a1 b2 b1", game="tictactoe"))
        await one.hear("game")
        await one.say("truth")
        truth = await one.hear("truth")
        assert truth["sentence"] is None
        saved = Position("tictactoe", "a1 b2 b1")
        assert [saved.action_name(action) for action, score in enumerate(truth["scores"]) if score == 0] == ["c1"]
        await one.say("load", **both("", game="gomoku9"))
        await one.hear("game")
        await one.say("truth")
        told = await one.hear("truth")
        assert told["sentence"] == "no win by force is seen, and perfect play is not known for gomoku9"
        assert told["forced"] is None
        await one.say("load", **both("d4 a1 e4 a3 f4 h8", game="gomoku9"))
        await one.hear("game")
        await one.say("truth")
        assert (await one.hear("truth"))["forced"] == {"plies": 3, "by": "fours"}

    visit(port, told)


def test_a_game_goes_out_as_text_and_comes_in_again(port: int) -> None:
    async def told(one: Guest) -> None:
        await one.say("load", **both("e5 d4", game="gomoku9"))
        await one.hear("game")
        await one.say("export")
        text = (await one.hear("export"))["text"]
        assert "game: gomoku9\n" in text
        await one.say("load", **both("4"))
        await one.hear("game", text="4")
        await one.say("import", text=text)
        back = await one.hear("game")
        assert (back["game"], back["text"]) == ("gomoku9", "e5 d4")
        note = {"ply": 2, "mark": "?", "value": -0.25, "sentence": "e4 was better"}
        await one.say("export", line="e5 d4 a1", resigned=1, notes=[note], variations=["e5 e4"])
        text = (await one.hear("export"))["text"]
        assert "result: first player wins (resigned)\n2: d4? value -0.25 e4 was better\nvariation 1: e5 e4\n" in text
        await one.say("import", text=text)
        brought = await one.hear("imported", text="e5 d4 a1")
        assert (brought["notes"], [each["line_text"] for each in brought["variations"]]) == ([note], ["e5 e4"])
        await one.say("import", text="moves: z99")
        assert "this is not a game" in (await one.hear("error", about="import"))["sentence"]

    visit(port, told)


def test_a_game_without_a_network_has_no_network_as_opponent(port: int) -> None:
    async def told(one: Guest) -> None:
        await one.say("load", game="tictactoe", position="", side="first")
        await one.hear("game", text="")
        await one.say("level", opponent="network", **LEVEL)
        assert "no network here plays tictactoe" in (await one.hear("error"))["sentence"]

    visit(port, told)


@pytest.mark.parametrize(
    ("message", "says"),
    [
        ({"kind": "level", "opponent": "rollout", **LEVEL, "simulations": 5001}, "at most 5000"),
        ({"kind": "level", "opponent": "rollout", **LEVEL, "noise": 2.0}, "noise_epsilon=2.0 is not allowed"),
        ({"kind": "level", "opponent": "rollout", **LEVEL, "seconds": 1000.0}, "at most 30"),
        ({"kind": "level", "opponent": "rollouts", **LEVEL}, "no opponent is called 'rollouts'"),
        ({"kind": "analyse", "judges": ["rollouts"], "visits": 5001}, "at most 5000"),
        ({"kind": "analyse", "judges": ["/etc/passwd"], "visits": 10}, "no network is called '/etc/passwd'"),
        ({"kind": "load", "game": "chess", "side": "first"}, "No game is called 'chess'"),
        ({"kind": "load", "game": "connect4", "position": "4444444", "side": "first"}, "ply 7"),
        ({"kind": "play", "action": 7}, "action 7 is not between 0 and 6"),
        ({"kind": "goto", "ply": 3}, "there is no ply 3"),
        ({"kind": "undo"}, "nothing to take back"),
        ({"kind": "hack"}, "message"),
    ],
)
def test_what_is_asked_wrongly_gets_a_sentence_and_changes_nothing(
    port: int, message: dict[str, Any], says: str
) -> None:
    async def told(one: Guest) -> None:
        await one.say(**message)
        assert says in (await one.hear("error"))["sentence"]
        await one.say("play", action=3)
        assert (await one.hear("game", text="4"))["opponent"]["name"] == "rollouts"

    visit(port, told)


def test_opponents_and_levels_change_while_playing(port: int) -> None:
    async def told(one: Guest) -> None:
        for opponent, name in (("random", "chance"), ("rollout", "rollouts")):
            await one.say("level", opponent=opponent, **LEVEL)
            assert (await one.hear("game"))["opponent"]["name"] == name
            await one.say("new")
            await one.hear("game", text="")
            await one.say("play", action=0)
            await one.hear("game", ply=2)

    visit(port, told)


def test_it_plays_itself_to_the_end_for_one_who_watches(port: int) -> None:
    async def told(one: Guest) -> None:
        await one.say("level", opponent="random", **LEVEL)
        await one.hear("game")
        await one.say("side", side="watch")
        over = await one.hear("game", over=True)
        assert over["ply"] >= 7

    visit(port, told)
