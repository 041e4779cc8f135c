"""Knobs on their way into the native code: every one arrives, none is invented, and what would break it is refused."""

from __future__ import annotations

import dataclasses
import math
import types
from collections.abc import Callable
from typing import Any

import pytest

from c4.native import _core
from c4.native.knobs import plain_search, plain_selfplay
from c4.params.search import SearchParams
from c4.params.selfplay import SelfplayParams


def searches(**changes: Any) -> _core.Searches:
    return _core.Searches("connect4", 1, types.SimpleNamespace(**(_core.plain_search() | changes)))


def generator(**changes: Any) -> _core.Generator:
    selfplay = types.SimpleNamespace(**(_core.plain_selfplay() | changes))
    return _core.Generator("connect4", plain_search(), selfplay, seed=1)


def test_the_native_code_lists_the_knobs_of_the_parameter_classes_in_their_order() -> None:
    assert list(_core.plain_search()) == [field.name for field in dataclasses.fields(SearchParams)]
    assert list(_core.plain_selfplay()) == [field.name for field in dataclasses.fields(SelfplayParams)]


def test_plain_knobs_are_allowed_and_changed_by_name() -> None:
    assert plain_search(cpuct=3.0) == dataclasses.replace(plain_search(), cpuct=3.0)
    assert plain_selfplay(groups=2, value_trace=0.5).value_trace == 0.5
    with pytest.raises(ValueError, match="cpucd: there is no such key; did you mean cpuct?"):
        plain_search(cpucd=3.0)


def test_a_knob_that_is_missing_or_of_another_type_is_named() -> None:
    with pytest.raises(AttributeError, match="cpuct"):
        _core.Searches("connect4", 1, None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="cpuct cannot be 'high'"):
        searches(cpuct="high")
    with pytest.raises(TypeError, match="num_simulations cannot be 1.5"):
        searches(num_simulations=1.5)
    with pytest.raises(TypeError, match="value_trace cannot be 'none'"):
        generator(value_trace="none")


def ranges_of(params: type[Any]) -> dict[str, tuple[float, float]]:
    ends = {field.name: (field.metadata["low"], field.metadata["high"]) for field in dataclasses.fields(params)}
    return {name: (low, high) for name, (low, high) in ends.items() if low is not None}


def test_the_native_code_and_the_parameter_classes_allow_the_same() -> None:
    assert _core.search_ranges() == ranges_of(SearchParams)
    assert _core.selfplay_ranges() == ranges_of(SelfplayParams)
    unbounded = {
        *(field.name for field in dataclasses.fields(SearchParams) if field.name not in _core.search_ranges()),
        *(field.name for field in dataclasses.fields(SelfplayParams) if field.name not in _core.selfplay_ranges()),
    }
    assert unbounded == {"reuse_tree", "proven_results", "early_stop", "root_selection"}  # yes, no, and one of two


@pytest.mark.parametrize(
    ("make", "knob", "low", "high"),
    [
        *((searches, name, *ends) for name, ends in _core.search_ranges().items()),
        *((generator, name, *ends) for name, ends in _core.selfplay_ranges().items()),
    ],
)
def test_every_knob_is_refused_out_of_its_range_where_memory_is(
    make: Callable[..., Any], knob: str, low: float, high: float
) -> None:
    whole = isinstance((_core.plain_search() | _core.plain_selfplay())[knob], int)
    outside: tuple[float, ...] = (int(low) - 1, int(high) + 1, -(2**31), 2**31 - 1)
    if not whole:
        outside = (low - 0.01, high * 1.01 + 0.01, -1e38, 1e38, math.nan, math.inf, -math.inf)
    for value in outside:
        with pytest.raises(ValueError, match=rf"{knob} must be from \S+ to \S+, not"):
            make(**{knob: value})


def test_what_is_asked_of_the_native_code_besides_knobs_is_limited_too() -> None:
    with pytest.raises(ValueError, match="groups times games_per_group must be from 1 to 1000000, not 64000000"):
        generator(groups=64, games_per_group=1_000_000)
    for size, threads, megabytes in ((0, 1, 0.0), (2**31 - 1, 1, 0.0), (1, 2**31 - 1, 0.0), (1, 1, math.nan)):
        with pytest.raises(ValueError, match="must be from"):
            _core.Searches("connect4", size, plain_search(), cache_megabytes=megabytes, num_threads=threads)
    for name, numbers in {"first_game": (-1, 2**62), "game_stride": (0, 2**40), "games": (0, 2**62)}.items():
        for number in numbers:
            with pytest.raises(ValueError, match=f"{name} must be from"):
                _core.Generator("connect4", plain_search(), plain_selfplay(), seed=1, **{name: number})
    with pytest.raises(ValueError, match="entries must be from 0"):
        _core.GomokuSolver(size=6, in_a_row=4, entries=2**40)


def test_a_forced_win_is_not_sought_beyond_the_end_of_the_game() -> None:
    solver = _core.GomokuSolver(size=3, in_a_row=3, entries=64)
    assert solver.forced([4, 0, 8, 2, 1, 7, 3, 5], threes=True, plies=2**31 - 1, nodes=2**63) == 0


def test_what_is_no_selection_is_refused() -> None:
    with pytest.raises(ValueError, match="must be puct or gumbel, not best"):
        searches(root_selection="best")
