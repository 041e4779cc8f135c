"""The players that ship: small, honest about themselves, and there for whoever asks for them."""

from __future__ import annotations

import re

import pytest
from tests.evaluation.makers import SEARCH

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
from c4.players.trained import search_of

GAME = "connect4"
GAMES = sorted(path.stem for path in player_file(CHAMPION, game=GAME).parent.glob("*.safetensors"))
MOST_BYTES = 3_000_000
TORCH = InferenceParams(
    engine=EngineName.TORCH,
    precision=Precision.FLOAT32,
    streams=1,
    buckets=(16, 128),
    auto_seconds=0.0,
    average_symmetries=False,
)


@pytest.mark.parametrize("game", GAMES)
def test_it_is_small_and_says_how_it_came_about(game: str) -> None:
    path = player_file(CHAMPION, game=game)
    assert path.stat().st_size < MOST_BYTES
    card = load_player(path, game=game).card
    assert {"command", "commit", "seed", "minutes"} <= card["origin"].keys()
    text = path.with_suffix(".md").read_text(encoding="utf-8")
    assert card["origin"]["command"] in text
    for name, figures in card["value_preserving"].items():
        wrong = 100 * (1 - figures["600"])
        assert re.search(rf"^\| {name} \|.* {wrong:.1f} \([0-9.–]+\) \|$", text, re.MULTILINE)


@pytest.mark.parametrize("game", GAMES)
def test_it_says_by_which_search_it_was_trained(game: str) -> None:
    found = search_of(CHAMPION, game=game, search=SEARCH, as_trained=True)
    assert (found.root_selection, found.cpuct, found.mlh_slope) == ("gumbel", 2.0, 0.03)


@pytest.mark.parametrize("game", GAMES)
def test_its_figures_are_what_it_reaches(game: str) -> None:
    player = load_player(player_file(CHAMPION, game=game), game=game)
    name, figures = next(iter(player.card["value_preserving"].items()))
    labels = labelled_set(name, game=game)
    engine = make_engine(TORCH, spec=game_spec(game), network=player.network)
    try:
        engine.load(player.state)
        reached = keeps_value(labels, bare_network(labels, engine).action).mean()
    finally:
        engine.close()
    assert reached == pytest.approx(figures["0"], abs=0.005)  # another engine rounds


def test_it_plays_at_once() -> None:
    agent = load_agent("champion", "simulations=64", "inference=torch")
    try:
        assert agent.act("") == 3
    finally:
        agent.close()


@pytest.mark.parametrize("game", GAMES)
def test_it_sees_the_last_stone_of_a_row(game: str) -> None:
    moves = "445566"
    if game != GAME:
        moves = " ".join(f"{column}{row}" for column in "abcd"[: game_spec(game).in_a_row - 1] for row in (1, 3))
    agent = load_agent("champion", f"game={game}", "simulations=64", "inference=torch")
    try:
        assert Position(game, moves).play(agent.act(moves)).is_terminal
    finally:
        agent.close()
