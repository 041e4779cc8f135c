"""Measures players by perfect play and by each other: `python evaluate.py --help` says how."""

import sys
from pathlib import Path

import hydra
from omegaconf import DictConfig

from c4 import cli
from c4.params.evaluate import EvaluateConfig

CONF = Path(__file__).parent / "conf"


@hydra.main(version_base="1.3", config_path="conf", config_name="evaluate")
def main(config: DictConfig) -> float | None:
    from c4.evaluating import evaluate  # late: torch takes seconds, and help needs none of it
    from c4.sweeps.jobs import hand_over

    with cli.one_sentence():
        return hand_over(evaluate(config))


if __name__ == "__main__":
    sys.exit(cli.run(main, folder=CONF, name="evaluate", schema=EvaluateConfig))
