"""What stays of a generator at new weights, and in a state that is saved and restored."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from tests.differential.hash_evaluator import HashEvaluator
from tests.native.test_generator import GAME, SEARCH, new_generator, play, samples_by_game

from c4.native import _core


class TestWeights:
    def test_a_change_keeps_the_games(self) -> None:
        generator = new_generator(cache_megabytes=0.25)
        play(generator, games=10)
        generator.set_weights_version(3)
        samples, games = play(generator, games=30)
        versions = samples["weights_version"]
        assert set(versions.tolist()) == {0, 3}  # games in flight went on
        for number in games:
            of_game = versions[samples["game_id"] == number]
            assert (np.diff(of_game) >= 0).all()

    def test_a_change_forgets_the_trees_and_the_cache(self) -> None:
        generator = new_generator(cache_megabytes=0.25)
        planes = np.zeros((generator.rows, 3, 4, 5), np.uint8)
        for version in range(3):
            generator.set_weights_version(version)
            assert generator.gather(planes) == 1  # all games are where they began, and that is asked anew
            assert not planes[0, :2].any()
            generator.apply(*HashEvaluator(game=GAME).batch(planes[:1]))
        generator.gather(planes)
        assert planes[0, :2].any()

    def test_leaves_in_flight_are_dropped(self) -> None:
        generator = new_generator()
        planes = np.zeros((generator.rows, 3, 4, 5), np.uint8)
        rows = generator.gather(planes, 0)
        generator.set_weights_version(1)
        with pytest.raises(RuntimeError, match="call gather first"):
            generator.apply(*HashEvaluator(game=GAME).batch(planes[:0]), 0)
        assert generator.gather(planes, 0) == rows


class TestState:
    def test_a_restored_generator_goes_on_as_if_nothing_had_happened(self) -> None:
        changes = {"cache_megabytes": 0.25, "full_search_probability": 0.5, "random_opening_probability": 0.3}
        first = new_generator(**changes, random_opening_plies=4)
        play(first, games=25)
        first.set_weights_version(1)
        state = first.state()
        expected, expected_games = play(first, games=40)

        second = new_generator(**changes, random_opening_plies=4)
        second.restore(state)
        found, found_games = play(second, games=40)
        assert found_games == expected_games
        assert np.array_equal(found, expected)
        for name in ("games", "plies", "first_wins", "draws", "samples"):
            assert second.stats()[name] == first.stats()[name]

    def test_keeps_what_was_not_taken(self) -> None:
        first, second = new_generator(), new_generator()
        info, evaluator = _core.game_spec(GAME), HashEvaluator(game=GAME)
        planes = np.zeros((first.rows, info.planes, info.height, info.width), np.uint8)
        while first.samples_ready == 0:
            first.apply(*evaluator.batch(planes[: first.gather(planes)]))
        second.restore(first.state())
        assert second.take_games() == first.take_games()
        assert samples_by_game(second.take_samples()) == samples_by_game(first.take_samples())

    def test_what_is_no_state_is_refused_and_changes_nothing(self) -> None:
        generator = new_generator()
        play(generator, games=5)
        good = generator.state()
        broken = [b"", b"c4", good[:-1], good + b"x", good[: len(good) // 2], new_generator(groups=3).state()]
        broken.append(new_generator(game="tictactoe").state())
        for state in broken:
            with pytest.raises(ValueError, match="saved state"):
                generator.restore(state)
        assert generator.state() == good

    def test_what_is_not_refused_plays_on(self) -> None:
        changes = {"games_per_group": 2, "value_trace": 0.9, "search": dataclasses.replace(SEARCH, num_simulations=4)}
        first = new_generator(**changes)
        play(first, games=3)
        good, rng, refused = first.state(), np.random.default_rng(1), 0
        for _ in range(200):
            noisy = bytearray(good)
            noisy[rng.integers(len(noisy))] ^= 1 << int(rng.integers(8))
            generator = new_generator(**changes)
            try:
                generator.restore(bytes(noisy))
            except ValueError:
                refused += 1
                continue
            samples, _ = play(generator, games=4)
            for name, most in (("outcome", 1), ("result", 1), ("root_value", 1.1), ("bootstrap", 1.1), ("policy", 1)):
                assert np.abs(samples[name]).max() <= most, name
            assert (samples["ply"] >= 0).all()
            assert (samples["plies_left"] >= 0).all()
            assert (samples["ply"] + samples["plies_left"] <= 20).all()
        assert refused > 20
