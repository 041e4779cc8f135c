"""A server for all tests of a file, where they ask for no other."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.ui.web.kit import serving


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with serving("web.most_simulations=5000", "web.review_simulations=300") as (_, port):
        yield port
