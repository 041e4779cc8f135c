"""Samples per second of self-play: in this process, and by Ray actors on the same cores, flowing and exactly.

python benchmarks/distributed.py                                   the default's recipe, two actors
python benchmarks/distributed.py samples=3000 rounds=1 experiment=tiny ways=local,exact
python benchmarks/distributed.py selfplay.actors=4 selfplay.chunk_games=256

Each way plays generations of so many samples until `seconds` are over, after a first small one in which actors begin.
All take turns, `rounds` times, so that a busy moment of the machine does not hit one alone; what counts is the median
round. Weights are random, the same for all. Other words are overrides of train.py.
"""

from __future__ import annotations

import dataclasses
import statistics
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
    "exact_local": ["selfplay.actors=null", "selfplay.mode=exact"],
}
RATE = "samples/s"


def measured(config: TrainConfig, *, seconds: float, samples: int) -> dict[str, float]:
    torch.manual_seed(0)
    network = make_network(game_spec(config.game.name), config.network)
    engine = selfplay_engine(config, config.inference, network=network)
    source = source_of(config, engine=engine)
    try:
        came, version, figures = 0, 0, dict[str, float]()
        source.publish(network.state_dict())
        source.collect(wanted=samples // 4, version=0, watch=never)
        began = time.monotonic()
        while time.monotonic() - began < seconds:
            version += 1
            source.publish(network.state_dict())
            harvest = source.collect(wanted=samples, version=version, watch=never)
            came += len(harvest.samples)
            figures = dict(harvest.figures)
        return {RATE: came / (time.monotonic() - began), **figures}
    finally:
        source.close()
        engine.close()


def never(_: Glance) -> bool:
    return False


def main(words: Sequence[str]) -> None:
    own = {"seconds": "20", "rounds": "3", "samples": "40000", "ways": "local,flowing,exact"}
    rest = ["selfplay=ray"]
    for word in words:
        name, _, value = word.partition("=")
        if name in own:
            own[name] = value
        else:
            rest.append(word)
    config = load_config(*rest)
    network = make_network(game_spec(config.game.name), config.network)
    inference = chosen_engine(config, network=network)  # once: the same for all
    found: dict[str, list[dict[str, float]]] = {way: [] for way in own["ways"].split(",")}
    for number in range(int(own["rounds"])):
        for way, rounds in found.items():
            used = dataclasses.replace(load_config(*rest, *WAYS[way]), inference=inference)
            rounds.append(measured(used, seconds=float(own["seconds"]), samples=int(own["samples"])))
            print(f"round {number + 1}, {way}: {rounds[-1][RATE]:,.0f} {RATE}", file=sys.stderr, flush=True)
    rows = []
    for way, rounds in found.items():
        rates = [one[RATE] for one in rounds]
        shares = [one[RATE] / local[RATE] for one, local in zip(rounds, found["local"], strict=True)]
        row = {"way": way, RATE: statistics.median(rates), "lowest": min(rates), "highest": max(rates)}
        row |= {"of local": statistics.median(shares), "lowest share": min(shares), "highest share": max(shares)}
        rows.append(row | {name: value for name, value in rounds[-1].items() if name != RATE})
    publish("distributed", rows)


if __name__ == "__main__":
    main(sys.argv[1:])
