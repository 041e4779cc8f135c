"""A browser for a module of tests: starting one takes a second."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from tests.e2e.browser_kit import chromium

    with chromium() as launched:
        yield launched
