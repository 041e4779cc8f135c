"""Jobs as tasks of a Ray cluster: in order, whoever dies, refused where nobody can do them; and an arena of such."""

from __future__ import annotations

import dataclasses
import json
import os
import signal
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import torch
from benchmarks.ray_nodes import Nodes
from tests.distributed.kit import arena_params, config
from tests.evaluation.makers import SEARCH
from torch import nn

from c4 import load_config
from c4.distributed import tasks as tasks_module
from c4.distributed.cluster import ClusterError
from c4.distributed.tasks import LostError, Make, Task, Tasks
from c4.evaluating import evaluate
from c4.evaluation import beside
from c4.evaluation.arena import Standings, tournament
from c4.evaluation.away import away, contract_of, table_of
from c4.evaluation.baseline import challenger, play_match
from c4.evaluation.beside import Graders
from c4.evaluation.gradings import Grading
from c4.evaluation.report import set_figures
from c4.games import game_spec
from c4.network.inference.factory import make_engine
from c4.network.network import make_network
from c4.network.weights import PlayerFile, save_player
from c4.params.inference import InferenceParams
from c4.params.network import NetworkDesign
from c4.params.target import ASKED, Target
from c4.players.player import PlayerWordError
from c4.players.roster import Roster
from c4.sources import SHIPPED, opened

pytest.importorskip("ray")
GAME = "tictactoe"
PLAYERS = (  # three that draw by chance, and a network that is sent
    Target("c4.players.chance.RandomPlayer"),
    Target("c4.players.rollouts.RolloutPlayer", {"rollouts": 5}),
    Target("c4.players.network.CheckpointPlayer", {"checkpoint": "mine.safetensors", "simulations": 8}),
)


@pytest.fixture(autouse=True)
def _asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ASKED, ",".join(target.path for target in PLAYERS))


def tasks(make: Make, contract: Any = None, *, most: int = 2, words: tuple[str, ...] = ()) -> Tasks:
    return Tasks(make, contract, params=arena_params(*words), most=most)


def brought(tasks: Tasks, *jobs: Any) -> list[Any]:
    return list(tasks.each(jobs, on_look=lambda _over, _out: None))


def test_what_jobs_bring_comes_in_their_order_whichever_is_over_first(nodes: Nodes, tmp_path: Path) -> None:
    def make(contract: int, threads: int | None) -> Callable[[int], list[int | None]]:
        def multiply(job: int) -> list[int | None]:
            while job == 0 and not (tmp_path / "4").exists():
                pass  # the first is over last
            (tmp_path / str(job)).touch()
            return [contract * job, threads]

        return multiply

    seen: list[tuple[int, int]] = []
    found = list(tasks(make, 10).each(range(5), on_look=lambda over, out: seen.append((over, out))))
    assert found == [[10 * job, 1] for job in range(5)]
    assert all(out <= 2 for _, out in seen)
    assert seen[-1] == (5, 0)


def test_a_task_that_dies_is_done_again_and_one_that_always_dies_is_said(
    nodes: Nodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks_module, "RETRIES", 1)

    def make(lives: int, _threads: int | None) -> Callable[[str], int]:
        def die(job: str) -> int:
            with Path(job).open("a") as begun:
                begun.write("x")
            if Path(job).stat().st_size <= lives:
                os.kill(os.getpid(), signal.SIGKILL)
            return Path(job).stat().st_size

        return die

    assert brought(tasks(make, 1), str(tmp_path / "once")) == [2]
    with pytest.raises(LostError, match="a task of Ray's died 2 times: "):
        brought(tasks(make, 99), str(tmp_path / "always"))
    assert (tmp_path / "always").read_text() == "xx"


def test_a_task_of_other_code_is_refused(nodes: Nodes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks_module, "about_here", lambda: {"c4": "0123", "python": "3.0"})
    with pytest.raises(ClusterError, match=r"has another code of c4 \(\w+\) than this machine \(0123\): install"):
        brought(tasks(lambda _contract, _threads: lambda job: job), 1)


def test_room_that_is_nowhere_is_not_waited_for_without_end(nodes: Nodes) -> None:
    nowhere = tasks(lambda _contract, _threads: lambda job: job, words=("arena.actor_cpus=64", "arena.patience=1"))
    with pytest.raises(ClusterError, match="given out 1 seconds ago: each wants 64 CPU, and the cluster has"):
        brought(nowhere, 1)


def test_an_arena_is_the_same_on_a_cluster(nodes: Nodes) -> None:
    here, said_here = _arena(on_ray=False, stops=False)
    there, said_there = _arena(on_ray=True, stops=False)
    assert there.meetings == here.meetings
    assert there.as_dict() == here.as_dict()
    assert said_there == said_here
    assert len(said_here) == 9  # three meetings of three batches


def test_an_arena_that_stops_early_counts_no_batch_that_was_played_ahead(nodes: Nodes) -> None:
    here, said_here = _arena(on_ray=False, stops=True)
    there, said_there = _arena(on_ray=True, stops=True)
    assert there.as_dict() == here.as_dict()
    assert said_there == said_here
    assert len(here.meetings[0].pair_scores) < 12


