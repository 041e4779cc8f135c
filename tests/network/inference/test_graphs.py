"""Graphs that one process derives of a network and others are given."""

from __future__ import annotations

import dataclasses
from contextlib import closing
from typing import NoReturn

import pytest
from tests.network.inference.test_engines import PARAMS, same_bits
from tests.network.shapes import CONNECT4, SHAPES, random_planes, trained_like

from c4.network.inference.factory import graphs_of, make_engine
from c4.params.inference import EngineName, Precision

NAME = next(iter(SHAPES))


@pytest.mark.parametrize("precision", [Precision.FLOAT32, Precision.BFLOAT16, Precision.INT8])
def test_an_engine_that_is_given_graphs_traces_none_and_says_the_same_bits(
    monkeypatch: pytest.MonkeyPatch, precision: Precision
) -> None:
    pytest.importorskip("openvino")
    from c4.network.inference.openvino_graph import Graph

    params = dataclasses.replace(PARAMS, engine=EngineName.OPENVINO, precision=precision)
    planes = random_planes(CONNECT4, 45)
    network, other, third = (trained_like(CONNECT4, SHAPES[NAME]) for _ in range(3))
    with closing(make_engine(params, spec=CONNECT4, network=network)) as engine:
        engine.load(network.state_dict())
        expected = engine.evaluate(planes.numpy())
        graphs = graphs_of(engine)
    assert graphs.keys() == set(params.buckets)
    assert all(len(frame) < 50_000 for frame in graphs.values())

    def traced(*_: object, **__: object) -> NoReturn:
        raise AssertionError("traced anew")

    monkeypatch.setattr(Graph, "traced", traced)
    with closing(make_engine(params, spec=CONNECT4, network=other, graphs=graphs)) as engine:
        for _ in range(2):
            engine.load(other.state_dict())
            assert same_bits(engine.evaluate(planes.numpy()), expected)
    with pytest.raises(AssertionError, match="traced anew"):
        make_engine(params, spec=CONNECT4, network=third)


def test_other_engines_have_none() -> None:
    network = trained_like(CONNECT4, SHAPES[NAME])
    with closing(make_engine(PARAMS, spec=CONNECT4, network=network)) as engine:
        assert graphs_of(engine) == {}
