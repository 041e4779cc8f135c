"""Words for players: every kind, a class of one's own, a file of one's own, and what names nobody."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from hydra import initialize_config_dir

from c4.params.errors import ConfigError
from c4.params.target import ASKED, Target
from c4.players.player import PlayerWordError
from c4.players.words import Kinds

CONF = Path(__file__).parents[2] / "conf"
NETWORK = "c4.players.network.CheckpointPlayer"
SOLVER = "c4.players.solver.SolverPlayer"
ROLLOUTS = "c4.players.rollouts.RolloutPlayer"
BASE = Target(NETWORK, {"checkpoint": None, "simulations": 600})
MINE = """
class Plain:
    pass


class Level:
    @staticmethod
    def said(rest):
        return {"depth": int(rest.removeprefix("@"))}
"""


@pytest.fixture(autouse=True)
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The module `of_my_own`, where it is looked for."""
    (tmp_path / "of_my_own.py").write_text(MINE)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv(ASKED, "")


@pytest.fixture
def with_own_files(tmp_path: Path) -> Iterator[None]:
    """As of a program whose configuration has more of them."""
    shutil.copytree(CONF / "player", tmp_path / "player")
    for name, text in {
        "plain": "_target_: of_my_own.Plain\n",
        "level": "_target_: of_my_own.Level\ndepth: 3\n",
        "process": "_target_: of_my_own.Plain\ncommand: ???\n",
        "soft": "defaults: [solver]\nperfect_probability: 0.5\n",
    }.items():
        (tmp_path / "player" / f"{name}.yaml").write_text(text)
    with initialize_config_dir(str(tmp_path), version_base="1.3"):
        yield


@pytest.mark.parametrize(
    ("word", "path", "arguments"),
    [
        ("random", "c4.players.chance.RandomPlayer", {}),
        ("rollouts", ROLLOUTS, {"rollouts": 1000}),
        ("rollouts@50", ROLLOUTS, {"rollouts": 50}),
        ("rollout@50", ROLLOUTS, {"rollouts": 50}),
        ("solver", SOLVER, {"perfect_plies": 1000, "perfect_probability": 1.0}),
        ("solver:last12", SOLVER, {"perfect_plies": 12, "perfect_probability": 1.0}),
        ("solver:p0.9:last8", SOLVER, {"perfect_plies": 8, "perfect_probability": 0.9}),
        ("a/b.ckpt", NETWORK, {"checkpoint": "a/b.ckpt", "simulations": 600}),
        ("a/b.ckpt@0", NETWORK, {"checkpoint": "a/b.ckpt", "simulations": 0}),
        ("champion@32", NETWORK, {"checkpoint": "champion", "simulations": 32}),
        ("odd@name.ckpt@32", NETWORK, {"checkpoint": "odd@name.ckpt", "simulations": 32}),
        ("network@32", NETWORK, {"checkpoint": None, "simulations": 32}),
        ("my_folder.mine:Best", "my_folder.mine.Best", {}),
    ],
)
def test_words(word: str, path: str, arguments: Mapping[str, object]) -> None:
    assert Kinds().target(word, base=BASE) == Target(path, arguments)


def test_what_a_word_leaves_out_is_taken_from_a_player_of_its_kind() -> None:
    kinds, soft = Kinds(), Target(SOLVER, {"perfect_plies": 10, "perfect_probability": 0.3})
    assert kinds.target("solver:last8", base=soft).arguments == {"perfect_plies": 8, "perfect_probability": 0.3}
    assert kinds.target("a.ckpt", base=Target(NETWORK, {"checkpoint": None, "simulations": 7})).arguments == {
        "checkpoint": "a.ckpt",
        "simulations": 7,
    }


@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ("solver:fast", "solver:fast: a solver is softened by last12 or p0.9 and the like, not by 'fast'"),
        ("solver:pmuch", "and the like, not by 'pmuch'"),
        ("solver:0.9", "and the like, not by '0.9'"),
        ("solver:lastx", "'x' is not a whole number"),
        ("rollouts@many", "rollouts@many: 'many' is not a whole number"),
        ("solver:p2", "and the like, not by 'p2'"),
        ("random:ly", "random:ly: nothing can follow the name random"),
        ("a.ckpt@b", "a.ckpt@b: 'b' is not a whole number"),
    ],
)
def test_words_that_name_nobody(word: str, sentence: str) -> None:
    with pytest.raises(PlayerWordError) as error:
        Kinds().target(word, base=BASE)
    assert sentence in str(error.value)


@pytest.mark.usefixtures("with_own_files")
def test_a_file_of_ones_own_is_a_word() -> None:
    kinds = Kinds()
    assert kinds.target("plain", base=BASE) == Target("of_my_own.Plain")
    assert kinds.target("level", base=BASE) == Target("of_my_own.Level", {"depth": 3})
    assert kinds.target("level@5", base=BASE) == Target("of_my_own.Level", {"depth": 5})
    assert kinds.target("soft", base=BASE).arguments["perfect_probability"] == 0.5
    with pytest.raises(PlayerWordError, match="plain@5: nothing can follow the name plain"):
        kinds.target("plain@5", base=BASE)
    with pytest.raises(PlayerWordError, match="level@x: invalid literal"):
        kinds.target("level@x", base=BASE)


@pytest.mark.usefixtures("with_own_files")
def test_who_is_offered_leaves_nothing_to_be_said_and_is_as_it_was_chosen() -> None:
    kinds, chosen = Kinds(), Target(ROLLOUTS, {"rollouts": 5})
    offered = kinds.offered(chosen)
    assert offered.keys() == {"level", "network", "plain", "random", "rollout", "soft", "solver"}
    assert (kinds.name(chosen), offered["rollout"]) == ("rollout", chosen)
    knobs = {"perfect_plies": 1000, "perfect_probability": 0.5}
    assert kinds.name(Target(SOLVER, knobs)) == "soft"
    assert kinds.name(Target(SOLVER, knobs | {"perfect_probability": 1.0})) == "solver"
    own = Target("of_my_own.Nameless", {"x": 1})
    assert (kinds.name(own), kinds.offered(own)["Nameless"]) == ("Nameless", own)


def test_a_word_makes_nothing_that_is_not_there() -> None:
    with pytest.raises(ConfigError, match=r"_target_=of_my_own\.Best: there is no Best in of_my_own"):
        Kinds().target("of_my_own:Best", base=BASE).located()
