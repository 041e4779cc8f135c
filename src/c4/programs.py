"""The commands, each from what was typed to an exit code: the scripts in the tree and `c4` call the same functions.

Knows of each which configuration it takes, and nothing of what it does with it.
"""

from __future__ import annotations

import sys
import time

from omegaconf import DictConfig

from c4 import cli, invocation, printed
from c4.params.evaluate import EvaluateConfig
from c4.params.export import ExportConfig
from c4.params.play import PlayConfig
from c4.params.train import TrainConfig
from c4.run.resume import run_overrides

# What a command does is imported when it is known to be wanted: torch takes seconds, and help needs none of it.

STARTED = time.monotonic()

SWEEP = """\
Several runs from one line (docs/SWEEPS.md).

python -m c4.sweeps seed=1,2,3 experiment=quick               every combination of these values, one after the other
python -m c4.sweeps search.cpuct=1,2,4 search.mlh_slope=0,0.03
python -m c4.sweeps hparams_search=search_knobs               a search for good values; once more the same line goes on
python -m c4.sweeps evaluate hparams_search=play_knobs checkpoint=PATH     several gradings in place of several runs
python -m c4.sweeps report DIR [file=PAGE.html] [metric=NAME] [plot=FILE]  what came out, finished or not
python -m c4.sweeps wandb hparams_search=NAME [file=sweep.yaml]            the same search for the agents of W&B

The first word may be train, evaluate, report or wandb; without one it is train. What follows is as for that command.
"""


def train() -> int:
    return cli.run(_train, name="train", schema=TrainConfig, rewrite=run_overrides)


def play() -> int:
    return cli.run(_play, name="play", schema=PlayConfig)


def evaluate() -> int:
    return cli.run(_evaluate, name="evaluate", schema=EvaluateConfig)


def export() -> int:
    # The first word may be the format alone.
    sys.argv[1:2] = [word if "=" in word or word.startswith("-") else f"format={word}" for word in sys.argv[1:2]]
    return cli.run(_export, name="export", schema=ExportConfig)


def pbrain() -> int:
    from c4.adapters.pbrain import main

    return main()


def engines() -> int:
    from c4.engines import main

    return main(sys.argv[1:])


def sweep() -> int:
    first, rest = sys.argv[1:2], sys.argv[2:]
    if first in (["report"], ["wandb"]):
        from c4.sweeps.__main__ import main

        invocation.begin("sweep")
        return main(sys.argv[1:])
    if not first or first[0] in {"--help", "-h", "help"}:
        (printed.out if first else printed.err)(invocation.as_typed_here(SWEEP))
        return 0 if first else cli.USAGE
    of = evaluate if first == ["evaluate"] else train
    sys.argv[1:] = ["--multirun", *(rest if first in (["train"], ["evaluate"]) else sys.argv[1:])]
    return of()


def _train(config: DictConfig) -> float | None:
    cli.announce(config.name)
    from c4.training import train
    from c4.ui.progress import open_view

    with cli.one_sentence():
        return train(config, started=cli.began(STARTED), open_view=open_view)


def _play(config: DictConfig) -> None:
    from c4.ui.play import play

    with cli.one_sentence():
        play(config)


def _evaluate(config: DictConfig) -> float | None:
    from c4.evaluating import evaluate
    from c4.sweeps.jobs import hand_over

    with cli.one_sentence():
        return hand_over(evaluate(config))


def _export(config: DictConfig) -> None:
    from c4.adapters.command import export

    with cli.one_sentence():
        export(config)
