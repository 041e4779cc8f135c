"""Which build of the native module is taken: the highest level that is there and that the processor has."""

import pytest

from c4.native import LEVELS, best_level

V3 = LEVELS["v3"]
V4 = V3 | LEVELS["v4"]


@pytest.mark.parametrize(
    ("built", "has", "taken"),
    [
        ({"v3", "v4"}, V4, "v4"),
        ({"v3", "v4"}, V3, "v3"),
        ({"v3", "v4"}, V3 - {"avx2"}, None),
        ({"v3", "v4"}, LEVELS["v4"], None),  # a level has all that is below it
        ({"v3"}, V4, "v3"),
        (set(), V4, None),
        ({"v3", "v4"}, frozenset[str](), None),  # no Linux
    ],
)
def test_the_best_level_is_taken(built: set[str], has: frozenset[str], taken: str | None) -> None:
    assert best_level(built, has=has) == taken
