"""What is left out of a recipe or put in, one part at a time: recipes that differ in what they say, and their table."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from c4 import load_config
from c4.params.plain import as_plain

FOLDER = Path(__file__).parents[2] / "benchmarks"
ABOUT = {"command": "c", "machine": {"cores": 2, "processor": "p"}, "minutes": 15.0}


@pytest.fixture(autouse=True)
def _beside_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(FOLDER))


def _ablation() -> ModuleType:
    return importlib.import_module("ablation")


def _flat(tree: Any, path: str = "") -> dict[str, Any]:
    if not isinstance(tree, dict) or not tree:
        return {path: tree}
    return {key: one for name, branch in tree.items() for key, one in _flat(branch, f"{path}.{name}").items()}


def _composed(*words: str) -> dict[str, Any]:
    return {key: one for key, one in _flat(as_plain(load_config(*words))).items() if key != ".paths.run_dir"}


def test_the_first_recipe_ships_and_each_other_one_changes_what_it_says() -> None:
    wanted = _ablation().ablation_of([])
    composed = [_composed(*wanted.of(step).overrides) for step in wanted.steps]
    assert composed[0] == _composed("experiment=gomoku8", "name=ablation")
    changed = [{key[1:] for key in one if one[key] != composed[0][key]} for one in composed[1:]]
    puct = {"search.root_selection", "search.num_simulations", "selfplay.full_search_probability"}
    assert changed == [
        {"selfplay.random_opening_probability"},
        {"selfplay.random_opening_plies"},
        {"selfplay.random_opening_plies"},
        {"selfplay.value_trace", "model.value_root_share"},
        puct,
        puct | {"search.forced_visits"},
        {"search.num_simulations"},
        {"search.num_simulations"},
        {"search.mlh_slope"},
        {"search.proof_nodes"},
    ]


def test_what_may_suit_connect_four_better_is_composed_and_changes_something() -> None:
    wanted = _ablation().ablation_of(["game=connect4"])
    composed = [_composed(*wanted.of(step).overrides) for step in wanted.steps]
    assert composed[0] == _composed("experiment=connect4", "name=ablation")
    assert [one for one in composed[1:] if one == composed[0]] == []
    assert len({str(one) for one in composed}) == len(composed)


def test_each_game_is_graded_on_its_own_sets_in_folders_of_its_own(tmp_path: Path) -> None:
    wanted = _ablation().ablation_of(["game=gomoku6", "steps=puct,recipe", f"folder={tmp_path}"])
    assert [step.name for step in wanted.steps] == ["recipe", "puct"]
    plan = wanted.of(wanted.steps[1])
    assert plan.folder == tmp_path / "gomoku6" / "puct"
    assert plan.graded[0].startswith("evaluation.sets=[dev,begin-easy,")


def _row(name: str, *errors: float) -> dict[str, Any]:
    figures = [{one: {"value": 1 - rate} for one in ("value_preserving", "distance_optimal")} for rate in errors]
    seeds = [
        {"graded": {"forced": {"0": one, "400": one}}, "games": 100.0, "commit": "abc", "strength": 1.5}
        for one in figures
    ]
    return {"step": name, "about": "it", "seeds": seeds}


def test_every_recipe_is_compared_with_the_first(tmp_path: Path) -> None:
    report = importlib.import_module("ladder_report")
    sheet = report.Sheet(name="ablation_gomoku8", cells=("forced",), chained=False)
    rows = [_row("recipe", 0.10, 0.12), _row("one", 0.20, 0.22), _row("two", 0.15, 0.16)]
    text = report.publish(rows, folder=tmp_path, about=ABOUT, sheet=sheet)
    assert "worse by 10.00" in text
    assert "not known (−4.50)" in text
    assert "1.50 (1.5–1.5)" in text
    assert {path.name for path in tmp_path.iterdir()} == {"ablation_gomoku8.json", "ablation_gomoku8.md"}


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("game=tictactoe", "there are labelled positions of connect4, gomoku6, gomoku8, gomoku9"),
        ("steps=gumble", "no such step; there are recipe"),
        ("search.cpuct=2", "the steps decide the rest"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(word: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert _ablation().main([word]) == 2
    assert said in capsys.readouterr().err
