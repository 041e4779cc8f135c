"""Every game is registered, described by the reference and selectable in conf/, all under one name."""

from __future__ import annotations

from pathlib import Path

import pytest
from omegaconf import OmegaConf

from c4.games import game_names, game_spec
from c4.params.game import GameParams
from c4.reference.games import START

CONF = Path(__file__).parents[2] / "conf" / "game"


def test_configurations_are_those_of_the_registered_games() -> None:
    assert sorted(path.stem for path in CONF.glob("*.yaml")) == game_names()


@pytest.mark.parametrize("path", sorted(CONF.glob("*.yaml")), ids=lambda path: path.stem)
def test_a_configuration_names_its_game(path: Path) -> None:
    params = GameParams(**OmegaConf.load(path))  # type: ignore[arg-type]
    assert params.name == path.stem


def test_the_reference_knows_the_registered_games() -> None:
    assert sorted(START) == game_names()


@pytest.mark.parametrize("game", game_names())
def test_native_and_reference_have_one_shape(game: str) -> None:
    spec, start = game_spec(game), START[game]
    names = ("height", "width", "in_a_row", "actions", "max_plies", "symmetries")
    assert {name: getattr(spec, name) for name in names} == {name: getattr(start, name) for name in names}
    assert start.planes().shape == (spec.planes, spec.height, spec.width)
