"""A player of one's own at the board: by its class, by a file of one's own, and what is said when it is no player."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.ui.own_opponents import asked, written

from c4.params.errors import ConfigError
from c4.params.target import ASKED
from c4.ui.play import open_table

QUICK = ("checkpoint=null", "truth=false", "simulations=20")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    written(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv(ASKED, "")
    return tmp_path


@pytest.mark.parametrize(
    ("words", "action"),
    [
        (("opponent._target_=of_somebody.Lowest",), 0),
        (("opponent._target_=of_somebody.Lowest", "opponent.skip=3"), 3),
        (("opponent={_target_:of_somebody.Lowest,skip:4}",), 4),
        (("opponent=mine",), 2),
        (("opponent=mine", "opponent.skip=5"), 5),
    ],
)
def test_it_answers(words: tuple[str, ...], action: int, folder: Path) -> None:
    with asked(*QUICK, *words, config_dir=folder) as config, open_table(config) as table:
        assert table.name == "lowest of connect4"
        assert table.reply(table.session.position)[1] == action


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ("opponent=mine",),
            "opponent=mine: there is no such option; the options are: network, pbrain, random, rollout, solv",
        ),
        (("opponent._target_=of_somebody.Lowes",), "there is no Lowes in of_somebody; did you mean Lowest?"),
        (
            ("opponent._target_=of_somebody.Lowest", "opponent.skp=1"),
            "it has no argument skp (it takes game, skip); did you mean skip?",
        ),
        (("opponent=solver", "opponent.skip=1"), "opponent.skip: there is no such key"),
        (("opponent._target_=pathlib.Path",), "pathlib.Path is not a player: it has no begin"),
    ],
)
def test_what_is_asked_wrongly_is_one_sentence(words: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(ConfigError) as error, asked(*QUICK, *words) as config, open_table(config):
        pass
    assert sentence in str(error.value)


def test_the_first_line_says_by_which_knobs_is_played() -> None:
    with asked("simulations=20", "inference=torch", "search.cpuct=1.5") as config, open_table(config) as table:
        said = "champion: 20 simulations, temperature 0, mlh_slope 0.04, mlh_cap 0.12, cpuct 1.5, fpu_reduction 0.04"
        assert table.level_text() == table.level_text(most=len(said)) == said
        assert table.level_text(most=len(said) - 1) == "champion: 20 simulations, temperature 0"


def test_a_network_of_its_own_thinks_beside_the_one_that_comments() -> None:
    with (
        asked("truth=false", "simulations=20", "opponent.simulations=30", "inference=torch") as config,
        open_table(config) as table,
    ):
        assert table.level_text().startswith("champion: 30 simulations")
        comment, action = table.reply(table.session.position)
        assert (comment.visits, action) == (20, 3)
