"""Whatever a file or a person says, it is read or refused in a sentence, and nothing else happens."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.examples import examples
from tests.network.shapes import CONNECT4, SMALL, trained_like

from c4.evaluation.failures import BookError, read_openings
from c4.evaluation.labels import LabelError, parse_labelled
from c4.native import _core
from c4.native._core import Position
from c4.native.knobs import plain_search, plain_selfplay
from c4.network.weights import PlayerFileError, load_player, player_header, save_player
from c4.run.about import RunFileError, read_config, read_overrides
from c4.run.folder import RunFolder
from c4.run.kept import read_games
from c4.run.metrics import read_metrics
from c4.run.outcome import read_outcome

quickly = settings(
    max_examples=examples(60),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
games = st.sampled_from(_core.game_names())
numbers = st.integers() | st.floats(allow_subnormal=False) | st.sampled_from([10**400, -1, 2**63])
values = st.recursive(
    st.none() | st.booleans() | numbers | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
moves = st.text(alphabet="1234567890abcdefghijklmno \t\n\x1bé", max_size=60) | st.text(max_size=20)


@st.composite
def changed(draw: st.DrawFn, known: Any) -> Any:
    """The same with something else at one of its places, or nothing."""
    if not isinstance(known, dict) or not known or draw(st.integers(0, 3)) == 0:
        return draw(values)
    key = draw(st.sampled_from(sorted(known)))
    rest = {name: value for name, value in known.items() if name != key}
    return rest if draw(st.integers(0, 4)) == 0 else known | {key: draw(changed(known[key]))}


@quickly
@given(game=games, text=moves)
def test_text_is_a_position_or_says_at_which_ply_it_is_none(game: str, text: str) -> None:
    position = None
    with suppress(ValueError):
        position = Position(game, text)
    if position is None:
        with pytest.raises(ValueError, match="^ply "):
            Position(game, text)
    else:
        assert Position(game, position.text).actions == position.actions
        assert Position.from_actions(game, position.actions).text == position.text


@quickly
@given(game=games, lines=st.lists(st.text() | st.builds(json.dumps, values), max_size=3), data=st.data())
def test_lines_are_positions_with_the_truth_or_are_refused(game: str, lines: list[str], data: st.DataObject) -> None:
    known = {"moves": data.draw(moves), "scores": data.draw(st.lists(st.none() | numbers, max_size=9)), "game": game}
    lines.append(json.dumps(data.draw(changed(known))))
    with suppress(LabelError):
        parse_labelled(lines, game=game, name="any", source="any")


@quickly
@given(game=games, text=st.text(), data=st.data())
def test_a_book_is_read_or_refused(tmp_path: Path, game: str, text: str, data: st.DataObject) -> None:
    path = tmp_path / "book.jsonl"
    known = json.dumps(data.draw(changed({"moves": data.draw(moves), "game": game})))
    path.write_text(f"{known}\n{text}", encoding="utf-8", errors="surrogatepass")
    with suppress(BookError):
        read_openings(path, game=game)


class Parts:
    """Of a player's file. No dataclass: hypothesis would show all of it."""

    def __init__(self, path: Path, header: dict[str, Any], tensors: bytes) -> None:
        self.path, self.header, self.tensors = path, header, tensors

    def write(self, header: Any) -> None:
        text = json.dumps(header).encode()
        self.path.write_bytes(len(text).to_bytes(8, "little") + text + self.tensors)


@pytest.fixture(scope="module")
def player(tmp_path_factory: pytest.TempPathFactory) -> Parts:
    path = tmp_path_factory.mktemp("any") / "player.safetensors"
    save_player(path, spec=CONNECT4, design=SMALL, state=trained_like(CONNECT4, SMALL).state_dict(), card={"a": 1})
    data = path.read_bytes()
    end = 8 + int.from_bytes(data[:8], "little")
    return Parts(path, json.loads(data[8:end]), data[end:])


@quickly
@given(seed=st.integers(0, 2**32))
def test_a_player_with_any_header_is_read_or_refused(player: Parts, seed: int) -> None:
    chance = random.Random(seed)
    if chance.random() < 0.5:  # what safetensors says of the tensors, or what we say of the player
        player.write(other(player.header, chance=chance))
    else:
        ours = other(json.loads(player_header(CONNECT4, SMALL, card={})), chance=chance)
        player.write({**player.header, "__metadata__": {"c4": json.dumps(ours)}})
    with suppress(PlayerFileError):
        load_player(player.path)


ODD = [None, True, -1, 0, 10**400, 1e308, float("nan"), "", "x", "_target_", [], [1], {}, {"a": 1}]


def other(known: Any, *, chance: random.Random) -> Any:
    """Like `changed`, by a number: a whole header is too long for examples that hypothesis shows."""
    if not isinstance(known, dict) or not known or chance.random() < 0.25:
        return chance.choice(
            [None, True, -1, 0, 10**400, 1e308, float("nan"), "", "x", "_target_", [], [1], {}, {"a": 1}]
        )
    key = chance.choice(sorted(known))
    rest = {name: value for name, value in known.items() if name != key}
    return rest if chance.random() < 0.2 else known | {key: other(known[key], chance=chance)}


@quickly
@given(text=st.binary(max_size=60) | st.builds(lambda plain: json.dumps(plain).encode(), values))
def test_the_files_of_a_run_are_read_or_refused(tmp_path: Path, text: bytes) -> None:
    run = RunFolder(path=tmp_path)
    run.overrides.parent.mkdir(exist_ok=True)
    for path in (run.config, run.overrides, run.metrics, run.outcome, run.games):
        path.write_bytes(text)
    for read in (read_config, read_overrides):
        with suppress(RunFileError):
            read(run)
    read_metrics(run)
    read_outcome(run)
    read_games(run)


@quickly
@given(data=st.data())
def test_a_saved_state_of_the_generator_is_taken_or_refused(data: st.DataObject) -> None:
    generator = _core.Generator("tictactoe", plain_search(), plain_selfplay(games_per_group=2), seed=1)
    whole = generator.state()
    start, end = sorted((data.draw(st.integers(0, len(whole))), data.draw(st.integers(0, len(whole)))))
    other = whole[:start] + data.draw(st.binary(max_size=40)) + whole[end:]
    try:
        generator.restore(other)
    except ValueError:
        assert generator.state() == whole
    else:
        assert generator.state() == other


def test_the_header_that_is_changed_is_a_good_one(player: Parts) -> None:
    player.write(player.header)
    assert load_player(player.path).spec == CONNECT4
