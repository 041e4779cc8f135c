"""Many visitors at once, and visitors that mean no good: nobody is disturbed, nothing is left behind."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import os
import random
import re
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets
from tests.ui.web.kit import PATIENCE, guest, serving
from tests.ui.web.test_watch import GAME, MISTAKE, make_run

from c4.native._core import Position
from c4.players.thinker import Thinker
from c4.run.folder import RunFolder
from c4.run.kept import keep_games, keep_mistakes
from c4.ui.web.house import House
from c4.ui.web.server import create_app

VISITORS = 50
GROWTH = 24 << 20  # bytes that a second crowd may add to what the first one left
BAD_MESSAGES, BAD_REQUESTS = 8000, 2000


async def play_and_analyse(port: int, number: int) -> None:
    """A game of one's own, to a position that tells it from all others; every answer must be about it."""
    rng = random.Random(number)
    own = Position("connect4", f"{number // 7 % 7 + 1}{number % 7 + 1}{number // 49 + 1}")
    async with guest(port) as one:
        await one.say("load", game="connect4", position=own.text, side=("first", "second")[own.ply % 2])
        state = await one.hear("game")
        for _ in range(3):
            await one.say("analyse", judges=["rollouts"], visits=150)
            thought = await one.hear("thought", done=True)
            assert thought["position"] == state["text"]
            await one.say("play", action=rng.choice(state["legal"]))
            state = await one.hear("game", thinks=False)
            assert state["text"].startswith(own.text)
            if state["over"]:
                break


def test_fifty_visitors_play_and_analyse_at_once_and_leave_nothing_behind() -> None:
    async def crowd(port: int) -> None:
        await asyncio.gather(*(play_and_analyse(port, number) for number in range(VISITORS)))

    with serving("web.sessions=50", "web.sessions_each=50", "web.chunk=50") as (house, port):
        asyncio.run(crowd(port))
        before = resident_bytes()
        asyncio.run(crowd(port))
        assert resident_bytes() - before < GROWTH
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE) as client:
            for _ in range(100):  # the last ones are on their way out
                if client.get("/health").json()["visitors"] == 0:
                    break
        assert house.visitors == 0
        gc.collect()
        assert sum(type(each) is Thinker for each in gc.get_objects()) == 0


