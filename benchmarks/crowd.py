"""The page under a crowd: whether who asks rightly is answered while others mean no good, and what is left of them.

One server in a process of its own. All the while, four programs ask for analyses of 100 simulations, one after the
other; 50 visitors play, analyse and send 10,000 bad messages in all; 500 connections stop in the middle of a request,
200 say or take a byte at a time, and one address tries to hold 1,000. Whoever is dropped comes back after a second.
    python benchmarks/crowd.py minutes=60 [checkpoint=PATH] [inference=openvino] [web.sessions=64]
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import multiprocessing
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import results
import websockets
from served import served
from words import parted

from c4.native._core import Position

ASKERS, VISITORS, BAD, HALF_OPEN, SLOW, GREEDY = 4, 50, 10_000, 500, 200, 1000
SIMULATIONS, PAUSE = 100, 0.25  # of who asks rightly; seconds between two questions
TROUBLES = 20  # bad messages between two analyses of a visitor
AGAIN, BYTE = 1.0, 0.5  # seconds until who was dropped comes back; between two bytes of a slow one
BARS = {"answer p95 ms": 500.0, "memory after, of before": 1.1, "log kB": 1024.0}


def position(rng: random.Random) -> Position:
    """Unfinished, after 2 to 20 random plies."""
    while True:
        found = Position("connect4")
        for _ in range(rng.randrange(2, 21)):
            if not found.is_terminal:
                found = found.play(rng.choice(found.legal))
        if not found.is_terminal:
            return found


def ask(port: int, seconds: float, number: int) -> list[float]:
    """ms of each answer; infinite where there was none. In a process of its own, which the crowd does not slow."""
    rng, times = random.Random(number), []
    until = time.monotonic() + seconds
    transport = httpx.HTTPTransport(local_address=f"127.0.4.{number + 1}")
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60, transport=transport) as client:
        while time.monotonic() < until:
            question = {"position": position(rng).text, "simulations": SIMULATIONS}
            start = time.perf_counter()
            try:
                client.post("/api/analyse", json=question).raise_for_status()
                times.append(1000 * (time.perf_counter() - start))
            except httpx.HTTPError:
                times.append(float("inf"))
            time.sleep(PAUSE)
    return times


def bad(rng: random.Random) -> str:
    """A message that is none, or not quite one."""
    message = rng.choice(
        [{"type": "play", "action": 3}, {"type": "goto", "ply": 1}, {"type": "analyse", "judges": ["x"], "visits": 5}]
    )
    odd: list[Any] = [None, -1, 10**400, "", "\x00", "4" * 6000, [], {}, [[]], "../../x", {"type": "play"}]
    kind = rng.randrange(4)
    if kind == 0:
        return rng.choice("[{") * rng.choice([1, 50, 20_000])
    if kind == 1:
        return json.dumps(message)[: rng.randrange(20)]
    return json.dumps(message | {rng.choice([*message, "extra"]): rng.choice(odd)})


class Crowd:
    """All that comes over the network, but for who asks rightly."""

    def __init__(self, port: int, *, seconds: float) -> None:
        self.port, self.seconds = port, seconds
        self.until = time.monotonic() + seconds
        self.visits: list[float] = []  # ms of visitors' own analyses
        self.counts = dict.fromkeys(("bad messages", "connections tried", "dropped or refused"), 0)

    async def come(self, *, troublemakers: bool) -> None:
        work = [self.again(partial(self.visit, n, troubles=troublemakers)) for n in range(VISITORS)]
        if troublemakers:
            work += [self.again(partial(self.half_open, f"127.0.2.{n % 20 + 1}")) for n in range(HALF_OPEN)]
            work += [self.again(partial(self.slow, f"127.0.5.{n % 10 + 1}", n)) for n in range(SLOW)]
            work += [self.again(partial(self.half_open, "127.0.3.1")) for _ in range(GREEDY)]
        await asyncio.gather(*work)

    async def again(self, come: Callable[[], Awaitable[None]]) -> None:
        await asyncio.sleep(random.random())
        while self.until - time.monotonic() > 0:
            self.counts["connections tried"] += 1
            with contextlib.suppress(OSError, EOFError, TimeoutError, websockets.WebSocketException):
                async with asyncio.timeout(max(0.1, self.until - time.monotonic())):
                    await come()
            if self.until - time.monotonic() > AGAIN:
                self.counts["dropped or refused"] += 1
                await asyncio.sleep(AGAIN)

    async def visit(self, number: int, *, troubles: bool) -> None:
        rng, pause = random.Random(number), self.seconds * VISITORS / BAD
        own: dict[str, Any] = {"local_addr": (f"127.0.1.{number + 1}", 0), "max_size": 1 << 22, "open_timeout": 60}
        async with websockets.connect(f"ws://127.0.0.1:{self.port}/ws", **own) as socket:
            games = json.loads(await socket.recv())["games"]
            judge = next(game["judges"][0] for game in games if game["name"] == "connect4")
            while time.monotonic() < self.until:
                load = {"type": "load", "game": "connect4", "position": position(rng).text, "side": "both"}
                await socket.send(json.dumps(load))
                start = time.perf_counter()
                await socket.send(json.dumps({"type": "analyse", "judges": [judge], "visits": SIMULATIONS}))
                told: dict[str, Any] = {}
                while not told.get("done"):
                    told = json.loads(await socket.recv())
                self.visits.append(1000 * (time.perf_counter() - start))
                for _ in range(TROUBLES):
                    await asyncio.sleep(pause)
                    if troubles:
                        await socket.send(bad(rng))
                        self.counts["bad messages"] += 1

    async def half_open(self, host: str) -> None:
        """The beginning of a request, and then nothing."""
        async with connected(self.port, host) as (reader, writer):
            writer.write(b"GET /health HT")
            while await reader.read(1 << 12):
                pass

    async def slow(self, host: str, number: int) -> None:
        """A request byte by byte, or files that are asked for and taken byte by byte."""
        async with connected(self.port, host) as (reader, writer):
            if number % 2:
                for byte in b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"x" * 10_000:
                    writer.write(bytes([byte]))
                    await asyncio.sleep(BYTE)
                    if writer.transport.is_closing():
                        return
            else:
                writer.write(b"GET /app.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 60)
                while await reader.read(1):
                    await asyncio.sleep(BYTE)


@contextlib.asynccontextmanager
async def connected(port: int, host: str) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(host, 0), limit=64)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


class Server:
    def __init__(self, process: subprocess.Popen[str], *, port: int, log: Path) -> None:
        self.process, self.port, self._log = process, port, log

    def taken(self) -> dict[str, float]:
        """Of the machine, as the system counts it."""
        of = Path(f"/proc/{self.process.pid}")
        status = dict(line.split(":", 1) for line in (of / "status").read_text().splitlines())
        return {
            "memory MB": int(status["VmRSS"].split()[0]) / 1024,
            "handles": len(list((of / "fd").iterdir())),
            "threads": int(status["Threads"]),
        }

    def settled(self) -> dict[str, float]:
        """When everybody has gone, and what is closed late is closed."""
        with httpx.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=60) as client:
            while client.get("/health", headers={"connection": "close"}).json()["visitors"]:
                time.sleep(1.0)
            time.sleep(15.0)
            client.get("/app.js").raise_for_status()  # threads that were idle for long go when the next is needed
        return self.taken()

    def processor_seconds(self) -> float:
        told = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, told[11:13])) / os.sysconf("SC_CLK_TCK")

    def log_bytes(self) -> int:
        return self._log.stat().st_size


async def watched(server: Server, crowd: Crowd, *, troublemakers: bool) -> dict[str, float]:
    """The most that was taken while they came."""
    most = server.taken()
    came = asyncio.create_task(crowd.come(troublemakers=troublemakers))
    while not came.done():
        await asyncio.wait([came], timeout=1.0)
        most = {name: max(value, most[name]) for name, value in server.taken().items()}
    await came
    return most


def measure(server: Server, *, minutes: float) -> list[dict[str, Any]]:
    asyncio.run(watched(server, Crowd(server.port, seconds=20), troublemakers=False))  # so that all is loaded
    before = server.settled()
    crowd, processor = Crowd(server.port, seconds=60 * minutes), server.processor_seconds()
    with ProcessPoolExecutor(ASKERS, mp_context=multiprocessing.get_context("spawn")) as pool:
        asked = [pool.submit(ask, server.port, 60 * minutes, number) for number in range(ASKERS)]
        most = asyncio.run(watched(server, crowd, troublemakers=True))
        times = sorted(one for each in asked for one in each.result())
    processor = server.processor_seconds() - processor
    after = server.settled()
    rows: list[dict[str, Any]] = [
        {"what": "minutes", "figure": minutes},
        {"what": "load of the machine", "figure": os.getloadavg()[1]},
        {"what": "cores that the server got", "figure": processor / (60 * minutes)},
        {"what": "answers", "figure": len(times)},
        {"what": "answers refused or broken", "figure": sum(one == float("inf") for one in times)},
        {"what": "answer median ms", "figure": statistics.median(times)},
        {"what": "answer p95 ms", "figure": times[int(0.95 * len(times))]},
        {"what": "visitors' analyses", "figure": len(crowd.visits)},
        {"what": "visitor's analysis p95 ms", "figure": sorted(crowd.visits)[int(0.95 * len(crowd.visits))]},
        *({"what": name, "figure": count} for name, count in crowd.counts.items()),
        *(
            {
                "what": f"{name} before, most, after",
                "figure": f"{before[name]:.0f}, {most[name]:.0f}, {after[name]:.0f}",
            }
            for name in before
        ),
        {"what": "memory after, of before", "figure": after["memory MB"] / before["memory MB"]},
        {"what": "log kB", "figure": server.log_bytes() / 1024},
    ]
    for row in rows:
        if (bar := BARS.get(str(row["what"]))) is not None:
            row |= {"bar": bar, "within": "yes" if row["figure"] <= bar else "no"}
    return rows


def main(words: list[str]) -> None:
    own, rest = parted(words, own={"minutes": "60"})
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        with log.open("wb") as errors, served(rest, errors=errors) as (process, port):
            results.publish("crowd", measure(Server(process, port=port, log=log), minutes=float(own["minutes"])))


if __name__ == "__main__":
    main(sys.argv[1:])
