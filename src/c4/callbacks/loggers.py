"""The loggers of a run. Packages that are not asked for are not imported."""

from __future__ import annotations

import netrc
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

from pytorch_lightning.loggers.logger import Logger

from c4.callbacks.metrics_csv import MetricsCsv
from c4.params.logger import LoggerParams, WandbMode, WandbParams

WANDB_STEP = "trainer/global_step"
"""Lightning's name for the step there; it is the generation, as everywhere."""


class LoggerError(RuntimeError):
    """A tracker that was asked for does not answer; the text says what it said."""


def make_loggers(
    params: LoggerParams, *, folder: Path, name: str, run_id: str, first_step: int
) -> tuple[list[Logger], list[str]]:
    """The loggers, metrics.csv first, and what a person should know of them."""
    loggers: list[Logger] = [MetricsCsv(path=folder / "metrics.csv", first_step=first_step)]
    hints = []
    if params.tensorboard:
        from pytorch_lightning.loggers import TensorBoardLogger

        loggers.append(TensorBoardLogger(save_dir=folder, name="tensorboard", version="", default_hp_metric=False))
        hints.append(f"curves: tensorboard --logdir {folder / 'tensorboard'}")
    if params.wandb.enabled:
        logger, offline = _wandb_logger(params.wandb, folder=folder, name=name, run_id=run_id)
        loggers.append(logger)
        if offline:
            hints.append(f"W&B is offline; with a key: wandb sync {folder / 'wandb' / 'offline-run-*'}")
    return loggers, hints


def log_settings(loggers: list[Logger], settings: Mapping[str, Any]) -> None:
    """Tells every logger what the run was made with."""
    for logger in loggers:
        logger.log_hyperparams(dict(settings))


def close_loggers(loggers: list[Logger], *, failed: bool, player: Path | None) -> None:
    """Ends the run in each; `player` is stored with it where a logger keeps files."""
    for logger in loggers:
        logger.finalize("failed" if failed else "success")
    if any(type(logger).__name__ == "WandbLogger" for logger in loggers):
        import wandb

        if wandb.run is not None and player is not None and player.exists():
            artifact = wandb.Artifact(f"player-{wandb.run.id}", type="model")
            artifact.add_file(str(player))
            wandb.run.log_artifact(artifact)
        wandb.finish(exit_code=int(failed))  # or the next run of a multirun writes into this one


def has_wandb_key() -> bool:
    """Whether W&B would find a key: in the environment or in the netrc file, as its login leaves it."""
    if os.environ.get("WANDB_API_KEY"):
        return True
    host = urlparse(os.environ.get("WANDB_BASE_URL", "https://api.wandb.ai")).hostname
    try:
        return host is not None and netrc.netrc().authenticators(host) is not None
    except (OSError, netrc.NetrcParseError):
        return False


def _wandb_logger(params: WandbParams, *, folder: Path, name: str, run_id: str) -> tuple[Logger, bool]:
    os.environ.setdefault("WANDB_ERROR_REPORTING", "false")
    os.environ.setdefault("WANDB_SILENT", "true")
    import wandb
    from pytorch_lightning.loggers import WandbLogger

    wanted = os.environ.get("WANDB_MODE", params.mode.value)
    offline = wanted in {"offline", "dryrun"} or (wanted == WandbMode.AUTO.value and not has_wandb_key())
    try:
        run = wandb.init(  # now, not after the first generation; Lightning would set WANDB_MODE for all that follow
            name=f"{name}-{folder.name}",
            dir=folder,
            id=run_id,
            project=params.project,
            entity=params.entity,
            group=params.run_group,
            tags=list(params.tags),
            mode="offline" if offline else "online",
            resume="allow",
            settings=wandb.Settings(silent=True),
        )
    except wandb.errors.Error as error:
        raise LoggerError(f"W&B: {error}; logger.wandb.mode=offline needs no account") from error
    run.define_metric(WANDB_STEP)
    run.define_metric("*", step_metric=WANDB_STEP, step_sync=True)
    return WandbLogger(experiment=run, offline=offline), offline