def test_weights_are_graded_on_a_cluster_as_they_are_here(nodes: Nodes) -> None:
    words = ["selfplay=ray", "selfplay.grade_beside=true", "inference=torch", "inference.streams=1", "network.width=8"]
    words += ["network.depth=1", "evaluation.grading.positions=20", "evaluation.grading.simulations=[0,4]"]
    words += ["evaluation.baseline.games=8", "evaluation.baseline.simulations=4"]
    composed, spec = load_config(*words), game_spec("connect4")
    network = _opinionated("connect4", composed.network)
    engine = make_engine(composed.inference, spec=spec, network=network)
    engine.load(network.state_dict())
    graders = Graders(beside.contract_of(composed), params=composed.selfplay)

    def given(job: Mapping[str, Any]) -> Task:
        return graders.give(job, weights=network.state_dict())

    first, second = given(beside.truth_job()), given(beside.match_job(rollouts=5, seed=7))
    found = {"match": graders.answer(second, wait=True), "truth": graders.answer(first, wait=True)}
    grading = Grading(game="connect4", search=composed.grading_search, params=composed.evaluation)
    dev = grading.dev_set()
    assert dev is not None
    here = grading.of_generation(dev, judge=engine)
    there = found["truth"]
    assert there == json.loads(json.dumps(here))
    assert set_figures(there, dev.name, prefix="") == set_figures(here, dev.name, prefix="")
    player = challenger(engine, game="connect4", search=composed.search, params=composed.evaluation)
    match = play_match(player, game="connect4", rollouts=5, games=8, seed=7, threads=composed.evaluation.threads)
    assert found["match"] == json.loads(json.dumps(dataclasses.asdict(match)))


def test_evaluate_plays_an_arena_on_a_cluster(
    nodes: Nodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    file, _ = _network()
    for name in ("one", "other"):
        save_player(tmp_path / f"{name}.ckpt", spec=file.spec, design=file.design, state=file.state, card={})
    words = ["mode=arena", "game=tictactoe", "arena.players=[one.ckpt@8,other.ckpt@8,rollouts@5,rollouts@5]"]
    words += ["arena.pairs=2", "arena.batch_pairs=1", "arena.opening_plies=2", "inference=torch", "output=json"]
    told = []
    for where in ("default", "ray"):
        with opened(conf=SHIPPED, name="evaluate") as sources:
            evaluate(sources.compose([*words, f"arena={where}"]))
        told.append(capsys.readouterr())
    assert told[1].out == told[0].out
    assert [one["name"] for one in json.loads(told[1].out)["players"]][2:] == ["rollouts@5", "rollouts@5 #4"]
    assert "one@8 - other@8: " in told[1].err


def test_a_network_that_is_not_in_the_arena_is_refused_there() -> None:
    contract = contract_of(_roster(), [PLAYERS[2], PLAYERS[0]], names=["a", "b"], searches={}, networks={})
    play = table_of(contract, 1)
    with pytest.raises(PlayerWordError, match=r"mine.safetensors: on a cluster only networks play that arena.players"):
        play({"players": [0, 1], "begun": [0, 0], "openings": [[]]})


def _arena(*, on_ray: bool, stops: bool) -> tuple[Standings, list[str]]:
    targets = PLAYERS[:2] if stops else PLAYERS
    params = arena_params("arena.pairs=12" if stops else "arena.pairs=5", "arena.elo_high=300", "arena.batch_pairs=2")
    if not stops:
        params = dataclasses.replace(params, error=0.0)
    file, inference = _network()
    roster = _roster()
    players = [roster.player(target) for target in targets]
    contract = contract_of(
        roster,
        targets,
        names=[player.name for player in players],
        searches={"mine.safetensors": SEARCH},
        networks={"mine.safetensors": (file, inference)},
    )
    said: list[str] = []
    elsewhere = away(contract, params=params) if on_ray else None
    standings = tournament(players, game=GAME, params=params, on_batch=said.append, elsewhere=elsewhere)
    return standings, said


def _roster() -> Roster:
    file, inference = _network()
    engine = make_engine(inference, spec=file.spec, network=file.network)
    engine.load(file.state)
    return Roster(
        game=GAME,
        seed=3,
        threads=1,
        cache_megabytes=0.0,
        search=SEARCH,
        search_of=lambda _: SEARCH,
        judge_of=lambda _: engine,
    )


def _network() -> tuple[PlayerFile, InferenceParams]:
    composed, spec = config(), game_spec(GAME)
    network = _opinionated(GAME, composed.network)
    file = PlayerFile(spec=spec, design=composed.network, network=network, version="", card={})
    return file, dataclasses.replace(composed.inference, streams=1)


def _opinionated(game: str, design: NetworkDesign) -> nn.Module:
    """A fresh network likes all moves alike, whatever became of its weights on the way."""
    torch.manual_seed(1)
    network = make_network(game_spec(game), design).eval()
    with torch.no_grad():
        for weights in network.parameters():
            weights.normal_(std=0.5)
    return network
