"""What judges think of a visitor's board: numbers that grow, how they end, and a tree to walk."""

from __future__ import annotations

import pytest
from tests.ui.web.kit import Guest, both, serving, visit


def test_the_numbers_of_an_analysis_grow_to_what_was_asked(port: int) -> None:
    async def told(one: Guest) -> None:
        await one.say("load", **both("4453"))
        await one.hear("game")
        await one.say("analyse", judges=["rollouts", "rollouts"], visits=4000)
        done = 0
        while done < 2:
            done += (await one.hear("thought"))["done"]
        for side in (0, 1):  # two judges side by side
            thoughts = [each for each in one.heard if each["type"] == "thought" and each["side"] == side]
            visits = [thought["visits"] for thought in thoughts]
            assert visits == sorted(visits)
            assert (visits[-1], thoughts[-1]["position"]) == (4000, "4453")
            assert sum(move["visits"] for move in thoughts[-1]["moves"]) == 4000 - 1

    visit(port, told)


def test_an_analysis_without_a_limit_ends_when_it_is_stopped_or_its_tree_is_full() -> None:
    async def told(one: Guest) -> None:
        await one.say("load", **both("4453"))
        await one.hear("game")
        await one.say("analyse", judges=["rollouts"], visits=None)
        full = await one.hear("thought", done=True)
        assert full["full"]
        assert full["visits"] > 500  # what a number may say at most
        await one.say("load", **both("", game="tictactoe"))
        await one.hear("game")
        await one.say("analyse", judges=["rollouts"], visits=20)
        assert not (await one.hear("thought", done=True))["full"]

    with serving("web.most_simulations=500", "web.tree_megabytes=1") as (_, port):
        visit(port, told)


def test_the_tree_can_be_walked(port: int) -> None:
    async def told(one: Guest) -> None:
        await one.say("load", **both("4453"))
        await one.hear("game")
        await one.say("node", id=1, side=0, path=[])
        assert (await one.hear("node"))["missing"] == "there is no analysis yet"
        await one.say("analyse", judges=["rollouts"], visits=1500)
        await one.hear("thought", done=True)
        await one.say("node", id=2, side=0, path=[])
        root = await one.hear("node", id=2)
        assert (root["visits"], root["text"]) == (1500, "4453")
        best = root["children"][0]
        await one.say("node", id=3, side=0, path=[best["action"]])
        child = await one.hear("node", id=3)
        assert child["visits"] == best["visits"]
        assert child["value"] == pytest.approx(-best["q"])  # value: native/value.h
        assert child["text"] == "4453" + best["name"]
        await one.say("picture", side=0)
        picture = await one.hear("picture")
        assert (picture["text"], picture["svg"][:4]) == ("4453", "<svg")
        await one.say("picture", side=1)
        assert "no analysis to draw" in (await one.hear("error"))["sentence"]
        await one.say("node", id=4, side=0, path=[6] * 30)
        assert "missing" in await one.hear("node", id=4)

    visit(port, told)
