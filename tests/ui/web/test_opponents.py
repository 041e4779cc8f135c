"""Who is offered to a visitor: every kind of player, one of somebody's own too, and who can play which game."""

from __future__ import annotations

import asyncio
import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from tests.ui.own_opponents import asked, written

from c4.params.errors import ConfigError
from c4.params.target import ASKED
from c4.ui.web.house import House
from c4.ui.web.visitor import Visitor

QUICK = ("checkpoint=null", "simulations=20")
LEVEL: dict[str, Any] = {"simulations": 20, "temperature": 0.0, "mlh_slope": 0.0, "noise": 0.0}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    written(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv(ASKED, "")
    return tmp_path


def test_everybody_is_offered_where_he_can_play(folder: Path) -> None:
    with (
        asked("opponent=random", "truth=true", config_dir=folder) as config,
        contextlib.closing(House(config)) as house,
    ):
        kinds = {game: [one.kind for one in house.opponents_of(game)] for game in ("tictactoe", "gomoku9")}
        assert kinds == {
            "tictactoe": ["mine", "random", "rollout", "solver"],
            "gomoku9": ["mine", "random", "rollout"],
        }
        titles = {one.title: one.searches for one in house.opponents_of("tictactoe")}
        assert titles == {
            "The lowest move": False,
            "Chance": False,
            "Rollouts (no network)": True,
            "Perfect play (solver)": False,
        }


def test_one_of_somebodys_own_is_met_chosen_and_left(folder: Path) -> None:
    heard: list[dict[str, Any]] = []

    async def hear(message: dict[str, Any]) -> None:
        heard.append(message)

    async def run(house: House) -> None:
        visitor = Visitor(house, send=hear)

        async def say(**message: Any) -> dict[str, Any]:
            await visitor.obey(json.dumps(message))
            while "reply" in visitor.tasks.running and not visitor.tasks.running["reply"].done():
                await asyncio.sleep(0)
            return heard[-1]

        await visitor.welcome()
        assert heard[0]["games"][0]["opponents"][0] == {
            "kind": "mine",
            "title": "The lowest move",
            "searches": False,
        }
        assert heard[-1]["opponent"]["name"] == "the lowest move"
        assert (await say(type="play", action=3))["text"] == "45"  # skip is 4, as it was asked for
        await say(type="level", opponent="random", **LEVEL)
        assert (await say(type="level", opponent="mine", **LEVEL))["opponent"]["opponent"] == "mine"
        assert "no opponent is called 'yours'" in (await say(type="level", opponent="yours", **LEVEL))["sentence"]
        await visitor.leave()

    words = ("opponent=mine", "opponent.skip=4")
    with asked(*QUICK, *words, config_dir=folder) as config, contextlib.closing(House(config)) as house:
        asyncio.run(run(house))


def test_one_that_cannot_be_made_is_told_before_anybody_comes() -> None:
    for words, sentence in (
        (("opponent=solver", "truth=false"), "opponent=solver: perfect play is switched off"),
        (("opponent=rollout", "opponent.rollouts=0"), "opponent.rollouts=0 is not allowed: a whole number"),
        (
            ("opponent._target_=of_somebody.Lowest", "opponent.skp=3"),
            "it has no argument skp (it takes game, skip); did you mean skip?",
        ),
    ):
        with asked(*QUICK, *words) as config, pytest.raises(ConfigError) as error:
            House(config)
        assert sentence in str(error.value)
