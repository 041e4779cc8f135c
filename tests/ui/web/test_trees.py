"""Trees of visitors: gone with who left, and under one limit together."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Iterator

import pytest
from tests.ui.web.kit import PATIENCE, both, guest, serving

from c4.players.thinker import Thinker
from c4.ui.web.trees import Trees


class Tree:
    def __init__(self, *, in_use: bool = False) -> None:
        self.in_use, self.dropped = in_use, False

    def drop(self) -> None:
        self.dropped = True


def test_who_is_idle_for_longest_makes_room_and_no_more_than_need_be() -> None:
    trees, thinks, first, second, new = Trees(most=100), Tree(in_use=True), Tree(), Tree(), Tree(in_use=True)
    for tree in (thinks, second, first):
        trees.note(tree, 30)
    trees.note(second, 30)  # used again
    trees.note(new, 40)
    assert [tree.dropped for tree in (thinks, first, second, new)] == [False, True, False, False]
    assert trees.bytes == 100
    assert trees.may_grow(new)


def test_where_all_think_only_the_small_ones_may_grow() -> None:
    trees, large, small = Trees(most=100), Tree(in_use=True), Tree(in_use=True)
    trees.note(large, 90)
    trees.note(small, 20)
    assert (trees.may_grow(large), trees.may_grow(small)) == (False, True)
    assert (large.dropped, small.dropped) == (False, False)


def test_a_tree_that_is_gone_counts_no_longer() -> None:
    trees, tree = Trees(most=100), Tree()
    trees.note(tree, 60)
    del tree
    assert trees.bytes == 0


@pytest.fixture
def uncollected() -> Iterator[None]:
    """Nobody looks for cycles."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@pytest.mark.usefixtures("uncollected")
def test_trees_go_with_who_left_and_wait_for_no_collection() -> None:
    async def run(port: int) -> None:
        async with guest(port) as one:
            await one.say("load", game="connect4", position="4453", side="second")
            await one.hear("game", thinks=False)  # the opponent has a tree
            await one.say("analyse", judges=["rollouts"], visits=300)
            await one.hear("thought", done=True)
            await one.say("try", action=3)
            await one.hear("tried")
            await one.say("analyse", judges=["rollouts", "rollouts"], visits=None)
            await one.hear("thought", done=False)

    with serving("web.review_simulations=5", "truth=false") as (house, port):
        asyncio.run(run(port))
        deadline = time.monotonic() + PATIENCE
        while (left := thinkers()) and time.monotonic() < deadline:
            time.sleep(0.01)  # the last chunk of a search is on its way
        assert left == 0
        assert house.trees.bytes == 0


def thinkers() -> int:
    return sum(type(each) is Thinker for each in gc.get_objects())


def test_a_tree_that_made_room_says_so_and_is_grown_again_when_asked_for() -> None:
    async def run(port: int) -> None:
        async with guest(port) as one, guest(port) as other:
            for each in (one, other):
                await each.say("load", **both("4453"))
                await each.hear("game", text="4453")
            await one.say("analyse", id=1, judges=["rollouts"], visits=8000)
            first = await one.hear("thought", done=True)
            assert not first["crowded"]
            await other.say("analyse", id=1, judges=["rollouts"], visits=8000)
            await other.hear("thought", done=True)
            await one.say("node", id=2, side=0, path=[])
            assert "made room" in (await one.hear("node"))["missing"]
            await one.say("analyse", id=3, judges=["rollouts"], visits=500)
            assert (await one.hear("thought", id=3, done=True))["visits"] >= 500

    with serving("web.trees_megabytes=2") as (_, port):
        asyncio.run(run(port))


def test_who_thinks_alone_and_reaches_the_limit_of_all_is_told() -> None:
    async def run(port: int) -> None:
        async with guest(port) as one:
            await one.say("load", **both("4453"))
            await one.hear("game", text="4453")
            await one.say("analyse", judges=["rollouts"], visits=None)
            last = await one.hear("thought", done=True)
            assert (last["crowded"], last["full"]) == (True, False)

    with serving("web.trees_megabytes=1") as (_, port):
        asyncio.run(run(port))
