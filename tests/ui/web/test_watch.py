"""What a page may see of runs: those below the folder and no others, only what is new, whatever is in the files."""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from c4.report.style import COLOURS, LOOKS
from c4.run.begin import begin
from c4.run.folder import RunFolder
from c4.run.kept import keep_games, keep_mistakes
from c4.ui.web.runs import Run, Runs
from c4.ui.web.server import STATIC
from c4.ui.web.watch import watch

CONFIG = (
    "name: quick\nseed: 3\ngame:\n  name: connect4\nsearch:\n  num_simulations: 16\nnetwork:\n  width: 8\n  depth: 2\n"
)
GAME = {"game_id": 5, "actions": [3, 3, 2, 4], "best": [-1, 3, 3, 4], "flags": [1, 6, 6, 2], "result": 1}
MISTAKE = {
    "moves": "4453",
    "simulations": 32,
    "played": 0,
    "truth": 1,
    "scores": [-3, 0, 1, 2, 2, 2, 2],
    "policy": [],
    "value": 0.25,
    "board": [],
}


def make_run(folder: Path, *, generations: int = 3, config: str = CONFIG) -> Path:
    folder.mkdir(parents=True)
    (folder / "config.yaml").write_text(config)
    rows = [f"{step},{step / 10},{0.5 if step % 2 else ''}" for step in range(1, generations + 1)]
    head = "generation,budget/progress,truth/value_preserving"
    (folder / "metrics.csv").write_text("\n".join([head, *rows]) + "\n")
    return folder


class Client:
    def __init__(self, app: FastAPI) -> None:
        self._app = app

    def get(self, path: str, params: dict[str, Any] | None = None) -> httpx.Response:
        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(app=self._app)
            async with httpx.AsyncClient(transport=transport, base_url="http://c4") as client:
                return await client.get(path, params=params)

        return asyncio.run(ask())


@pytest.fixture
def root(tmp_path: Path) -> Path:
    make_run(tmp_path / "runs/quick/one")
    return tmp_path / "runs"


@pytest.fixture
def client(root: Path, tmp_path: Path) -> Client:
    return client_of(root, tmp_path)


def client_of(root: Path | None, folder: Path) -> Client:
    page = folder / "watch.html"
    page.write_text("<title>watch</title>")
    app = FastAPI()
    app.include_router(watch(None if root is None else str(root), page=page))
    return Client(app)


def news(client: Client, **asked: Any) -> Any:
    answer = client.get("/api/watch/run", params={"name": "quick/one"} | asked)
    assert answer.status_code == 200
    return answer.json()


def test_runs_are_listed_with_what_they_reached(client: Client, root: Path) -> None:
    later = make_run(root / "sweep/job/7", generations=0)
    os.utime(later / "metrics.csv", (2e9, 2e9))
    first, second = client.get("/api/watch/runs").json()
    assert (first["name"], first["generation"], first["value_preserving"]) == ("sweep/job/7", 0, None)
    assert (second["name"], second["generation"], second["value_preserving"]) == ("quick/one", 3, 0.5)
    assert (second["game"], second["progress"], second["ending"]) == ("Connect Four", 0.3, "training")


def test_only_new_generations_are_sent(client: Client, root: Path) -> None:
    everything = news(client)
    assert everything["generations"] == [1, 2, 3]
    assert everything["metrics"]["truth/value_preserving"] == [0.5, None, 0.5]
    assert (everything["simulations"], everything["seed"]) == (16, 3)
    assert everything["shape"]["gravity"] is True
    assert news(client, since=3)["generations"] == [3]
    with (root / "quick/one/metrics.csv").open("a") as file:
        file.write("4,0.4,0.75\n5,nan,inf\n")
    after = news(client, since=4)
    assert after["generations"] == [4, 5]
    assert after["metrics"] == {"budget/progress": [0.4, None], "truth/value_preserving": [0.75, None]}


@pytest.mark.parametrize("what", ["run", "games", "mistakes"])
@pytest.mark.parametrize(
    "name", ["", ".", "..", "../secret", "quick/../../secret", "quick", "/etc", "quick/one/", "quick/one/..", "linked",
             "quick/one\x00", ".hidden/one", "quick%2Fone", "~"],
)  # fmt: skip
def test_no_name_leads_out_of_the_folder(client: Client, root: Path, what: str, name: str) -> None:
    make_run(root.parent / "secret")
    make_run(root / ".hidden/one")
    (root / "linked").symlink_to(root.parent / "secret")
    for asked in (name, str(root.parent / "secret"), str(root / "quick/one")):
        assert client.get(f"/api/watch/{what}", params={"name": asked}).status_code == 404
    assert [run["name"] for run in client.get("/api/watch/runs").json()] == ["quick/one"]


