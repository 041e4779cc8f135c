"""Trains a player: `python train.py --help` says how."""

import sys
import time
from pathlib import Path

import hydra
from omegaconf import DictConfig

from c4 import cli
from c4.params.train import TrainConfig
from c4.run.resume import run_overrides

STARTED = time.monotonic()
CONF = Path(__file__).parent / "conf"


@hydra.main(version_base="1.3", config_path="conf", config_name="train")
def main(config: DictConfig) -> float | None:
    cli.announce(config.name)
    from c4.training import train  # late: torch and Lightning take seconds, and help needs neither
    from c4.ui.progress import open_view

    with cli.one_sentence():
        return train(config, started=cli.began(STARTED), open_view=open_view)


if __name__ == "__main__":
    sys.exit(cli.run(main, folder=CONF, name="train", schema=TrainConfig, rewrite=run_overrides))