def resident_bytes() -> int:
    """Of the server and its visitors, who share this process."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


VALID: list[dict[str, Any]] = [
    {"type": "load", "game": "connect4", "position": "44", "side": "both", "ply": 1},
    {"type": "play", "action": 3},
    {"type": "goto", "ply": 1},
    {"type": "side", "side": "both"},
    {"type": "import", "text": "moves: 44"},
    {"type": "export", "line": "44", "resigned": 0, "notes": [{"ply": 1, "mark": "?"}], "variations": ["45"]},
    {"type": "follow", "actions": [3]},
    {"type": "try", "action": 3},
    {"type": "arrange", "game": "connect4", "rows": ["......."] * 5 + ["12....."]},
    {"type": "level", "opponent": "random", "simulations": 5, "temperature": 0.0, "mlh_slope": 0.0, "noise": 0.0},
    {"type": "analyse", "judges": ["rollouts"], "visits": 5},
    {"type": "node", "id": 1, "side": 0, "path": [3]},
    {"type": "picture", "side": 0},
    {"type": "review"},
    *({"type": word} for word in ("new", "undo", "redo", "resign", "go", "stop", "truth", "ping")),
]
ODD: list[Any] = [
    None, True, -1, 0, 1 << 31, 1 << 63, 10**400, 1.5, -0.0, 1e308, "", "x", "\x00", "\ud800", "é" * 300, "4" * 6000,
    [], [[]], {}, ["rollouts"] * 3, [-1], [10**30], {"type": "play"}, "connect4", "../../x", "h8 i9", "both",
]  # fmt: skip


def bad_text(rng: random.Random) -> str:
    """A message that is no message, or not quite one."""
    message: Any = dict(rng.choice(VALID))
    kind = rng.randrange(6)
    if kind == 0:
        return "".join(chr(rng.randrange(1, 0xD7FF)) for _ in range(rng.randrange(40)))
    if kind == 1:
        return rng.choice("[{") * rng.choice([1, 50, 20_000])
    if kind == 2:
        text = json.dumps(message)
        return text[: rng.randrange(len(text))]
    key = rng.choice(sorted(message))
    if kind == 3:
        del message[key]
    elif kind == 4:
        message[rng.choice([key, "extra", "type"])] = rng.choice(ODD)
    else:
        message = rng.choice([message[key], [message], rng.choice(ODD)])
    return json.dumps(message).replace("1e+308", "1e999")


async def pester(port: int, *, seed: int, messages: int) -> None:
    rng = random.Random(seed)
    async with guest(port) as one:
        for sent in range(messages):
            if rng.random() < 0.02:
                await one.socket.send(rng.randbytes(20))
            else:
                await one.socket.send(bad_text(rng))
            if sent % 50 == 49:
                await one.say("ping")
                await one.hear("pong")
        await one.say("load", game="connect4", position="", side="both")
        await one.hear("game", text="", side="both")


async def pester_by_http(house: House, port: int, *, run: str, messages: int) -> None:
    rng = random.Random(1)
    paths = sorted(create_app(house).openapi()["paths"])  # every endpoint that there is
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE) as client:
        for _ in range(messages):
            question: Any = {
                "position": "4453",
                "simulations": 3,
                "game": "connect4",
                "judge": "rollouts",
                "truth": False,
            }
            question[rng.choice([*question, "extra"])] = rng.choice(ODD)
            body = rng.choice([json.dumps(question).encode(), bad_text(rng).encode(), rng.randbytes(30)])
            odd = rng.choice(["x", "..%2f..", "%00", "-1", "a%ff", "9" * 300])
            path = rng.choice(["/api/analyse", "/api/analyse", rng.choice(paths), "/ws", "/%00", "/a%ff", "//"])
            path = re.sub(r"\{\w+\}", odd, path) + rng.choice(
                ["", "", f"?name={odd}&since={odd}", f"?name={run}&since={rng.choice([odd, 1])}"]
            )
            method = rng.choice(["POST", "POST", "POST", "GET", "PUT", "DELETE"])
            answer = await client.request(method, path, content=body, headers={"content-type": "application/json"})
            assert answer.status_code < 500, (method, path, body, answer.text)
            assert answer.status_code == 200 or answer.status_code == 304 or "error" in answer.json()


def test_ten_thousand_bad_messages_disturb_nobody(caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    async def run(house: House, port: int) -> None:
        async with guest(port) as calm:
            await calm.say("load", game="connect4", position="4453", side="both")
            await calm.hear("game", text="4453")
            before = len(calm.heard)
            await asyncio.gather(*(pester(port, seed=seed, messages=BAD_MESSAGES // 8) for seed in range(8)))
            await pester_by_http(house, port, run="quick/one", messages=BAD_REQUESTS)
            await calm.say("play", action=3)
            assert (await calm.hear("game"))["text"] == "44534"
            assert len(calm.heard) == before + 1

    folder = make_run(tmp_path / "quick/one")
    keep_games(RunFolder(path=folder), [GAME], generation=1, most=9)
    keep_mistakes(RunFolder(path=folder), [MISTAKE], generation=1)
    with caplog.at_level(logging.WARNING), serving(f"web.runs={tmp_path}") as (house, port):
        asyncio.run(run(house, port))
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []
    assert house.visitors == 0


def test_a_message_over_the_limit_gets_a_sentence_and_one_far_over_it_ends_its_own_connection_only() -> None:
    async def run(port: int) -> None:
        async with guest(port) as one, guest(port) as other:
            await one.socket.send("x" * 3000)
            assert "at most 2048 bytes" in (await one.hear("error"))["sentence"]
            await one.socket.send("x" * 100_000)
            with pytest.raises(websockets.ConnectionClosed):
                await one.hear("game")
            await other.say("ping")
            await other.hear("pong")

    with serving("web.message_bytes=2048") as (_, port):
        asyncio.run(run(port))


def test_guests_are_told_apart_by_their_connection_alone() -> None:
    async def run(port: int) -> None:
        async with guest(port) as one, guest(port) as other:
            await one.say("load", game="connect4", position="4444", side="both")
            await one.hear("game", text="4444")
            await other.say("node", id=1, side=0, path=[])
            assert (await other.hear("node"))["missing"]
            await other.say("export")
            assert "moves: \n" in (await other.hear("export"))["text"]
            assert all(message.get("text") != "4444" for message in other.heard)

    with serving() as (_, port):
        asyncio.run(run(port))
