"""What a view is told of how far a run is."""

from __future__ import annotations

from typing import Any, cast

import pytest

from c4.callbacks.show_progress import ShowProgress
from c4.params.callbacks import ProgressParams
from c4.tracking.view import Status


class Watching:
    """A view, and the ledger of a run of minutes."""

    def __init__(self, *, spent: bool) -> None:
        self.seen, self.spent, self.rows = list[Status](), spent, ()

    def show(self, status: Status) -> None:
        self.seen.append(status)

    def is_spent(self) -> bool:
        return self.spent

    def progress(self) -> float:
        return 0.97

    def elapsed(self) -> float:
        return 97.0

    def seconds_left(self) -> float:
        return 3.0


@pytest.mark.parametrize(("spent", "share"), [(True, 1.0), (False, 0.97)])
def test_a_run_that_has_ended_is_whole_and_one_that_was_stopped_is_not(spent: bool, share: float) -> None:
    """A budget of minutes ends where no further generation is worth beginning: before its last second."""
    both: Any = Watching(spent=spent)
    params = ProgressParams(live=True, refresh_seconds=0.05, line_seconds=0.0)
    ShowProgress(view=both, ledger=both, table=both, params=params).on_train_end(cast(Any, None), cast(Any, None))
    assert both.seen[-1].share == share
    assert both.seen[-1].phase is None
