"""On a Ray cluster of two nodes: the same games for any number of actors, whoever dies; and what is missing is said."""

from __future__ import annotations

import dataclasses
import itertools
import os
import signal
from typing import Any

import numpy as np
import pytest
import torch
from benchmarks.ray_nodes import Nodes
from tests.distributed.kit import contract, source_engine, source_params, weights
from tests.selfplay.kit import GAME, never

from c4.distributed.cluster import ClusterError
from c4.distributed.crew import RayCrew
from c4.distributed.flowing import FlowingSource
from c4.distributed.sources import ray_source
from c4.distributed.wire import pack_weights, unpack
from c4.distributed.worker import Orders
from c4.games import game_spec
from c4.selfplay.chunks import ExactSource, LocalCrew, Playing
from c4.selfplay.source import Glance, Harvest

ray = pytest.importorskip("ray")
SPEC = game_spec(GAME)
WANTED = 400


def exact(*, actors: int, words: tuple[str, ...] = ()) -> tuple[ExactSource, RayCrew]:
    params = source_params("selfplay.mode=exact", "selfplay.chunk_games=9", f"selfplay.actors={actors}", *words)
    source = ray_source(contract(), params=params, engine=source_engine())
    assert isinstance(source, ExactSource)
    crew = source._crew
    assert isinstance(crew, RayCrew)
    return source, crew


def generations(source: Any, *, watch: Any = never) -> list[Harvest]:
    """Two, under two versions of weights."""
    harvests = []
    for version in range(2):
        source.publish(weights(version))
        harvests.append(source.collect(wanted=WANTED, version=version, watch=watch))
    return harvests


@pytest.fixture(scope="module")
def here() -> list[Harvest]:
    """The same games, played in this process."""
    made, engine = contract(), source_engine()
    playing = Playing(game=SPEC, search=made.search, selfplay=made.selfplay, seed=made.seed, engine=engine)
    return generations(ExactSource(LocalCrew(playing), game=SPEC, chunk_games=9))


def assert_same(found: list[Harvest], wanted: list[Harvest]) -> None:
    for one, other in zip(found, wanted, strict=True):
        assert np.array_equal(one.samples, other.samples)
        assert one.games == other.games
        assert one.counters["games"] == other.counters["games"]


@pytest.mark.parametrize("actors", [1, 2, 3])
def test_games_are_the_same_for_any_number_of_actors(nodes: Nodes, here: list[Harvest], actors: int) -> None:
    source, _ = exact(actors=actors)
    found = generations(source)
    assert_same(found, here)
    assert found[-1].figures["actors/lost"] == 0
    assert found[-1].figures["actors/bytes_per_sample"] < 60
    source.close()


def test_games_are_the_same_when_an_actor_and_a_node_are_killed(nodes: Nodes, here: list[Harvest]) -> None:
    source, crew = exact(actors=5)  # one more than the two nodes have room for
    third = nodes.begin(cpus=1)
    actors = crew._actors = crew._begin()
    while len(actors.alive) < 5:
        actors.keep()
        actors.wait(1.0)
    killed: list[int] = []

    def kill(glance: Glance) -> bool:
        if glance.counters["games"] and not killed:
            killed.append(actors.alive[0].about["pid"])
            os.kill(killed[0], signal.SIGKILL)
            nodes.kill(third)
        return False

    assert_same(generations(source, watch=kill), here)
    while actors.lost < 2:  # a node that is gone is noticed after a while
        actors.wait(1.0)
    source.close()


def test_flowing_games_are_counted_once_also_when_an_actor_is_killed(nodes: Nodes) -> None:
    params = source_params("selfplay.chunk_games=9", "selfplay.actors=2", "selfplay.most_age=1")
    source = ray_source(contract(), params=params, engine=source_engine())
    assert isinstance(source, FlowingSource)
    numbers: list[int] = []
    for version in range(4):
        source.publish(weights(version))
        harvest = source.collect(wanted=WANTED, version=version, watch=never)
        numbers += [game["game_id"] for game in harvest.games]
        assert harvest.counters["games"] == len(harvest.games)
        assert (version - harvest.samples["weights_version"] <= 1).all()
        assert harvest.figures["actors/age_most"] <= 1
        if version == 1:
            assert source._actors is not None
            os.kill(source._actors.alive[0].about["pid"], signal.SIGKILL)
    assert len(numbers) == len(set(numbers))
    assert harvest.figures["actors/lost"] == 1
    assert harvest.figures["actors/ready"] >= 0
    members = source.state()["members"]
    source.close()
    again = ray_source(contract(), params=params, engine=source_engine())
    again.restore({"openings": [], "members": members})
    again.publish(weights(4))
    gone_on = again.collect(wanted=WANTED, version=4, watch=never)
    assert not {game["game_id"] for game in gone_on.games} & set(numbers)
    again.close()