def test_a_long_name_and_a_bad_number_are_refused(client: Client) -> None:
    assert client.get("/api/watch/run", params={"name": "x" * 501}).status_code == 422
    assert client.get("/api/watch/run", params={"name": "quick/one", "since": -1}).status_code == 422


def test_games_are_told_ply_by_ply_newest_first(client: Client, root: Path) -> None:
    stamp = news(client)["games_stamp"]
    won = GAME | {"game_id": 6, "actions": [0, 1, 0, 1, 0, 1, 0], "best": [0] * 7, "flags": [0] * 7}
    keep_games(RunFolder(path=root / "quick/one"), [GAME, won], generation=2, most=9)
    assert news(client)["games_stamp"] != stamp
    newest, oldest = client.get("/api/watch/games", params={"name": "quick/one"}).json()
    assert sorted(newest["winning"]) == [[2, 0], [3, 0], [4, 0], [5, 0]]
    assert (oldest["game_id"], oldest["generation"], oldest["names"]) == (5, 2, ["4", "4", "3", "5"])
    assert oldest["opening"] == [True, False, False, False]
    assert oldest["sampled"] == [False, False, True, False]  # chance took another move than the search's best


def test_mistakes_are_told_with_what_became_of_the_position(client: Client, root: Path) -> None:
    keep_mistakes(RunFolder(path=root / "quick/one"), [MISTAKE], generation=3)
    (told,) = client.get("/api/watch/mistakes", params={"name": "quick/one"}).json()
    assert (told["truth"], told["became"], told["played_name"], told["generation"]) == (1, -1, "1", 3)
    assert told["board"][5] == [0, 0, 2, 1, 1, 0, 0]
    unknown = MISTAKE | {
        "scores": [None if at == MISTAKE["played"] else one for at, one in enumerate(MISTAKE["scores"])]
    }
    keep_mistakes(RunFolder(path=root / "quick/one"), [unknown], generation=4)
    (told,) = client.get("/api/watch/mistakes", params={"name": "quick/one"}).json()
    assert told["became"] is None


@pytest.mark.parametrize("actions", [[9], [3] * 7, ["x"], [None], [0, 1, 0, 1, 0, 1, 0, 1]])
def test_what_is_no_game_is_passed_over(client: Client, root: Path, actions: list[Any]) -> None:
    keep_games(RunFolder(path=root / "quick/one"), [GAME | {"actions": actions}, GAME], generation=1, most=9)
    told = client.get("/api/watch/games", params={"name": "quick/one"}).json()
    assert [game["game_id"] for game in told] == [5]


@pytest.mark.parametrize(
    "broken",
    ["{", "null", "- 1", "game: 3", "game: {name: chess}", "a: !!python/object:os.x {}", "\x00", "generation\nx"],
)
def test_a_broken_file_breaks_nothing(root: Path, tmp_path: Path, broken: str) -> None:
    make_run(root / "broken/run", config=broken)
    RunFolder(path=root / "broken/run").games.write_text(json.dumps(GAME | {"generation": 1}) + "\n")
    RunFolder(path=root / "broken/run").mistakes.write_text("{}\n")
    (root / "broken/run/metrics.csv").write_text(broken)
    client = client_of(root, tmp_path)
    assert len(client.get("/api/watch/runs").json()) == 2
    told = client.get("/api/watch/run", params={"name": "broken/run"})
    assert (told.status_code, told.json()["shape"], told.json()["generations"]) == (200, None, [])
    for what in ("games", "mistakes"):
        assert client.get(f"/api/watch/{what}", params={"name": "broken/run"}).json() == []


def a_pipe(path: Path) -> None:
    path.unlink(missing_ok=True)
    os.mkfifo(path)


def without_end(path: Path) -> None:
    path.unlink()
    path.symlink_to("/dev/zero")


def too_large(path: Path) -> None:
    with path.open("w") as file:
        file.truncate(1 << 40)  # a hole: it takes no room


def too_many_figures(path: Path) -> None:
    path.write_text("generation" + ",x" * 1_000_001)


def aliases_of_aliases(path: Path) -> None:
    bomb = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9 if n else 'x' * 9)}]" for n in range(9)]
    path.write_text("\n".join([CONFIG, *bomb]))


def nested_without_end(path: Path) -> None:
    path.write_text("x: " + "[" * 200_000)


