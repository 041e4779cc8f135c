"""An arena whose batches are tasks of a cluster: who plays, batches and games as plain values, and what makes players
of them there.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from typing import Any

from c4.distributed.tasks import Tasks
from c4.distributed.wire import pack_weights, unpack_weights
from c4.distributed.worker import engine_of
from c4.evaluation.arena import Batch, Pairs, PlayBatches
from c4.evaluation.games import PlayedGame, play_pairs
from c4.games import game_spec
from c4.native._core import Position
from c4.network.inference.engine import InferenceEngine
from c4.network.network import design_of
from c4.network.weights import PlayerFile
from c4.params.arena import ArenaParams
from c4.params.inference import InferenceParams
from c4.params.plain import as_plain, from_plain
from c4.params.search import SearchParams
from c4.params.target import Target, asked, trust
from c4.players.player import Player, PlayerWordError
from c4.players.roster import Roster

Plain = dict[str, Any]


def contract_of(
    roster: Roster,
    targets: Sequence[Target],
    *,
    names: Sequence[str],
    searches: Mapping[str, SearchParams],
    networks: Mapping[str, tuple[PlayerFile, InferenceParams]],
) -> Plain:
    """Who plays, each under its name. `networks` by the words that name them, with what is to run each."""
    return {
        "game": roster.game,
        "seed": roster.seed,
        "threads": roster.threads,
        "cache_megabytes": roster.cache_megabytes,
        "search": as_plain(roster.search),
        "searches": {word: as_plain(search) for word, search in searches.items()},
        "networks": {
            word: {
                "design": as_plain(file.design),
                "inference": as_plain(inference),
                "weights": pack_weights(file.state),
            }
            for word, (file, inference) in networks.items()
        },
        "players": [{"target": one.as_plain(), "name": name} for one, name in zip(targets, names, strict=True)],
        "trusted": asked(),
    }


def away(contract: Plain, *, params: ArenaParams, on_look: Callable[[str], None] = lambda _: None) -> PlayBatches:
    """Plays on the cluster that `params` names. `on_look` is told how far it is, now and then."""

    def play(batches: Sequence[Batch]) -> Generator[Pairs]:
        def look(over: int, out: int) -> None:
            on_look(f"{over} of {len(batches)} batches finished, {out} being played")

        with closing(Tasks(table_of, contract, params=params, most=params.actors or 1)) as tasks:
            for answer in tasks.each([job_of(batch) for batch in batches], on_look=look):
                yield pairs_of(answer)

    return play


def job_of(batch: Batch) -> Plain:
    openings = [list(opening.actions) for opening in batch.openings]
    return {"players": list(batch.players), "begun": list(batch.begun), "openings": openings}


def pairs_of(answer: Sequence[Sequence[Mapping[str, Any]]]) -> Pairs:
    """Of what a job has brought."""
    return [(_game(one), _game(two)) for one, two in answer]


def table_of(contract: Mapping[str, Any], threads: int | None) -> Callable[[Mapping[str, Any]], list[list[Plain]]]:
    """What plays batches, in the process that it is made in. Players are made when they are first asked for."""
    trust(contract["trusted"])
    engines: dict[str, InferenceEngine] = {}

    def judge_of(word: str) -> InferenceEngine:
        if word not in engines:
            if word not in contract["networks"]:
                raise PlayerWordError(f"{word}: on a cluster only networks play that arena.players names")
            sent = contract["networks"][word]
            engines[word] = engine_of(
                game_spec(contract["game"]),
                design=design_of(sent["design"]),
                inference=from_plain(InferenceParams, sent["inference"]),
                threads=threads,
            )
            engines[word].load(unpack_weights(sent["weights"]))
        return engines[word]

    roster = Roster(
        game=contract["game"],
        seed=contract["seed"],
        threads=contract["threads"],
        cache_megabytes=contract["cache_megabytes"],
        search=from_plain(SearchParams, contract["search"]),
        search_of=lambda word: from_plain(SearchParams, contract["searches"][word]),
        judge_of=judge_of,
    )
    made: dict[int, Player] = {}

    def player(place: int, *, begun: int) -> Player:
        if place not in made:
            wanted = contract["players"][place]
            made[place] = roster.player(Target.from_plain(wanted["target"]))
            made[place].name = wanted["name"]
        chooses: Any = made[place]
        if hasattr(chooses, "rounds"):
            chooses.rounds = begun
        return made[place]

    def play(job: Mapping[str, Any]) -> list[list[Plain]]:
        one, other = (player(place, begun=begun) for place, begun in zip(job["players"], job["begun"], strict=True))
        openings = [Position.from_actions(contract["game"], actions) for actions in job["openings"]]
        return [[dataclasses.asdict(game) for game in pair] for pair in play_pairs((one, other), openings)]

    return play


def _game(plain: Mapping[str, Any]) -> PlayedGame:
    return PlayedGame(**{**plain, "actions": tuple(plain["actions"])})