def test_actors_join_and_leave_while_it_runs(nodes: Nodes) -> None:
    params = source_params("selfplay.chunk_games=9", "selfplay.actors=5", "selfplay.least_actors=4")
    source = ray_source(contract(), params=params, engine=source_engine())
    version = itertools.count()

    def played_until(name: str, wanted: float) -> None:
        for _ in range(5000):
            source.publish(weights(0))
            harvest = source.collect(wanted=WANTED, version=next(version), watch=never)
            assert len(harvest.samples) >= WANTED
            if harvest.figures[name] == wanted:
                return
        pytest.fail(f"{name} was never {wanted}")

    played_until("actors/alive", 4)  # no room for more
    another = nodes.begin(cpus=1)
    played_until("actors/alive", 5)
    nodes.kill(another)
    played_until("actors/lost", 1)
    source.close()


def test_some_actors_have_a_gpu_and_others_none(nodes: Nodes) -> None:
    params = source_params("selfplay.actors=2", "selfplay.gpu_actors=1", "selfplay.actor_gpus=1")
    source = ray_source(contract(), params=params, engine=source_engine())
    assert isinstance(source, FlowingSource)
    node, actors = nodes.begin(cpus=1, gpus=1), source._begin(0)
    while len(actors.alive) < 2:
        actors.keep()
        actors.wait(1.0)
    with_gpu, without = sorted(actors.alive, key=lambda one: one.seat)
    assert (with_gpu.about["gpus"], without.about["gpus"]) == ("0", "")
    orders = Orders(game=GAME, version=0, weights=pack_weights(weights(0)), openings=[])
    assert unpack(ray.get(without.handle.flow.remote(1, 1, orders)), game=GAME).games
    if not torch.cuda.is_available():  # Ray believes what it is told
        with pytest.raises(ray.exceptions.RayTaskError, match=r"inference.engine=cuda|no GPU|CUDA"):
            ray.get(with_gpu.handle.flow.remote(0, 1, orders))
    actors.end()
    nodes.kill(node)


def test_what_lies_ready_is_bounded_while_the_learner_learns(nodes: Nodes) -> None:
    params = source_params("selfplay.chunk_games=9", "selfplay.actors=2")
    source = ray_source(contract(), params=params, engine=source_engine())
    assert isinstance(source, FlowingSource)
    source.publish(weights(0))
    source.collect(wanted=100, version=0, watch=never)
    assert source._actors is not None
    while source._amount()[0] < 100 or any(one.jobs for one in source._actors.alive):
        assert source._failed is None
    games = source._amount()[1]["games"]
    assert games < 100 + 2 * 2 * 2 * 9  # what was given out before it was enough comes in all the same
    source.close()


def test_an_actor_of_other_code_is_refused(nodes: Nodes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("c4.distributed.sources.about_here", lambda: {"c4": "0123", "python": "3.0"})
    source, _ = exact(actors=1)
    source.publish(weights(0))
    with pytest.raises(
        ClusterError, match=r"has another code of c4 \(\w+\) than this machine \(0123\): install the same"
    ):
        source.collect(wanted=10, version=0, watch=never)
    source.close()


def test_actors_that_find_no_room_are_not_waited_for_without_end(nodes: Nodes) -> None:
    source, _ = exact(actors=2, words=("selfplay.actor_cpus=64", "selfplay.patience=1"))
    source.publish(weights(0))
    with pytest.raises(
        ClusterError, match="0 of 2 actors are there after 1 seconds.*each wants 64 CPU, and the cluster has"
    ):
        source.collect(wanted=10, version=0, watch=never)
    source.close()


def test_weights_of_another_network_are_refused_by_the_actor(nodes: Nodes) -> None:
    source, crew = exact(actors=1)
    crew._weights = pack_weights({name: tensor[:1] for name, tensor in weights(0).items() if tensor.dim()})
    with pytest.raises(ClusterError, match="an actor failed: .*size mismatch"):
        source.collect(wanted=10, version=0, watch=never)
    source.close()


def test_a_watch_ends_a_generation_at_once(nodes: Nodes) -> None:
    source, _ = exact(actors=1)
    source.publish(weights(0))
    harvest = source.collect(wanted=1_000_000, version=0, watch=lambda glance: glance.counters["games"] >= 9)
    assert [game["game_id"] for game in harvest.games] == list(range(len(harvest.games)))
    source.close()


def test_the_contract_says_all_that_decides_a_chunk() -> None:
    names = {field.name for field in dataclasses.fields(contract())}
    assert names == {"game", "seed", "search", "selfplay", "network", "inference"}
