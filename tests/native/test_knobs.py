"""Knobs on their way into the native code: every one arrives, none is invented, and what would break it is refused."""

from __future__ import annotations

import dataclasses
import types
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


def test_what_would_break_memory_is_refused() -> None:
    for leaves in (0, 256):
        with pytest.raises(ValueError, match="leaves_per_batch must be from 1 to 255"):
            searches(leaves_per_batch=leaves)
    for knob in ("num_simulations", "gumbel_considered"):
        with pytest.raises(ValueError, match=f"{knob} must be at least 1"):
            searches(**{knob: 0})
    for knob in ("games_per_group", "groups", "num_threads", "fast_simulations"):
        with pytest.raises(ValueError, match=f"{knob}.* must be at least 1"):
            generator(**{knob: 0})
    for megabytes in (-1.0, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="cache_megabytes must be from 0"):
            generator(cache_megabytes=megabytes)
        with pytest.raises(ValueError, match="cache_megabytes must be from 0"):
            _core.Searches("connect4", 1, plain_search(), cache_megabytes=megabytes)


def test_what_is_no_selection_is_refused() -> None:
    with pytest.raises(ValueError, match="must be puct or gumbel, not best"):
        searches(root_selection="best")
