"""Plays against a person, and shows what the search sees: `python play.py --help` says how."""

import sys
from pathlib import Path

import hydra
from omegaconf import DictConfig

from c4 import cli
from c4.params.play import PlayConfig

CONF = Path(__file__).parent / "conf"


@hydra.main(version_base="1.3", config_path="conf", config_name="play")
def main(config: DictConfig) -> None:
    from c4.ui.play import play  # late: torch takes seconds, and help needs none of it

    with cli.one_sentence():
        play(config)


if __name__ == "__main__":
    sys.exit(cli.run(main, folder=CONF, name="play", schema=PlayConfig))
