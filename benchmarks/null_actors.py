"""How many actors one driver can hear: a thousand that play nothing, and send what real ones would, as often.

python benchmarks/null_actors.py                                10, 100, 300 and 1,000 of them
python benchmarks/null_actors.py actors=100,1000 rate=1100 seconds=10

An actor sends a chunk of real games of the default's recipe whenever one that makes `rate` samples a second would have
played it. Many of them share a process, which is all the same to the driver: it has an answer to wait for from each.
Nothing is learned; weights go out every few seconds.
"""

from __future__ import annotations

import asyncio
import dataclasses
import logging
import os
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import ray
import torch
from results import publish
from words import parted

from c4 import load_config
from c4.distributed.actors import Actors
from c4.distributed.flowing import FlowingSource
from c4.distributed.wire import pack
from c4.distributed.worker import about_here
from c4.games import game_spec
from c4.network.network import make_network
from c4.params.train import TrainConfig
from c4.selfplay.chunks import Chunk, Playing
from c4.selfplay.engine import chosen_engine, selfplay_engine
from c4.selfplay.source import Glance

HOSTS, WANTED, PUBLISH = 2, 60_000, 5.0  # processes, samples of a generation, seconds between two versions of weights


@ray.remote(num_cpus=0, max_concurrency=10_000)  # type: ignore[call-overload]
class Host:
    def __init__(self, frame: bytes, period: float) -> None:
        self._frame, self._period, self._due = frame, period, dict[int, float]()

    async def hello(self) -> dict[str, str | int]:
        return about_here()

    async def flow(self, member: int, games: int, orders: Any) -> bytes:  # noqa: ARG002
        now = time.monotonic()
        due = self._due.get(member, now + random.random() * self._period)
        self._due[member] = max(now, due + self._period)
        await asyncio.sleep(due - now)
        return self._frame


class Many(Actors[int]):
    """That share processes: none of them ends by itself."""

    def end(self) -> None:
        self._members.clear()


class NullEngine:
    def load(self, state: Any) -> None:
        """Nothing is judged here."""


def ready_made(config: TrainConfig) -> tuple[bytes, int]:
    """A chunk as an actor of this recipe sends it, and how many samples it has."""
    spec = game_spec(config.game.name)
    torch.manual_seed(0)
    network = make_network(spec, config.network)
    engine = selfplay_engine(config, chosen_engine(config, network=network), network=network)
    engine.load(network.state_dict())
    playing = Playing(game=spec, search=config.search, selfplay=config.selfplay, seed=1, engine=engine)
    chunk = Chunk(first=0, games=config.selfplay.chunk_games)
    played = playing.play(chunk, version=0, openings=[], watch=lambda: False)
    engine.close()
    assert played is not None
    return pack(played), len(played.samples)


def heard(config: TrainConfig, *, actors: int, frame: bytes, samples: int, rate: float, seconds: float) -> Any:
    hosts = [Host.remote(frame, samples / rate) for _ in range(HOSTS)]  # type: ignore[attr-defined]
    about = ray.get([host.hello.remote() for host in hosts])
    params = dataclasses.replace(config.selfplay, actors=actors)
    made = iter(range(actors))

    def begin(first: int) -> Actors[int]:
        def make(_: int) -> Any:
            host = hosts[next(made) % HOSTS]
            return SimpleNamespace(hello=host.hello, flow=host.flow)

        return Many(make, params=params, here=about_here(), disconnect=lambda: None, first=first)

    source = FlowingSource(begin, game=config.game.name, params=params, half=torch.bfloat16, engine=NullEngine())  # type: ignore[arg-type]
    weights = make_network(game_spec(config.game.name), config.network).state_dict()
    source.publish(weights)
    source.collect(wanted=WANTED, version=0, watch=never)
    pids = {"driver": os.getpid(), **{f"host {number}": int(one["pid"]) for number, one in enumerate(about)}}
    spent = {name: processor_seconds(pid) for name, pid in pids.items()}
    began = published = time.monotonic()
    came = version = 0
    while time.monotonic() - began < seconds:
        if time.monotonic() - published > PUBLISH:
            published, version = time.monotonic(), version + 1
            source.publish(weights)
        came += len(source.collect(wanted=WANTED, version=version, watch=never).samples)
    took = time.monotonic() - began
    spent = {name: processor_seconds(pid) - spent[name] for name, pid in pids.items()}
    store = ray.cluster_resources()["object_store_memory"] - ray.available_resources()["object_store_memory"]
    source.close()
    for host in hosts:
        ray.kill(host)
    driver = spent.pop("driver")
    return {
        "actors": actors,
        "samples/s sent": actors * rate,
        "heard": came / took,
        "share": came / took / (actors * rate),
        "messages/s": came / took / samples,
        "MB/s": came / took / samples * len(frame) / 1e6,
        "driver's ms for a message": 1000 * driver / (came / samples),
        "driver's cores": driver / took,
        "hosts' cores": sum(spent.values()) / took,
        "object store MB": store / 2**20,
    }


def processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def never(_: Glance) -> bool:
    return False


def main(words: Sequence[str]) -> None:
    own, typed = parted(words, own={"actors": "10,100,300,1000", "rate": "1100", "seconds": "10"})
    rest = ["selfplay=ray", *typed]
    config = load_config(*rest)
    frame, samples = ready_made(config)
    print(f"a chunk: {samples:,} samples in {len(frame):,} bytes", file=sys.stderr)
    ray.init(address="local", num_cpus=HOSTS, include_dashboard=False, logging_level=logging.ERROR, log_to_driver=False,
             object_store_memory=256 << 20)  # fmt: skip
    rate, seconds = float(own["rate"]), float(own["seconds"])
    try:
        publish("null_actors", [
            heard(config, actors=int(count), frame=frame, samples=samples, rate=rate, seconds=seconds)
            for count in own["actors"].split(",")
        ])  # fmt: skip
    finally:
        ray.shutdown()


if __name__ == "__main__":
    main(sys.argv[1:])
