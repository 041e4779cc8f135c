"""Knobs as plain values, and back with every check."""

from __future__ import annotations

import json

import pytest
from tests.network.shapes import SHAPES
from tests.test_learning import PARAMS

from c4.params.errors import ConfigError
from c4.params.network import NetworkParams
from c4.params.plain import as_plain, from_plain


@pytest.mark.parametrize("params", SHAPES.values(), ids=SHAPES)
def test_there_and_back_through_json(params: NetworkParams) -> None:
    assert from_plain(NetworkParams, json.loads(json.dumps(as_plain(params)))) == params


def test_lists_and_nothing_survive() -> None:
    assert from_plain(type(PARAMS), json.loads(json.dumps(as_plain(PARAMS)))) == PARAMS


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"width": 0}, "width"),
        ({"wdith": 3}, "wdith"),
        ({"value_head": "both"}, "value_head"),
        ({"depth": 1.5}, "depth"),
    ],
)
def test_values_from_a_file_are_checked_like_any_others(change: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        from_plain(NetworkParams, as_plain(SHAPES["plain"]) | change)
