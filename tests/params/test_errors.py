"""The name that was probably meant."""

from __future__ import annotations

from c4.params.errors import did_you_mean, nearest_of

KNOWN = ["name", "inner", "inner.cpuct", "inner.count"]


def test_the_nearest_is_found_by_its_last_part_too() -> None:
    assert nearest_of("iner.cpuct", KNOWN) == "inner.cpuct"
    assert nearest_of("cpuct", KNOWN) == "inner.cpuct"
    assert nearest_of("something.count", KNOWN) == "inner.count"
    assert nearest_of("qqqqqqq", KNOWN) is None


def test_it_ends_a_sentence() -> None:
    assert did_you_mean("cpuc", KNOWN) == "; did you mean inner.cpuct?"
    assert did_you_mean("qqqqqqq", KNOWN) == ""
