"""The player that ships: small, honest about itself, and there for whoever asks for it."""

from __future__ import annotations

import re

import pytest

from c4 import load_agent
from c4.evaluation.judges import bare_network
from c4.evaluation.metrics import keeps_value
from c4.evaluation.sets import labelled_set
from c4.games import game_spec
from c4.native._core import Position
from c4.network.inference.factory import make_engine
from c4.network.weights import load_player
from c4.params.inference import EngineName, InferenceParams, Precision
from c4.players.checkpoints import CHAMPION, player_file

GAME = "connect4"
MOST_BYTES = 3_000_000
TORCH = InferenceParams(
    engine=EngineName.TORCH,
    precision=Precision.FLOAT32,
    streams=1,
    buckets=(16, 128),
    auto_seconds=0.0,
    average_symmetries=False,
)


def test_it_is_small_and_says_how_it_came_about() -> None:
    path = player_file(CHAMPION, game=GAME)
    assert path.stat().st_size < MOST_BYTES
    card = load_player(path, game=GAME).card
    assert {"command", "commit", "seed", "minutes"} <= card["origin"].keys()
    text = path.with_suffix(".md").read_text(encoding="utf-8")
    assert card["origin"]["command"] in text
    wrong = 100 * (1 - card["value_preserving"]["begin-hard"]["600"])
    assert re.search(rf"^\| begin-hard \|.* {wrong:.1f} \([0-9.–]+\) \|$", text, re.MULTILINE)


def test_its_figures_are_what_it_reaches() -> None:
    player = load_player(player_file(CHAMPION, game=GAME), game=GAME)
    labels = labelled_set("dev", game=GAME)
    engine = make_engine(TORCH, spec=game_spec(GAME), network=player.network)
    try:
        engine.load(player.state)
        reached = keeps_value(labels, bare_network(labels, engine).action).mean()
    finally:
        engine.close()
    assert reached == pytest.approx(player.card["value_preserving"]["dev"]["0"], abs=0.005)  # another engine rounds


def test_it_plays_at_once() -> None:
    agent = load_agent("champion", "simulations=64", "inference=torch")
    try:
        assert agent.act("") == 3
        assert Position(GAME, "445566").play(agent.act("445566")).is_terminal  # three in a row, the fourth is free
    finally:
        agent.close()
