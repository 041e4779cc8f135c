"""When trackers are shown a grading."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

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
