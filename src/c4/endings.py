"""How a run ends: as an outcome in its folder, and in sentences for a person, which train.log has too."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from threading import Event

from lightning_fabric.utilities.exceptions import MisconfigurationException

from c4.callbacks.run_checkpoint import RunCheckpoint
from c4.callbacks.watch_health import UnhealthyError
from c4.cli import OUT_OF_MEMORY, USAGE, RunError
from c4.evaluation.failures import BookError
from c4.games import UnknownGameError, game_spec
from c4.ledger import BudgetSpentError
from c4.machine import lacks_memory
from c4.network.inference.engine import EngineUnavailableError
from c4.others import LostRankError
from c4.params.errors import ConfigError
from c4.params.plain import as_plain
from c4.params.target import trusting
from c4.params.train import TrainConfig
from c4.run.folder import RunFolder, StateError
from c4.run.outcome import Ending, write_outcome
from c4.run.result import how_to_go_on, result_lines
from c4.run.train_log import SHOWN
from c4.tracking.loggers import LoggerError
from c4.tracking.view import View

log = logging.getLogger(__name__)

ASKED_WRONGLY = (BookError, ConfigError, EngineUnavailableError)
SAID_ALREADY = (
    *ASKED_WRONGLY, BudgetSpentError, LoggerError, StateError, UnhealthyError, MisconfigurationException,
    LostRankError, UnknownGameError,
)  # fmt: skip
"""Errors whose text is all that a person needs."""

STUMBLED = (LookupError, TypeError, ValueError, AttributeError, RuntimeError)
"""What a state that is whole, and does not say what this program's states say, makes of those who read it."""

Rows = Sequence[Mapping[str, float]]


@contextmanager
def one_sentence(config: TrainConfig, *, folder: RunFolder, begun: Event) -> Iterator[None]:
    """What a person can do something about ends the run with a RunError, which stands in its folder too.

    `begun` is set once the run can no longer be refused.
    """
    try:
        with _loading(config.resume, begun=begun):
            yield
    except Exception as error:
        starved = lacks_memory(error)
        if not (starved or isinstance(error, (*SAID_ALREADY, OSError))):
            raise
        reason, needs = reason_of(error, folder=folder), _needs(config)
        if begun.is_set() or not folder.has_config():  # else what stands there of an earlier end still holds
            with suppress(OSError, MemoryError):  # where the disk is full there is no room for this either
                write_outcome(folder, ending=Ending.FAILED, reason=reason, metrics={})
        if isinstance(error, UnhealthyError):  # the same again would end the same
            slower = f"model.learning_rate={config.model.learning_rate / 2:g}"
            reason += f"; {how_to_go_on(folder, change=slower, needs=needs)}"
        if starved:
            reason += "; a run takes less with a smaller selfplay.cache_megabytes or selfplay.games_per_group"
        if starved or isinstance(error, OSError | LostRankError):
            reason += f"; {how_to_go_on(folder, needs=needs)}"
        log.error("%s", reason, extra=SHOWN)
        raise RunError(
            reason, code=USAGE if isinstance(error, (*ASKED_WRONGLY, MisconfigurationException)) else 1
        ) from error


@contextmanager
def _loading(resume: str | None, *, begun: Event) -> Iterator[None]:
    """Until a resumed run has begun, whatever stumbles refuses its state."""
    try:
        yield
    except STUMBLED as error:
        if resume is None or begun.is_set() or isinstance(error, SAID_ALREADY) or lacks_memory(error):
            raise
        logging.getLogger("resume").error("cannot be resumed from", exc_info=error)  # into the run's log alone
        raise StateError(f"resume={resume} cannot be resumed from: {' '.join(str(error).split())}") from error


def reason_of(error: Exception, *, folder: RunFolder) -> str:
    if lacks_memory(error):
        return OUT_OF_MEMORY
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror}: {error.filename or folder.path}"
    return str(error).splitlines()[0]


def _needs(config: TrainConfig) -> str:
    """The words without which a run is not gone on with: its folder alone is not believed (c4/run/resume.py)."""
    cluster = config.selfplay
    asked = cluster.actors is not None and cluster.address not in {None, "auto"}
    return " ".join(
        word for word in (trusting(as_plain(config)), f"selfplay.address={cluster.address}" if asked else "") if word
    )


class Endings:
    """Those that are no errors."""

    def __init__(self, config: TrainConfig, *, folder: RunFolder, view: View) -> None:
        self._config, self._folder, self._view = config, folder, view

    def finished(self, rows: Rows, *, checkpoint: RunCheckpoint) -> None:
        config = self._config
        monitor = config.callbacks.checkpoint.monitor
        if monitor is not None and checkpoint.best is None:
            log.warning("callbacks.checkpoint.monitor=%s was never logged: the newest player is the best", monitor)
        said = result_lines(
            rows,
            title=game_spec(config.game.name).title,
            folder=self._folder,
            best_generation=checkpoint.best_generation,
            needs=trusting(as_plain(config.network)),
        )
        self._say(Ending.FINISHED, said, rows=rows)

    def stopped(self, *, by: str) -> None:
        sentence = how_to_go_on(self._folder, needs=_needs(self._config))
        self._say(Ending.STOPPED, [f"stopped by {by}: {sentence}"], reason=by)

    def pruned(self, rows: Rows) -> None:
        self._say(Ending.PRUNED, [f"ended early after generation {len(rows)}"], rows=rows)

    def _say(self, ending: Ending, said: Sequence[str], *, rows: Rows = (), reason: str = "") -> None:
        write_outcome(self._folder, ending=ending, reason=reason, metrics=rows[-1] if rows else {})
        self._view.close()
        for line in said:
            log.info("%s", line)
