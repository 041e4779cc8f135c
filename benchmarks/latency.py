"""How long a person waits, through the real server: an analysis by 600 simulations, and a move of the opponent.

One server in a process of its own, one visitor, one core each for the network (inference.streams=1). The positions are
those of seeded random games, each asked for once, so that nothing is answered from a tree or a cache.
    python benchmarks/latency.py [checkpoint=PATH] [inference=openvino] [search.leaves_per_batch=16]
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from typing import Any

import httpx
import results
import websockets
from served import served

from c4.native._core import Position

SIMULATIONS, QUESTIONS, WARM_UP = 600, 60, 5
BARS = {"answer": 200.0, "play": 100.0}  # ms, at the 95th percentile


def positions(count: int, *, seed: int) -> list[Position]:
    """Unfinished ones after 2 to 20 random plies, all different."""
    rng, found = random.Random(seed), dict[int, Position]()
    while len(found) < count:
        position = Position("connect4")
        for _ in range(rng.randrange(2, 21)):
            if not position.is_terminal:
                position = position.play(rng.choice(position.legal))
        if not position.is_terminal:
            found[position.canonical_key] = position
    return list(found.values())


def answers(port: int, asked: list[Position]) -> list[float]:
    """ms of POST /api/analyse."""
    times = []
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
        for position in asked:
            start = time.perf_counter()
            answer = client.post("/api/analyse", json={"position": position.text, "simulations": SIMULATIONS})
            times.append(1000 * (time.perf_counter() - start))
            answer.raise_for_status()
    return times


async def plays(port: int, asked: list[Position]) -> list[float]:
    """ms from the person's move to the opponent's on the board."""
    times = []
    async with websockets.connect(f"ws://127.0.0.1:{port}/ws") as socket:

        async def hear(**fields: Any) -> dict[str, Any]:
            while True:
                message: dict[str, Any] = json.loads(await socket.recv())
                if all(message.get(key) == value for key, value in fields.items()):
                    return message

        async def say(**message: Any) -> None:
            await socket.send(json.dumps(message))

        await hear(type="game")
        for position in asked:
            side = ("first", "second")[position.ply % 2]
            await say(type="load", game="connect4", position=position.text, side=side)
            await hear(type="game", text=position.text)
            action = next(each for each in position.legal if not position.play(each).is_terminal)
            start = time.perf_counter()
            await say(type="play", action=action)
            await hear(type="game", ply=position.ply + 2)
            times.append(1000 * (time.perf_counter() - start))
    return times


def row(name: str, times: list[float]) -> dict[str, Any]:
    kept = sorted(times[WARM_UP:])
    at = {share: kept[min(len(kept) - 1, int(share * len(kept)))] for share in (0.5, 0.95)}
    return {
        "what": name,
        "simulations": SIMULATIONS,
        "questions": len(kept),
        "median ms": at[0.5],
        "p95 ms": at[0.95],
        "bar ms": BARS[name],
        "within": "yes" if at[0.95] < BARS[name] else "no",
    }


def main() -> None:
    with served([f"simulations={SIMULATIONS}", "inference.streams=1", *sys.argv[1:]]) as (_, port):
        asked = positions(QUESTIONS + WARM_UP, seed=1)
        rows = [row("answer", answers(port, asked)), row("play", asyncio.run(plays(port, asked)))]
    results.publish("latency", rows)


if __name__ == "__main__":
    main()