HOSTILE = [("metrics", a_pipe), ("metrics", without_end), ("metrics", too_large), ("metrics", too_many_figures),
           ("config", a_pipe), ("config", without_end), ("config", aliases_of_aliases), ("config", nested_without_end),
           ("outcome", a_pipe), ("facts", a_pipe), ("games", a_pipe), ("mistakes", a_pipe)]  # fmt: skip


@pytest.mark.parametrize(("file", "made"), HOSTILE, ids=lambda each: getattr(each, "__name__", each))
def test_a_run_that_is_made_to_harm_fails_alone(
    root: Path, tmp_path: Path, file: str, made: Callable[..., None]
) -> None:
    """It neither waits nor takes memory, and its neighbour is told of as before."""
    run = RunFolder(path=make_run(root / "made/to_harm"))
    made(getattr(run, file))
    client = client_of(root, tmp_path)
    listed = {one["name"]: one for one in client.get("/api/watch/runs").json()}
    assert listed.keys() == {"quick/one", "made/to_harm"}
    assert (listed["quick/one"]["generation"], listed["quick/one"]["trouble"]) == (3, "")
    assert bool(listed["made/to_harm"]["trouble"]) == (file == "metrics")
    assert listed["made/to_harm"]["generation"] == (0 if file == "metrics" else 3)
    for what in ("run", "games", "mistakes"):
        assert client.get(f"/api/watch/{what}", params={"name": "made/to_harm"}).status_code == 200


def test_what_nobody_has_foreseen_in_one_run_hides_no_other(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_run(root / "odd/one")

    def ending(run: Run) -> str:
        if run.name == "odd/one":
            raise RecursionError
        return "training"

    monkeypatch.setattr(Run, "ending", property(ending))
    listed = {one["name"]: one for one in client_of(root, tmp_path).get("/api/watch/runs").json()}
    assert listed["odd/one"]["ending"] == "unreadable"
    assert listed["quick/one"]["trouble"] == ""


def test_a_run_says_where_it_comes_from(client: Client, root: Path) -> None:
    folder = RunFolder(path=root / "quick/one")
    facts = {"command": "/home/me/train.py seed=3 hydra.run.dir=/x", "commit": "abc", "machine": "m" * 5000, "cores": 2}
    folder.facts.write_text(json.dumps(facts))
    folder.checkpoints.mkdir()
    folder.player("best").write_bytes(b"weights")
    told = news(client)["origin"]
    assert told["command"] == "python train.py seed=3"
    assert (told["commit"], told["cores"], len(told["machine"])) == ("abc", "2", 400)
    assert told["best player"] == "checkpoints/best.safetensors"
    assert len(told["SHA-256"]) == 16
    assert told["search"] == "num_simulations=16"


def test_how_a_run_ended_is_told_until_it_goes_on(root: Path) -> None:
    folder = root / "quick/one"
    (folder / "outcome.json").write_text('{"ending": "stopped"}')
    assert Runs(root).run("quick/one").ending == "stopped"
    begin(RunFolder(path=folder), state=None, config={}, facts={}, words=[])
    assert Runs(root).run("quick/one").ending == "training"


def test_a_thing_has_on_the_page_the_colour_that_it_has_in_reports() -> None:
    style = (STATIC / "watch.css").read_text()
    for name in [*LOOKS, "ink"]:
        light, *dark = re.findall(rf"\.k-{name} {{ --c: (#\w+); }}", style)
        assert (light, *dark) == (COLOURS[name][0], COLOURS[name][1], COLOURS[name][1])
    players = (STATIC / "style.css").read_text()
    for name, player in (("first", 0), ("second", 1)):
        assert f"--p{player}: {COLOURS[name][0]};" in players
        assert f"--p{player}-deep: {COLOURS[f'{name}_mark'][0]};" in players


def test_without_runs_the_page_is_there_all_the_same(tmp_path: Path) -> None:
    for root in (None, tmp_path / "nowhere"):
        client = client_of(root, tmp_path)
        assert client.get("/api/watch/runs").json() == []
        assert client.get("/watch").text == "<title>watch</title>"
        assert client.get("/api/watch/run", params={"name": "quick/one"}).status_code == 404


def test_what_a_configuration_looks_up_is_not_shown(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET", "1234")
    text = CONFIG.replace("width: 8", "width: ${oc.env:SECRET}").replace(
        "seed: 3", "seed: ${oc.decode:${oc.env:SECRET}}"
    )
    make_run(root / "curious/run", config=text)
    told = client_of(root, tmp_path).get("/api/watch/run", params={"name": "curious/run"})
    assert told.status_code == 200
    assert "1234" not in told.text
