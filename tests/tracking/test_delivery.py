"""When trackers are shown a grading."""

from __future__ import annotations

import types
from pathlib import Path
from typing import Any, cast

import pytest
from tests.evaluation.makers import SEARCH, Judge

from c4.report import exhibits
from c4.run.folder import RunFolder
from c4.tracking import delivery
from c4.tracking.loggers import Loggers


class Shown(list[int]):
    """The generations that were shown."""

    def show(self, _: Any, *, step: int) -> None:
        self.append(step)


def test_gradings_are_shown_ever_less_often_however_many_generations_lie_between(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(exhibits, "grading_exhibits", lambda _: [])
    shown = Shown()
    show = delivery.Delivery(cast(Loggers, shown), folder=RunFolder(path=tmp_path))
    for generation in range(3, 30, 3):
        show.graded(cast(Any, {"of": generation}), generation)
    assert shown == [3, 6, 12, 24]


def test_the_search_tree_is_shown_once_where_pictures_are_wanted(tmp_path: Path) -> None:
    told: list[Any] = []
    loggers: Any = types.SimpleNamespace(
        wants_exhibits=lambda: True, show=lambda pictures, *, step: told.append((pictures, step))
    )
    show = delivery.Delivery(loggers, folder=RunFolder(path=tmp_path))
    show.searched(Judge("connect4_4x4"), game="connect4_4x4", search=SEARCH, simulations=0)
    assert told == []
    show.searched(Judge("connect4_4x4"), game="connect4_4x4", search=SEARCH, simulations=20)
    ((picture,), step) = told[0]
    assert (picture.name, step, picture.about) == (
        "pictures/search_tree", 0, "search tree of the empty board, 20 visits"
    )  # fmt: skip
