"""The search tree as a picture: what was visited more is wider, what is proven is said, nothing is cut or crossed."""

from __future__ import annotations

import pytest
from matplotlib.patches import PathPatch
from tests.evaluation.test_branches import thought
from tests.report.drawn import assert_nothing_is_cut, assert_words_keep_apart, words_of

from c4.evaluation.branches import branches
from c4.report.picture import Picture
from c4.report.search_tree import THICKEST, THINNEST, tree_picture
from c4.report.style import light


def edges(picture: Picture) -> list[PathPatch]:
    return [one for one in picture.figure.axes[0].patches if isinstance(one, PathPatch)]


LONG = "c3 d4 b2 a1 e5 f6 a6 f1 c5 d1 b4 e3 a4 f3 c6 d6 b5"  # the title is wider than the tree


@pytest.mark.parametrize(
    ("game", "text"),
    [("connect4", "4453"), ("gomoku6", "c3 d4 b2"), ("connect4", "112233"), ("connect4", "4151"), ("gomoku6", LONG)],
)
def test_a_tree_is_drawn_whole(game: str, text: str) -> None:
    thinker = thought(game, text, simulations=200)
    picture = tree_picture(thinker)
    assert_nothing_is_cut(picture)
    assert_words_keep_apart(picture)
    root = branches(thinker)
    drawn = edges(picture)
    blue = [one for one in drawn if one.get_edgecolor()[:3] == pytest.approx(_rgb("blue"))]
    widths = [one.get_linewidth() for one in blue]
    assert widths == sorted(widths, reverse=True)
    share = max(child.visits for child in root.children) / root.visits
    assert max(one.get_linewidth() for one in drawn) == pytest.approx(THINNEST + (THICKEST - THINNEST) * share**0.5)
    assert words_of(picture)[0].startswith({"connect4": "Connect Four", "gomoku6": "Gomoku"}[game])
    assert f"after {root.position.text}" in words_of(picture)[0]
    assert picture.file() == tree_picture(thinker).file()
    assert len(picture.png()) > 10_000


def test_a_long_line_stays_within_the_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    line = ("k10", "l11", "m12", "n13", "o14", "k15", "l15", "m15")  # of the largest board
    monkeypatch.setattr("c4.evaluation.branches._names", lambda *_: line)
    picture = tree_picture(thought("connect4", "4453", simulations=60))
    assert any(words.startswith("then k10 l11") for words in words_of(picture))
    assert_nothing_is_cut(picture)


def test_what_is_proven_is_marked() -> None:
    said = words_of(tree_picture(thought("connect4", "4151", simulations=1500)))
    assert "wins in 3" in said
    assert any(words.endswith("visits: wins in 3, proven") for words in said)
    assert "loses in 2" in said


def _rgb(colour: str) -> tuple[float, ...]:
    return tuple(int(light(colour)[at : at + 2], 16) / 255 for at in (1, 3, 5))
