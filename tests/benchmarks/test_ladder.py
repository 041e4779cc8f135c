"""The ladder from the documents' recipe to the default: its steps, its verdicts, and what it makes of figures."""

from __future__ import annotations

import importlib
import json
from itertools import pairwise
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


def _ladder() -> ModuleType:
    return importlib.import_module("ladder")


def _report() -> ModuleType:
    return importlib.import_module("ladder_report")


def _flat(tree: Any, path: str = "") -> dict[str, Any]:
    if not isinstance(tree, dict) or not tree:
        return {path: tree}
    return {key: one for name, branch in tree.items() for key, one in _flat(branch, f"{path}.{name}").items()}


def _composed(*words: str) -> dict[str, Any]:
    plain = as_plain(load_config(*words))
    return {key: one for key, one in _flat(plain).items() if key not in {".name", ".paths.run_dir"}}


def test_the_ladder_ends_at_the_default_and_every_step_changes_what_it_says() -> None:
    ladder = _ladder()
    composed = [_composed(*ladder.overrides_of(step.name)) for step in ladder.STEPS]
    assert composed[-1] == _composed("experiment=connect4")
    assert composed[1] == _composed("experiment=classic", "network=medium", "inference=fastest")
    changed = [
        {key.split(".")[1] for key in after if before[key] != after[key]} for before, after in pairwise(composed)
    ]
    assert changed == [
        {"search"},
        {"search"},
        {"search"},
        {"selfplay"},
        {"selfplay", "model"},
        {"model"},
        {"search"},
        {"data"},
    ]


def test_a_step_is_worth_something_where_seeds_leave_no_doubt() -> None:
    verdict = _report().verdict
    assert verdict([3.0, 3.1, 3.2], [2.0, 2.1, 2.2]) == "better by 1.00"
    assert verdict([2.0, 2.1, 2.2], [3.0, 3.1, 3.2]) == "worse by 1.00"
    assert verdict([3.0, 3.2], [2.0, 2.9]) == "not known (+0.65)"  # each is better than each, and still
    assert verdict([2.0, 2.9], [3.0, 3.2]) == "not known (−0.65)"


def _row(name: str, *rates: float) -> dict[str, Any]:
    figures = [{figure: {"value": rate} for figure in ("value_preserving", "distance_optimal")} for rate in rates]
    seeds = [
        {
            "graded": {cell: {"0": one, "600": one} for cell in _report().LADDER.cells},
            "games": 100.0,
            "samples": 9.0,
            "commit": "abc",
        }
        for one in figures
    ]
    return {"step": name, "about": "it", "seeds": seeds}


def test_the_table_and_the_plot_are_made_of_the_kept_figures_alone(tmp_path: Path) -> None:
    report = _report()
    text = report.publish([_row("one", 0.90, 0.92), _row("two", 0.98, 0.99)], folder=tmp_path, about=ABOUT)
    assert "9.00 (8.0–10.0)" in text
    assert "better by 7.50" in text
    kept = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert set(kept) == {"ladder.json", "ladder.md", "ladder.svg"}
    assert b"two" in kept["ladder.svg"]
    (tmp_path / "ladder.svg").unlink()
    assert report.redraw(tmp_path) == text
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == kept


def test_what_is_published_is_what_was_kept(tmp_path: Path) -> None:
    docs = FOLDER.parent / "docs"
    (tmp_path / "ladder.json").write_bytes((docs / "ladder.json").read_bytes())
    rows = [line for line in _report().redraw(tmp_path).splitlines() if line.startswith("| ")]
    published = (docs / "RESULTS.md").read_text(encoding="utf-8").splitlines()
    assert len(rows) == 2 * (2 + len(_ladder().STEPS))
    assert [row for row in rows if row not in published] == []


def test_runs_go_side_by_side_each_on_a_core_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ladder = _ladder()
    begun: list[tuple[str, int, int | None]] = []
    at_once: set[int | None] = set()

    def train(plan: Any, *, seed: int, core: int | None) -> Any:
        assert core not in at_once
        at_once.add(core)
        begun.append((plan.folder.name, seed, core))
        at_once.remove(core)
        return plan.folder / f"seed_{seed}"

    monkeypatch.setattr(ladder, "train", train)
    monkeypatch.setattr(ladder, "check_settings", lambda runs: None)
    monkeypatch.setattr(ladder, "figures_of", lambda plan, run: {"of": run.name, "typed": plan.overrides})
    rows = list(ladder.climb(ladder.ladder_of([f"folder={tmp_path}", "seeds=3", "steps=mlh,classic"])))
    assert [row["step"] for row in rows] == ["classic", "mlh"]  # in the ladder's order
    assert [seed["of"] for seed in rows[0]["seeds"]] == ["seed_1", "seed_2", "seed_3"]
    assert rows[1]["seeds"][0]["typed"] == ladder.overrides_of("mlh")
    assert {(name, seed) for name, seed, _ in begun} == {
        (name, seed) for name in ("classic", "mlh") for seed in (1, 2, 3)
    }
    assert json.loads((tmp_path / "mlh" / "recipe.json").read_text())["minutes"] == 15


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("steps=gumble", "no such step; there are fpu_zero"),
        ("search.cpuct=2", "the steps decide the rest"),
        ("seeds=0", "above 0"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(word: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert _ladder().main([word]) == 2
    assert said in capsys.readouterr().err
