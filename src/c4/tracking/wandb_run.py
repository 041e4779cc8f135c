"""A run in Weights & Biases: online where there is a key, offline otherwise, with the same content.

W&B is told the generation as a metric of its own, by which all curves are drawn: its inner step only counts calls, so
that a run that is gone on with may say again what a killed process has said already.
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

from c4.params.logger import WandbMode, WandbParams
from c4.report.picture import Picture
from c4.report.table import Table
from c4.run.metrics import STEP
from c4.tracking.tracker import Conclusion

STAGING = "WANDB_DATA_DIR"
"""Where W&B keeps the files of artifacts until they are sent: offline that is for long, so it belongs to the run."""


FLUSH_SECONDS = 15.0
"""What a killed process may lose; Loggers.go_on covers more."""


class WandbError(RuntimeError):
    """W&B does not answer; the text says what it said."""


class WandbRun(Logger):
    """One run, however often it is gone on with: `run_id` is the same each time."""

    def __init__(self, params: WandbParams, *, folder: Path, name: str, run_id: str, commit: str) -> None:
        super().__init__()
        mode = _mode(params)
        self.offline = mode == "offline"
        self._artifact = params.artifact
        self._staging = os.environ.get(STAGING)
        os.environ.setdefault(STAGING, str(folder / "wandb" / "data"))
        try:
            self._run = wandb.init(
                name=f"{name}-{folder.name}",
                dir=folder,
                id=run_id,
                project=params.project,
                entity=params.entity,
                group=params.run_group,
                tags=list(params.tags),
                mode=mode,
                resume="allow",
                reinit="finish_previous",
                settings=wandb.Settings(
                    silent=True,
                    console="off",
                    git_commit=commit.rstrip("+"),
                    x_transaction_log_flush_interval=FLUSH_SECONDS,
                ),
            )
        except wandb.errors.Error as error:
            self._restore()
            raise WandbError(f"W&B: {error}; logger.wandb.mode=offline needs no account") from error
        self._run.define_metric(STEP)
        self._run.define_metric("*", step_metric=STEP, step_sync=True)

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
        row = {name: float(value) for name, value in metrics.items() if name != "epoch"}
        self._run.log({**row, STEP: step})

    def show(self, exhibits: Sequence[Table | Picture], *, step: int) -> None:
        self._run.log({one.name: _shown(one) for one in exhibits} | {STEP: step})

    def conclude(self, conclusion: Conclusion) -> None:
        """Ends the run, or the next one of a sweep would write into it."""
        try:
            self._run.summary.update(dict(conclusion.summary))
            if conclusion.player is not None and self._artifact:
                self._keep(conclusion.player, conclusion)
        finally:
            self._run.finish(exit_code=int(conclusion.failed))
            self._restore()

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
    wanted = os.environ.get("WANDB_MODE", params.mode.value)
    if wanted == WandbMode.AUTO.value:
        return "online" if has_key() else "offline"
    return {"dryrun": "offline", "offline": "offline", "disabled": "disabled"}.get(wanted, "online")


def _shown(exhibit: Table | Picture) -> Any:
    if isinstance(exhibit, Picture):
        return wandb.Image(exhibit.pixels(), caption=exhibit.about)
    return wandb.Table(columns=list(exhibit.columns), data=[list(row) for row in exhibit.rows])
