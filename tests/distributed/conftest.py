"""The cluster of two nodes that this folder's tests share, and their connection to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from benchmarks.ray_nodes import Nodes


@pytest.fixture(scope="package")
def nodes() -> Iterator[Nodes]:
    ray = pytest.importorskip("ray")
    nodes = Nodes()
    try:
        _connect(ray, nodes.address)
        nodes.begin()
        yield nodes
    finally:
        ray.shutdown()
        nodes.close()


def _connect(ray: Any, address: str) -> None:
    """Once the head answers."""
    for attempt in range(5):
        try:
            ray.init(address=address, logging_level="ERROR", log_to_driver=False)
        except ConnectionError:
            if attempt == 4:
                raise
        else:
            return
