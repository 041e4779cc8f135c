"""One colour for one thing on every page; no two things of one chart look alike."""

from __future__ import annotations

import pytest

from c4.report.style import COLOURS, LOOKS, THINGS, budget_colour, looks, theme_css


def test_a_thing_has_its_colour_whatever_stands_beside_it() -> None:
    for names in (["opening", "search"], ["noise", "opening", "search", "temperature"], ["search"]):
        assert dict(zip(names, (look.colour for look in looks(names)), strict=True))["search"] == THINGS["search"]


def test_things_of_one_chart_differ_in_colour_and_in_mark() -> None:
    found = looks(["bare", "bare", "something", "whole", "total", "", ""])
    assert len({look.colour for look in found}) == len({look.mark for look in found}) == len(LOOKS)


def test_what_has_no_colour_leaves_those_that_are_wanted() -> None:
    first, second, third = looks(["something", "orange", "blue"])
    assert (second.colour, third.colour) == ("orange", "blue")
    assert first.colour not in {"orange", "blue"}
    assert len(looks([""] * 20)) == 20


@pytest.mark.parametrize(
    ("simulations", "colour"), [(0, "orange"), (1, "gold"), (32, "blue"), (128, "green"), (600, "violet")]
)
def test_a_budget_has_one_colour(simulations: int, colour: str) -> None:
    assert budget_colour(simulations) == colour


def test_colours_can_be_told_apart_in_a_drawing() -> None:
    """They become variables by their value in the light."""
    lights = [light for light, _ in COLOURS.values()]
    assert len(set(lights)) == len(lights)
    assert theme_css("svg").count("--ink:") == 2
