"""A run in Weights & Biases: online where there is a key, offline otherwise, with the same content.

W&B is told the generation as a metric of its own, by which curves are drawn (those within a generation by the steps of
the optimizer): its inner step only counts calls, so that a run that is resumed may say again what a killed process
has said already.
"""

from __future__ import annotations

import json
import netrc
import os
from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

os.environ.setdefault("WANDB_ERROR_REPORTING", "false")
os.environ.setdefault("WANDB_SILENT", "true")
os.environ.pop("WANDB_SERVICE", None)  # the service of who started this process outlives a killed run and keeps its id
import wandb
from pytorch_lightning.loggers.logger import Logger
from typing_extensions import override

from c4.params.errors import ConfigError, did_you_mean
from c4.params.logger import WandbMode, WandbParams
from c4.params.metrics import better
from c4.report.picture import Picture
from c4.report.table import Bars
from c4.run.metrics import STEP
from c4.tracking.tracker import Conclusion, Exhibit

STAGING = "WANDB_DATA_DIR"
"""Where W&B keeps the files of artifacts until they are sent: offline that is for long, so it belongs to the run."""


STEPS = "steps/trained"
MODES = {"online": "online", "run": "online", "offline": "offline", "dryrun": "offline", "disabled": "disabled"}
"""What W&B takes for a mode, former words of its own among them."""

SUMMARIES = {"higher": "last,max", "lower": "last,min", "": "last"}
"""What W&B keeps of a curve, by the way in which it is better: the best of it is a column to sort runs by."""

FLUSH_SECONDS = 15.0
"""What a killed process may lose; Loggers.go_on covers more."""


PATIENCE = {"init_timeout": 30.0, "finish_timeout": 120.0}
"""Seconds that a server has to answer when a run begins, and to take what is left when it ends. WANDB_INIT_TIMEOUT and
WANDB_FINISH_TIMEOUT in the environment count more."""


class WandbError(RuntimeError):
    """W&B does not answer; the text says what it said."""


class WandbRun(Logger):
    """One run, however often it is resumed: `run_id` is the same each time."""

    def __init__(self, params: WandbParams, *, folder: Path, name: str, run_id: str, commit: str) -> None:
        super().__init__()
        given_up = ""
        mode: Any = _mode(params)
        self._artifact = params.artifact
        self._staging = os.environ.get(STAGING)
        os.environ.setdefault(STAGING, str(folder / "wandb" / "data"))
        settings: dict[str, Any] = {
            "name": params.name or f"{name}-{folder.name}",
            "dir": folder,
            "id": run_id,
            "project": params.project,
            "entity": params.entity,
            "group": params.run_group,
            "tags": list(params.tags),
            "resume": "allow",
            "reinit": "finish_previous",
            "settings": _settings(commit),
        }
        try:
            try:
                self._run = wandb.init(**settings, mode=mode)
            except wandb.errors.Error as error:
                given_up = " ".join(str(error).split())
                wandb.teardown()  # or the id would be taken
                if mode != "online" or not _is_open(params):
                    raise
                mode = "offline"  # and sent later
                self._run = wandb.init(**settings, mode=mode)
        except wandb.errors.Error as error:
            self._restore()
            raise WandbError(f"W&B: {given_up}; logger.wandb.mode=offline needs no account") from error
        self.offline, self.given_up = mode == "offline", given_up
        self._drawn = {STEP, STEPS}  # names that W&B knows how to draw
        for step in (STEP, STEPS):
            self._run.define_metric(step, hidden=True)

    @property
    @override
    def name(self) -> str:
        return "wandb"

    @property
    @override
    def version(self) -> str:
        return str(self._run.id)

    @override
    def log_hyperparams(self, params: dict[str, Any] | Namespace, *args: Any, **kwargs: Any) -> None:
        settings = params if isinstance(params, dict) else vars(params)
        self._run.config.update(dict(settings), allow_val_change=True)  # type: ignore[no-untyped-call]

    @override
    def log_metrics(self, metrics: Mapping[str, float], step: int | None = None) -> None:
        if step is None:
            raise ValueError("metrics are logged by generation: log them with a step")
        self._log({name: float(value) for name, value in metrics.items() if name != "epoch"}, by=STEP, step=step)

    def log_steps(self, figures: Mapping[str, float], *, step: int) -> None:
        self._log({f"steps/{name}": value for name, value in figures.items()}, by=STEPS, step=step)

    def show(self, exhibits: Sequence[Exhibit], *, step: int) -> None:
        self._run.log({one.name: _shown(one) for one in exhibits} | {STEP: step})

    def conclude(self, conclusion: Conclusion) -> None:
        """Ends the run, or the next one of a sweep would write into it."""
        try:
            self._run.summary.update(dict(conclusion.summary))
            if conclusion.player is not None and self._artifact:
                self._keep(conclusion.player, conclusion)
        finally:
            self._finish(failed=conclusion.failed)

    def _finish(self, *, failed: bool) -> None:
        """Raises OSError where a server has vanished."""
        try:
            self._run.finish(exit_code=int(failed))
        except TimeoutError as error:
            raise OSError(f"its server does not answer; later: wandb sync {Path(self._run.dir).parent}") from error
        finally:
            self._restore()

    def _log(self, row: Mapping[str, float], *, by: str, step: int) -> None:
        for name in row.keys() - self._drawn:
            self._run.define_metric(name, step_metric=by, summary=SUMMARIES[better(name.removeprefix("steps/"))])
        self._drawn |= row.keys()
        self._run.log({**row, by: step})

    def _keep(self, player: Path, conclusion: Conclusion) -> None:
        artifact = wandb.Artifact(f"player-{self._run.id}", type="model", metadata=dict(conclusion.about))
        artifact.add_file(str(player))
        with artifact.new_file("card.md", encoding="utf-8") as file:
            file.write(conclusion.card)
        with artifact.new_file("card.json", encoding="utf-8") as file:
            json.dump(dict(conclusion.about), file, indent=2)
        self._run.log_artifact(artifact, aliases=["best"])

    def _restore(self) -> None:
        """The environment as it was: the next run of a sweep has a folder of its own."""
        if self._staging is None:
            os.environ.pop(STAGING, None)


