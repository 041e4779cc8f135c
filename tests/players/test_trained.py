"""The search that a player was trained with: from its run, from its own file, and where it is not kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.evaluation.makers import SEARCH
from tests.network.shapes import SMALL, trained_like

from c4.games import game_spec
from c4.network.weights import SEARCH_OF_RUN, PlayerFileError, save_player
from c4.params.plain import as_plain
from c4.params.search import OFF_IN_PLAY, SearchParams
from c4.players.trained import keeps_search, search_of

GAME = "connect4"
KEPT = as_plain(SEARCH) | {"mlh_slope": 0.07, "noise_epsilon": 0.25, "temperature_start": 1.0, "leaves_per_batch": 3}


def saved(path: Path, **card: Any) -> str:
    spec = game_spec(GAME)
    save_player(path, spec=spec, design=SMALL, state=trained_like(spec, SMALL).state_dict(), card=card)
    return str(path)


def found(word: str, *, as_trained: bool = True) -> SearchParams:
    return search_of(word, game=GAME, search=SEARCH, as_trained=as_trained)


def test_it_is_that_of_the_run_but_for_what_serves_self_play_only(tmp_path: Path) -> None:
    player = saved(tmp_path / "best.safetensors", **{SEARCH_OF_RUN: as_plain(SEARCH)})
    (tmp_path / "config.yaml").write_text(json.dumps({"search": KEPT}))
    search = found(player)
    assert search.mlh_slope == 0.07
    assert all(getattr(search, name) == value for name, value in OFF_IN_PLAY.items())
    assert (search.temperature_start, search.leaves_per_batch) == (SEARCH.temperature_start, SEARCH.leaves_per_batch)
    assert found(player, as_trained=False) == SEARCH
    assert found(str(tmp_path)).mlh_slope == 0.07


def test_a_player_that_has_left_its_run_has_it_with_it(tmp_path: Path) -> None:
    assert found(saved(tmp_path / "best.safetensors", **{SEARCH_OF_RUN: KEPT})).mlh_slope == 0.07


def test_knobs_of_older_runs_are_known_or_as_they_are_today(tmp_path: Path) -> None:
    kept = {"mlh_slope": 0.07, "forced_playouts": 2.0, "no_such_knob_any_more": 3}
    search = found(saved(tmp_path / "old.safetensors", **{SEARCH_OF_RUN: kept}))
    assert (search.mlh_slope, search.cpuct) == (0.07, SEARCH.cpuct)


def test_what_is_not_kept_or_no_search_is_a_sentence(tmp_path: Path) -> None:
    assert not keeps_search(saved(tmp_path / "alone.safetensors"), game=GAME)
    assert keeps_search(saved(tmp_path / "kept.safetensors", **{SEARCH_OF_RUN: KEPT}), game=GAME)
    with pytest.raises(PlayerFileError, match=r"alone\.safetensors: nothing records the search it was trained with"):
        found(saved(tmp_path / "alone.safetensors"))
    with pytest.raises(PlayerFileError, match=r"cannot be used: mlh_slope=far is not allowed: a number"):
        found(saved(tmp_path / "odd.safetensors", **{SEARCH_OF_RUN: {"mlh_slope": "far"}}))
