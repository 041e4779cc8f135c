"""What players are made of: their own arguments, what is offered to them, and sentences where either is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.evaluation.makers import SEARCH, HashJudge, Judge

from c4.native._core import Position
from c4.params.errors import ConfigError
from c4.params.target import ASKED, Target, trust
from c4.players.network import CheckpointPlayer
from c4.players.oracle import oracle
from c4.players.player import PlayerWordError, SearchPlayer
from c4.players.rollouts import YARDSTICK
from c4.players.roster import Roster
from c4.players.words import Kinds

GAME = "connect4_4x4"
BASE = Target("c4.players.network.CheckpointPlayer", {"checkpoint": None, "simulations": 600})
MINE = """
class Mine:
    def __init__(self, *, game, seed, depth=1, **others):
        self.name, self.made_of = "mine", (game, seed, depth, others)

    def begin(self, slots):
        pass

    def choose(self, positions):
        return {slot: position.legal[0] for slot, position in positions.items()}


def mine():
    return Mine(game=None, seed=None)


class NoPlayer:
    name = "nobody"


class Exact(Mine):
    def __init__(self, *, truth, checkpoint, search):
        self.name, self.made_of = "exact", (truth, checkpoint, search)
"""


@pytest.fixture(autouse=True)
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "made_here.py").write_text(MINE)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv(ASKED, "")
    trust(f"made_here.{name}" for name in ("Mine", "mine", "NoPlayer", "Exact"))


def roster(**changes: Any) -> Roster:
    usual: dict[str, Any] = {"judge_of": lambda _: HashJudge(GAME), "threads": 1, "cache_megabytes": 0.0, "seed": 7}
    return Roster(game=GAME, search=SEARCH, **(usual | changes))


def made(name: str, **arguments: Any) -> Any:
    return roster().player(Target(f"made_here.{name}", arguments))


def test_it_makes_every_kind() -> None:
    asked: list[str] = []

    def judge_of(path: str) -> Judge:
        asked.append(path)
        return HashJudge(GAME)

    kinds = Kinds()
    words = ["random", "rollouts@5", "solver:last4", "x/best.ckpt@8"]
    players = [roster(judge_of=judge_of).player(kinds.target(word, base=BASE)) for word in words]
    assert [player.name for player in players] == ["random", "rollouts@5", "solver:last4", "best@8"]
    assert asked == ["x/best.ckpt"]
    searches = [(one.params, one.simulations) for one in players if isinstance(one, SearchPlayer)]
    assert searches == [(YARDSTICK, 5), (SEARCH, 8)]
    with pytest.raises(PlayerWordError, match="needs a checkpoint"):
        roster().player(BASE)
    spoken_of = roster(checkpoint="here.ckpt", judge_of=judge_of).player(BASE)
    assert isinstance(spoken_of, CheckpointPlayer)
    assert (spoken_of.name, asked[-1]) == ("here@600", "here.ckpt")


def test_a_class_of_ones_own_gets_what_it_asks_for() -> None:
    assert made("Mine").made_of == (GAME, 7, 1, {})
    assert made("Mine", depth=5, more=1).made_of == (GAME, 7, 5, {"more": 1})
    assert made("Mine", seed=3).made_of == (GAME, 3, 1, {})
    assert made("mine").made_of == (None, None, 1, {})
    assert made("Mine").choose({4: Position(GAME, "1")}) == {4: 0}


def test_the_truth_is_asked_for_by_those_who_need_it_alone() -> None:
    asked = 0

    def truth() -> Any:
        nonlocal asked
        asked += 1
        return oracle(GAME)

    offers = roster(truth=truth, checkpoint="a.ckpt")
    offers.player(Target("made_here.Mine"))
    assert asked == 0
    exact: Any = offers.player(Target("made_here.Exact"))
    assert (asked, exact.made_of) == (1, (oracle(GAME), "a.ckpt", SEARCH))


def test_arguments_of_the_kind_that_was_there_before_are_left() -> None:
    """opponent._target_=made_here.Mine changes the class alone: what stood beside it was a network's."""
    left: Mapping[str, Any] = BASE.arguments
    assert made("mine", **{name: left[name] for name in ("checkpoint",)}).name == "mine"


@pytest.mark.parametrize(
    ("path", "arguments", "sentence"),
    [
        ("made_here.mine", {"depth": 2}, "_target_=made_here.mine: it has no argument depth"),
        ("made_here.NoPlayer", {}, "made_here.NoPlayer is not a player: it has no begin"),
        ("made_here.Nobody", {}, "made_here.Nobody: a file names what is not part of this program"),
        ("c4.players.rollouts.RolloutPlayer", {"rollouts": 0}, "player.rollouts=0 is not allowed: a whole number from"),
        ("c4.players.rollouts.RolloutPlayer", {"rollouts": "x"}, "player.rollouts=x is not allowed: a whole number"),
        ("c4.players.rollouts.RolloutPlayer", {}, "player.rollouts has no value"),
        ("c4.players.rollouts.RolloutPlayer", {"rolouts": 3}, "player.rolouts: there is no such key; did you mean pl"),
    ],
)
def test_what_is_wrong_is_one_sentence(path: str, arguments: dict[str, Any], sentence: str) -> None:
    Kinds()
    with pytest.raises(ConfigError) as error:
        roster().player(Target(path, arguments))
    assert sentence in str(error.value)
