"""What the generator promises: true samples, games that depend on seed and number alone, calls that cannot go wrong."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import numpy as np
import pytest
from tests.differential.hash_evaluator import HashEvaluator
from tests.differential.trees import PLAIN

from c4.native import _core
from c4.native._core import Generator, Position
from c4.native.knobs import plain_selfplay
from c4.replay.samples import Samples

GAME = "connect4_5x4"
SEARCH = dataclasses.replace(PLAIN, num_simulations=24)
SELFPLAY = plain_selfplay(games_per_group=6, groups=2, fast_simulations=6, trace_tolerance=0.05)

Games = dict[int, dict[str, Any]]


def new_generator(*, game: str = GAME, seed: int = 7, search: object = SEARCH, **changes: Any) -> Generator:
    ids = {key: changes.pop(key) for key in ("first_game", "game_stride") if key in changes}
    return Generator(game, search, dataclasses.replace(SELFPLAY, **changes), seed=seed, **ids)


def play(generator: Generator, *, games: int, game: str = GAME) -> tuple[Samples, Games]:
    """Plays until so many games have ended; returns the samples taken and the records of the games by number."""
    info, evaluator = _core.game_spec(game), HashEvaluator(game=game)
    planes = np.zeros((generator.rows, info.planes, info.height, info.width), np.uint8)
    ended = generator.stats()["games"] + games
    group = 0
    while generator.stats()["games"] < ended:
        rows = generator.gather(planes, group)
        generator.apply(*evaluator.batch(planes[:rows]), group)
        group = (group + 1) % generator.groups
    return generator.take_samples(), {record["game_id"]: record for record in generator.take_games()}


def samples_by_game(samples: Samples) -> dict[int, bytes]:
    numbers = samples["game_id"]
    names = samples.dtype.names or ()
    return {
        int(number): b"".join(samples[name][numbers == number].tobytes() for name in names)
        for number in np.unique(numbers)
    }


@functools.cache
def plain_games() -> dict[int, bytes]:
    return samples_by_game(play(new_generator(), games=60)[0])


class TestSamples:
    def test_tell_what_happened(self) -> None:
        """Results and values are for the side to move (value: native/value.h)."""
        samples, games = play(new_generator(), games=40)
        assert len(games) >= 40
        assert len(samples["ply"]) == sum(len(record["actions"]) for record in games.values())
        for row in range(len(samples["ply"])):
            record, ply = games[int(samples["game_id"][row])], int(samples["ply"][row])
            before = Position.from_actions(GAME, record["actions"][:ply])
            end = Position.from_actions(GAME, record["actions"])
            assert end.is_terminal
            assert samples["packed"][row].tobytes() == before.packed().tobytes()
            lost_by_first = end.value if end.ply % 2 == 0 else -end.value
            assert record["result"] == lost_by_first
            assert samples["result"][row] == (record["result"] if ply % 2 == 0 else -record["result"])
            assert samples["plies_left"][row] == end.ply - ply
            policy = samples["policy"][row]
            assert policy.sum() == pytest.approx(1, abs=1e-5)
            assert set(np.flatnonzero(policy)) <= set(before.legal)
            assert -1 <= samples["root_value"][row] <= 1

    def test_counters_add_up(self) -> None:
        generator = new_generator()
        samples, games = play(generator, games=30)
        stats = generator.stats()
        assert stats["games"] == len(games)
        assert stats["samples"] == len(samples["ply"])
        assert stats["plies"] == sum(len(record["actions"]) for record in games.values())
        results = [record["result"] for record in games.values()]
        assert (stats["first_wins"], stats["draws"], stats["second_wins"]) == tuple(
            results.count(r) for r in (1, 0, -1)
        )
        assert stats["simulations"] >= stats["evaluations"] + stats["terminal_hits"] + stats["proofs"]

    def test_are_taken_once(self) -> None:
        generator = new_generator()
        play(generator, games=5)
        assert generator.samples_ready == 0
        assert len(generator.take_samples()["ply"]) == 0


class TestStreams:
    """The samples of game i are the same, however and wherever it is played."""

    @pytest.mark.parametrize(
        "changes",
        [
            {"num_threads": 3},
            {"games_per_group": 17},
            {"groups": 1, "games_per_group": 1},
            {"groups": 5},
            {"cache_megabytes": 2**-11},
            {"cache_megabytes": 8.0},
            {"cache_megabytes": 8.0, "num_threads": 2, "games_per_group": 30},
        ],
        ids=str,
    )
    def test_whatever_the_threads_games_in_flight_and_cache(self, changes: dict[str, int]) -> None:
        expected = plain_games()
        found = samples_by_game(play(new_generator(**changes), games=60)[0])
        shared = expected.keys() & found.keys()
        assert len(shared) > 40
        assert all(found[number] == expected[number] for number in shared)

    @pytest.mark.parametrize(
        "changes",
        [{"num_threads": 3}, {"games_per_group": 17}, {"groups": 5}, {"cache_megabytes": 8.0}],
        ids=str,
    )
    def test_with_proofs_too(self, changes: dict[str, int]) -> None:
        """What is proven of a leaf does not depend on what other trees, or the cache, know of it."""
        proving = dataclasses.replace(SEARCH, proven_results=True, proof_nodes=8)
        generator = new_generator(search=proving, **changes)
        found = samples_by_game(play(generator, games=60)[0])
        expected = samples_by_game(play(new_generator(search=proving), games=60)[0])
        shared = expected.keys() & found.keys()
        assert len(shared) > 40
        assert all(found[number] == expected[number] for number in shared)
        assert generator.stats()["proofs"] > generator.stats()["evaluations"] / 10

    def test_whatever_the_workers(self) -> None:
        expected = plain_games()
        found: dict[int, bytes] = {}
        for worker in range(3):
            found |= samples_by_game(play(new_generator(first_game=worker, game_stride=3), games=20)[0])
        shared = expected.keys() & found.keys()
        assert len(shared) > 40
        assert all(found[number] == expected[number] for number in shared)

    @pytest.mark.parametrize("leaves", [1, 4])
    def test_with_and_without_a_cache_when_several_leaves_wait(self, leaves: int) -> None:
        search = dataclasses.replace(SEARCH, leaves_per_batch=leaves, proven_results=True)
        without = samples_by_game(play(new_generator(search=search), games=40)[0])
        with_cache = samples_by_game(play(new_generator(search=search, cache_megabytes=0.25), games=40)[0])
        shared = without.keys() & with_cache.keys()
        assert len(shared) > 30
        assert all(without[number] == with_cache[number] for number in shared)

    def test_but_another_seed_plays_other_games(self) -> None:
        expected = plain_games()
        found = samples_by_game(play(new_generator(seed=8), games=60)[0])
        assert all(found[number] != expected[number] for number in expected.keys() & found.keys())

    def test_the_cache_answers_some_leaves(self) -> None:
        generator = new_generator(cache_megabytes=0.25)
        play(generator, games=40)
        assert generator.stats()["cache_hits"] > generator.stats()["evaluations"] / 2


class TestEnd:
    """Of a generator that has one."""

    def test_games_move_together_as_others_end(self) -> None:
        places, games = 4, 40
        params = dataclasses.replace(SELFPLAY, groups=3, games_per_group=places)
        generator = Generator(GAME, SEARCH, params, seed=7, first_game=0, games=games)
        evaluator, info = HashEvaluator(game=GAME), _core.game_spec(GAME)
        planes = np.zeros((generator.rows, info.planes, info.height, info.width), np.uint8)
        most, asked, rounds = 3, 0, 0
        while (left := games - generator.stats()["games"]) > 0:
            batches = 0
            for group in range(3):
                rows = generator.gather(planes, group)
                generator.apply(*evaluator.batch(planes[:rows]), group)
                batches += rows > 0
            assert batches <= most
            most = 3 if left > 3 * places else -(-left // places)  # one round later: all had their turn
            asked, rounds = asked + batches, rounds + 1
        assert asked < 3 * rounds
        assert {game["game_id"] for game in generator.take_games()} == set(range(games))

    def test_a_game_begins_from_the_book_that_is_there_when_it_is_first_asked_for(self) -> None:
        generator = Generator(
            GAME, SEARCH, dataclasses.replace(SELFPLAY, book_probability=1.0), seed=7, first_game=0, games=20
        )
        generator.set_openings([[0, 1]])
        evaluator, info = HashEvaluator(game=GAME), _core.game_spec(GAME)
        planes = np.zeros((generator.rows, info.planes, info.height, info.width), np.uint8)
        while generator.stats()["games"] < 20:
            for group in range(generator.groups):
                rows = generator.gather(planes, group)
                generator.apply(*evaluator.batch(planes[:rows]), group)
        assert all(game["actions"][:2] == [0, 1] for game in generator.take_games())


class TestGoodData:
    def test_only_full_searches_are_recorded(self) -> None:
        generator = new_generator(full_search_probability=0.25)
        samples, games = play(generator, games=100)
        plies = sum(len(record["flags"]) for record in games.values())
        full = {
            (number, ply)
            for number, record in games.items()
            for ply, flags in enumerate(record["flags"])
            if flags & _core.FULL_SEARCH
        }
        assert full == set(zip(samples["game_id"].tolist(), samples["ply"].tolist(), strict=True))
        assert 0.15 < len(full) / plies < 0.35
        assert generator.stats()["simulations"] < plies * (0.35 * 24 + 0.85 * 6) + 12 * 24

    def test_fast_searches_are_recorded_as_often_as_is_said_and_without_a_policy(self) -> None:
        plain, games = play(new_generator(full_search_probability=0.25), games=60)
        rows = {}
        for share in (0.5, 1.0):
            samples, same_games = play(new_generator(full_search_probability=0.25, record_fast=share), games=60)
            assert same_games == games  # nothing that is played depends on what is recorded
            of = list(zip(samples["game_id"].tolist(), samples["ply"].tolist(), strict=True))
            full = np.array([bool(games[number]["flags"][ply] & _core.FULL_SEARCH) for number, ply in of])
            assert samples["policy"][~full].any() == 0
            assert samples["surprise"][~full].any() == 0
            for name in plain.dtype.names or ():
                assert samples[name][full].tobytes() == plain[name].tobytes(), name
            rows[share] = (~full).sum()
        assert rows[1.0] + len(plain["ply"]) == sum(len(record["actions"]) for record in games.values())
        assert 0.4 < rows[0.5] / rows[1.0] < 0.6

    def test_surprise_is_how_far_the_target_is_from_the_prior(self) -> None:
        evaluator = HashEvaluator(game=GAME)
        samples, games = play(new_generator(search=dataclasses.replace(SEARCH, noise_epsilon=0.0)), games=10)
        for row, number in enumerate(samples["game_id"].tolist()):
            position = Position.from_actions(GAME, games[number]["actions"][: samples["ply"][row]])
            logits = evaluator.batch(position.planes()[None])[0][0].astype(np.float64)[position.legal]
            target = samples["policy"][row].astype(np.float64)[position.legal]
            prior = np.exp(logits) / np.exp(logits).sum()
            seen = target > 0
            expected = (target[seen] * np.log(target[seen] / prior[seen])).sum()
            assert samples["surprise"][row] == pytest.approx(expected, abs=1e-5)
        assert samples["surprise"].max() > 0.1

    def test_random_openings_are_not_recorded(self) -> None:
        samples, games = play(new_generator(random_opening_probability=0.5, random_opening_plies=6), games=200)
        lengths = [sum(1 for flags in record["flags"] if flags & _core.OPENING_PLY) for record in games.values()]
        assert max(lengths) == 6
        assert 0.3 < np.mean([length > 0 for length in lengths]) < 0.55  # half of the games, one in seven of length 0
        for number, length in zip(games, lengths, strict=True):
            record = games[number]
            assert record["best"][:length] == [-1] * length
            assert all(best >= 0 for best in record["best"][length:])
            assert sorted(samples["ply"][samples["game_id"] == number]) == list(range(length, len(record["actions"])))

    def test_the_book_is_used_as_often_as_is_said(self) -> None:
        generator = new_generator(book_probability=0.5)
        book = [[0, 1, 2], [4, 4]]
        generator.set_openings(book)
        play(generator, games=12)  # games that had begun before the book was there
        _, games = play(generator, games=100)
        lengths = [sum(1 for flags in record["flags"] if flags & _core.OPENING_PLY) for record in games.values()]
        assert set(lengths) == {0, 2, 3}
        assert 0.35 < np.mean([length > 0 for length in lengths]) < 0.65
        for record, length in zip(games.values(), lengths, strict=True):
            assert length == 0 or record["actions"][:length] in book

    @pytest.mark.parametrize(
        ("opening", "reason"),
        [([0, 0, 0, 0, 0], "ply 5: column 1 is full"), ([9], "ply 1: action 9"), ([0, 1] * 3 + [0], "leave something")],
    )
    def test_a_bad_book_is_refused(self, opening: list[int], reason: str) -> None:
        with pytest.raises(ValueError, match=reason):
            new_generator().set_openings([opening])

    def test_without_temperature_one_of_the_most_visited_moves_is_played(self) -> None:
        search = dataclasses.replace(SEARCH, temperature_start=0.0, temperature_end=0.0, policy_target_temperature=0.0)
        samples, games = play(new_generator(search=search), games=30)
        for number, ply, policy in zip(samples["game_id"], samples["ply"], samples["policy"], strict=True):
            assert policy[games[int(number)]["actions"][ply]] == policy.max()
            assert games[int(number)]["best"][ply] == policy.argmax()

    def test_temperature_falls_with_the_plies(self) -> None:
        search = dataclasses.replace(SEARCH, temperature_start=2.0, temperature_end=0.0, temperature_plies=6)
        _, games = play(new_generator(search=search), games=60)
        sampled = np.array([[bool(flags & _core.SAMPLED_MOVE) for flags in r["flags"][:7]] for r in games.values()])
        assert sampled[:, :3].mean() > 0.4
        assert sampled[:, 6].mean() < 0.1  # among equals only
        for record in games.values():
            differs = [a != b for a, b in zip(record["actions"], record["best"], strict=True)]
            assert differs == [bool(flags & _core.SAMPLED_MOVE) for flags in record["flags"]]

    def test_early_stop_saves_simulations_and_changes_no_best_move(self) -> None:
        greedy = dataclasses.replace(
            SEARCH, temperature_start=0.0, temperature_end=0.0, noise_epsilon=0.0, reuse_tree=False
        )
        runs = []
        for early in (False, True):
            generator = new_generator(search=dataclasses.replace(greedy, early_stop=early), random_opening_plies=8,
                                      random_opening_probability=1.0)  # fmt: skip
            _, games = play(generator, games=40)
            runs.append(({n: r["actions"] for n, r in games.items()}, generator.stats()))
        shared = runs[0][0].keys() & runs[1][0].keys()
        assert len(shared) > 30
        assert all(runs[0][0][number] == runs[1][0][number] for number in shared)
        per_ply = [stats["simulations"] / stats["plies"] for _, stats in runs]
        assert per_ply[1] < 0.9 * per_ply[0]


class TestNoise:
    """Dirichlet noise alone: the network prefers nothing, and with epsilon 1 the priors are the noise."""

    @staticmethod
    def played(**changes: Any) -> tuple[Samples, np.ndarray]:
        """Samples of 24 games, and by game the best moves of the first four plies: too early for a line to be seen."""
        changes = {"noise_epsilon": 1.0, "dirichlet_alpha": 0.3, "full_search_probability": 1.0} | changes
        full = changes.pop("full_search_probability")
        generator = new_generator(search=dataclasses.replace(SEARCH, **changes), full_search_probability=full)
        planes = np.zeros((generator.rows, 3, 4, 5), np.uint8)
        while generator.stats()["games"] < 24:
            for group in range(generator.groups):
                rows = generator.gather(planes, group)
                generator.apply(np.zeros((rows, 5), np.float32), *np.zeros((2, rows), np.float32), group)
        return generator.take_samples(), np.array([record["best"][:4] for record in generator.take_games()])

    def test_makes_games_begin_differently_and_nothing_else_does(self) -> None:
        assert len(set(self.played()[1][:, 0].tolist())) == 5
        for without in ({"noise_epsilon": 0.0}, {"full_search_probability": 0.0}):
            assert len(set(self.played(**without)[1][:, 0].tolist())) == 1

    @pytest.mark.parametrize("reuse", [False, True])
    def test_is_drawn_anew_at_each_ply_and_is_as_sharp_as_alpha_says(self, reuse: bool) -> None:
        sharpness = {}
        for alpha in (0.03, 100.0):
            samples, best = self.played(dirichlet_alpha=alpha, reuse_tree=reuse)
            largest = samples["policy"].max(axis=1)
            sharpness[alpha] = [largest[samples["ply"] == ply].mean() for ply in range(4)]
            assert (best[:, 1:] == best[:, :-1]).mean() < 0.6
        assert min(sharpness[0.03]) > 0.4
        assert max(sharpness[100.0]) < 0.3


class TestCalls:
    def test_a_wrong_order_says_what_to_call(self) -> None:
        generator = new_generator()
        planes = np.zeros((generator.rows, 3, 4, 5), np.uint8)
        with pytest.raises(RuntimeError, match="call gather first"):
            generator.apply(*HashEvaluator(game=GAME).batch(planes[:0]))
        rows = generator.gather(planes)
        with pytest.raises(RuntimeError, match="call apply"):
            generator.gather(planes)
        with pytest.raises(RuntimeError, match="call apply"):
            generator.set_params(SEARCH)
        with pytest.raises(ValueError, match="the network's answer has 5 rows, but gather asked for 6"):
            generator.apply(*HashEvaluator(game=GAME).batch(planes[: rows - 1]))
        with pytest.raises(ValueError, match="planes must have at least 6 rows, not 5"):
            generator.gather(planes[:5], 1)
        generator.apply(*HashEvaluator(game=GAME).batch(planes[:rows]))

    def test_bad_output_is_refused_and_the_generator_goes_on(self) -> None:
        generator = new_generator()
        planes = np.zeros((generator.rows, 3, 4, 5), np.uint8)
        logits, value, plies = HashEvaluator(game=GAME).batch(planes[: generator.gather(planes)])
        spoilt = value.copy()
        spoilt[2] = np.nan
        with pytest.raises(ValueError, match="value is .*nan for the position ''"):
            generator.apply(logits, spoilt, plies)
        generator.apply(logits, value, plies)
        expected = samples_by_game(play(new_generator(), games=20)[0])
        found = samples_by_game(play(generator, games=20)[0])
        assert all(found[number] == expected[number] for number in expected.keys() & found.keys())

    def test_a_group_that_does_not_exist(self) -> None:
        generator = new_generator()
        with pytest.raises(IndexError, match="group 2 is not between 0 and 1"):
            generator.gather(np.zeros((generator.rows, 3, 4, 5), np.uint8), 2)

    def test_a_board_whose_every_position_is_known_does_not_hang(self) -> None:
        """With everything in the cache a call may have nothing to ask, and still games are played."""
        generator = new_generator(game="tictactoe", cache_megabytes=8.0, games_per_group=4)
        play(generator, games=1500, game="tictactoe")
        planes = np.zeros((generator.rows, 3, 3, 3), np.uint8)
        games = generator.stats()["games"]
        rows = [generator.gather(planes)]
        generator.apply(*HashEvaluator(game="tictactoe").batch(planes[: rows[0]]))
        assert rows[0] < 4
        assert generator.stats()["games"] > games
