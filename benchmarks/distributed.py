"""Samples per second of self-play: in this process, and by Ray actors on the same cores, flowing and exactly.

python benchmarks/distributed.py               the default's recipe, two actors, 60 seconds each, two rounds
python benchmarks/distributed.py seconds=20 rounds=1 selfplay.actors=4 network=small

All ways take turns, so that a busy moment of the machine does not hit one alone; the best round of each counts. Weights
are random, the same for all. All other words are overrides of train.py.
"""

from __future__ import annotations

import dataclasses
import sys
import time
from collections.abc import Mapping, Sequence

import torch
from results import publish

from c4 import load_config
from c4.games import game_spec
from c4.network.network import make_network
from c4.params.train import TrainConfig
from c4.playing import source_of
from c4.selfplay.engine import chosen_engine, selfplay_engine
from c4.selfplay.source import Glance

WAYS: Mapping[str, Sequence[str]] = {
    "local": ["selfplay.actors=null", "selfplay.mode=flowing"],
    "flowing": ["selfplay.mode=flowing"],
    "exact": ["selfplay.mode=exact"],
    "exact, local": ["selfplay.actors=null", "selfplay.mode=exact"],
}
WANTED = 20_000  # samples of a generation, as late in a run of the default


def measured(config: TrainConfig, *, seconds: float) -> dict[str, float]:
    """After a first generation, in which actors begin."""
    torch.manual_seed(0)
    network = make_network(game_spec(config.game.name), config.network)
    engine = selfplay_engine(config, config.inference, network=network)
    source = source_of(config, engine=engine)
    try:
        samples, version, figures = 0, 0, dict[str, float]()
        source.publish(network.state_dict())
        source.collect(wanted=2000, version=0, watch=never)
        began = time.monotonic()
        while time.monotonic() - began < seconds:
            version += 1
            source.publish(network.state_dict())
            harvest = source.collect(wanted=WANTED, version=version, watch=never)
            samples += len(harvest.samples)
            figures = dict(harvest.figures)
        return {"samples per second": samples / (time.monotonic() - began), **figures}
    finally:
        source.close()
        engine.close()


def never(_: Glance) -> bool:
    return False


def main(words: Sequence[str]) -> None:
    own = {"seconds": 60.0, "rounds": 2.0}
    rest = ["selfplay=ray"]
    for word in words:
        name, _, value = word.partition("=")
        if name in own:
            own[name] = float(value)
        else:
            rest.append(word)
    config = load_config(*rest)
    network = make_network(game_spec(config.game.name), config.network)
    inference = chosen_engine(config, network=network)  # once: the same for all
    best: dict[str, dict[str, float]] = {}
    for _ in range(int(own["rounds"])):
        for name, way in WAYS.items():
            found = measured(dataclasses.replace(load_config(*rest, *way), inference=inference), seconds=own["seconds"])
            rate = "samples per second"
            if name not in best or found[rate] > best[name][rate]:
                best[name] = found
    local = best["local"]["samples per second"]
    publish(
        "distributed",
        [{"way": name, **figures, "of local": figures["samples per second"] / local} for name, figures in best.items()],
    )


if __name__ == "__main__":
    main(sys.argv[1:])
