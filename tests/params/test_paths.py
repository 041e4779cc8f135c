"""Where things are written is said."""

from __future__ import annotations

import pytest

from c4.params.paths import PathsParams


def test_runs_have_a_folder() -> None:
    assert PathsParams(runs="/").runs == "/"
    with pytest.raises(ValueError, match="paths.runs= is not allowed: the name of a folder"):
        PathsParams(runs="")
