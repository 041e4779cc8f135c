"""The knobs that a person changes while playing: how they are named, what is refused, what is said."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from tests.ui.kit import table

from c4.params.search import RootSelection, SearchParams
from c4.ui import knobs
from c4.ui.commands import completions, obey
from c4.ui.session import SessionError

CHANGEABLE = [field.name for field in dataclasses.fields(SearchParams) if field.name not in {*knobs.VAIN, *knobs.SAME}]


def another(value: Any) -> str:
    """As it is typed."""
    if isinstance(value, bool):
        return "false" if value else "true"
    if isinstance(value, RootSelection):
        return next(other.value for other in RootSelection if other is not value)
    return str(value + 1) if isinstance(value, int) else f"{(value or 0.0) / 2 + 0.15:.6g}"


@pytest.mark.parametrize("name", CHANGEABLE)
def test_a_knob_is_changed_and_the_next_search_uses_it(name: str) -> None:
    one = table("4453", simulations=40)
    before = getattr(one.params, name)
    said = another(before)
    _, told = obey(f"search.{name}={said}", table=one)
    assert getattr(one.params, name) != before
    assert told.startswith(f"{name} is now {said} (it was ")
    assert one.analyse(one.session.position).visits > 0


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("simulations x", "simulations=x is not allowed: a whole number from 1 to"),
        ("simulations 1.5", "a whole number"),
        ("simulations 0", "from 1 to"),
        ("simulations nan", "a whole number"),
        ("mlh_slope 7", "from 0 to 1"),
        ("seconds=-1", "from 0.01"),
        ("search.root_selection=best", "one of: puct, gumbel"),
        ("search.early_stop=true", "search.early_stop has no effect in play: it serves self-play only"),
        ("cpuct", "cpuct needs a value: cpuct VALUE. cpuct is 2 (a number from 0 to 100): Weight of the prior"),
        ("search.cpct 2", "did you mean cpuct 2?"),
        ("checkpoint=x", "checkpoint is chosen at the start: python play.py checkpoint=..."),
        ("undo now", "undo takes nothing after it: type undo"),
        ("position 44x", "position 44x cannot be set up: "),
        ("review", "nothing to review yet"),
        ("help undoo", "did you mean undo?"),
    ],
)
def test_what_is_wrong_gets_a_sentence_and_changes_nothing(line: str, says: str) -> None:
    one = table()
    before = one.level_text()
    with pytest.raises(SessionError) as told:
        obey(line, table=one)
    assert says in str(told.value)
    assert one.level_text() == before


def test_a_number_of_simulations_takes_the_place_of_a_time() -> None:
    one = table()
    obey("seconds 3", table=one)
    obey("search.num_simulations=50", table=one)  # another name for the same
    assert (one.level.simulations, one.level.seconds) == (50, None)


def test_what_keeps_a_knob_from_having_an_effect_is_said() -> None:
    assert obey("mlh_cap 0.3", table=table())[1].endswith("; it has no effect while mlh_slope is 0")
    assert obey("gumbel_cvisit 10", table=table())[1].endswith("; it has no effect while root_selection is puct")
    one = table()
    for line in ("noise 0", "temperature_plies 0"):
        obey(line, table=one)
    assert obey("dirichlet_alpha 0.7", table=one)[1].endswith("; it has no effect while noise_epsilon is 0")
    assert obey("temperature_start 0.7", table=one)[1].endswith("; it has no effect while temperature_plies is 0")
    assert "no effect" not in obey("temperature 0.6", table=one)[1]  # which sets both ends
    assert "no effect" not in obey("noise 0.3", table=one)[1]
    obey("proven_results true", table=one)
    assert "no effect" not in obey("proof_nodes 100", table=one)[1]
    obey("proven_results false", table=one)
    assert obey("proof_nodes 50", table=one)[1].endswith("; it has no effect while proven_results is false")


def test_help_explains_a_word_and_a_knob() -> None:
    one = table()
    assert obey("help undo", table=one)[1] == "undo takes back your last move"
    assert obey("help search.cpuct", table=one)[1].startswith("cpuct is 2 (a number from 0 to 100): Weight")


def test_words_are_completed() -> None:
    assert completions("un") == ["undo"]
    assert completions("gumbel_c") == ["gumbel_considered", "gumbel_cvisit", "gumbel_cscale"]
    assert completions("search.mlh") == ["search.mlh_slope", "search.mlh_cap"]
    assert "search.early_stop" not in completions("search.")
    assert completions("the", others=("theme",)) == ["theme"]
