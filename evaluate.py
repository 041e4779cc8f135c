"""Measures players by perfect play and by each other: `python evaluate.py --help` says how."""

import sys
from pathlib import Path

import hydra
from omegaconf import DictConfig

from c4 import cli
from c4.params.evaluate import EvaluateConfig

CONF = Path(__file__).parent / "conf"


@hydra.main(version_base="1.3", config_path="conf", config_name="evaluate")
def main(config: DictConfig) -> None:
    from c4.evaluation.command import evaluate  # late: torch takes seconds, and help needs none of it

    with cli.one_sentence():
        evaluate(config)


if __name__ == "__main__":
    sys.exit(cli.run(main, folder=CONF, name="evaluate", schema=EvaluateConfig))