def _settings(commit: str) -> Any:
    patience: Any = {name: seconds for name, seconds in PATIENCE.items() if f"WANDB_{name.upper()}" not in os.environ}
    return wandb.Settings(
        silent=True,
        console="off",
        git_commit=commit.rstrip("+"),
        x_transaction_log_flush_interval=FLUSH_SECONDS,
        finish_timeout_raises=True,
        **patience,
    )


def _is_open(params: WandbParams) -> bool:
    """Whether nobody has asked for online by that word."""
    return params.mode is WandbMode.AUTO and not os.environ.get("WANDB_MODE")


def has_key() -> bool:
    """Whether W&B would find a key: in the environment or in the netrc file, as its login leaves it."""
    if os.environ.get("WANDB_API_KEY"):
        return True
    host = urlparse(os.environ.get("WANDB_BASE_URL", "https://api.wandb.ai")).hostname
    try:
        return host is not None and netrc.netrc().authenticators(host) is not None
    except (OSError, netrc.NetrcParseError):
        return False


def _mode(params: WandbParams) -> Any:
    """W&B's word for it. WANDB_MODE in the environment counts more than the configuration, as W&B's users expect."""
    wanted = os.environ.get("WANDB_MODE") or params.mode.value
    if wanted == WandbMode.AUTO.value:
        return "online" if has_key() else "offline"
    if wanted not in MODES:
        hint = did_you_mean(wanted, MODES)
        raise ConfigError(f"WANDB_MODE={wanted} is not allowed: online, offline or disabled{hint}")
    if MODES[wanted] == "online" and not has_key():
        raise WandbError("W&B has no key: `wandb login` leaves one; logger.wandb.mode=offline needs none")
    return MODES[wanted]


def _shown(exhibit: Exhibit) -> Any:
    if isinstance(exhibit, Picture):
        return wandb.Image(exhibit.pixels(), caption=exhibit.about)
    if isinstance(exhibit, Bars):
        data = wandb.Table(columns=[exhibit.label, exhibit.value], data=[list(bar) for bar in exhibit.bars])
        return wandb.plot.bar(data, exhibit.label, exhibit.value, title=exhibit.about)
    return wandb.Table(columns=list(exhibit.columns), data=[list(row) for row in exhibit.rows])
