"""A player as a file for other programs: `python -m c4.export kaggle checkpoint=PATH`, or `onnx`. Help: `--help`."""

from __future__ import annotations

import sys
from importlib import resources
from pathlib import Path

import hydra
from omegaconf import DictConfig

from c4 import cli
from c4.params.export import ExportConfig

CONF = Path(str(resources.files("c4.conf")))


@hydra.main(version_base="1.3", config_path="pkg://c4.conf", config_name="export")
def main(config: DictConfig) -> None:
    from c4.adapters.command import export  # late: torch takes seconds, and help needs none of it

    with cli.one_sentence():
        export(config)


if __name__ == "__main__":
    # The first word may be the format alone.
    sys.argv[1:2] = [word if "=" in word or word.startswith("-") else f"format={word}" for word in sys.argv[1:2]]
    sys.exit(cli.run(main, folder=CONF, name="export", schema=ExportConfig))
