"""The figures of README and of the page of results are those of the files behind them, to the digit."""

from __future__ import annotations

import importlib
import json
import statistics
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from c4.network.weights import load_player
from c4.players.checkpoints import CHAMPION, player_file
from c4.sweeps.kept import read_sweep
from c4.sweeps.knob_charts import search_plot

ROOT = Path(__file__).parents[2]
CELLS = ("begin-easy", "middle-easy", "end-easy", "begin-medium", "middle-medium", "begin-hard")


def words_of(name: str) -> str:
    return " ".join((ROOT / name).read_text(encoding="utf-8").split())


RESULTS = words_of("docs/RESULTS.md")
HEADLINE = json.loads((ROOT / "docs/zero_to_strong.json").read_text(encoding="utf-8"))


@pytest.fixture
def report(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    return importlib.import_module("zero_to_strong_report")


def errors(where: str, cell: str, simulations: int) -> list[float]:
    """In per cent, of each seed."""
    graded = [seed["graded"][where][cell][str(simulations)] for seed in HEADLINE["seeds"]]
    return [100 * (1 - figures["value_preserving"]["value"]) for figures in graded]


def cell_text(values: list[float]) -> str:
    mean, low, high = (f"{one:.1f}" for one in (statistics.mean(values), min(values), max(values)))
    return mean if low == high else f"{mean} ({low}–{high})"


def listed(values: list[str]) -> str:
    return f"{', '.join(values[:-1])} and {values[-1]} %"


@pytest.mark.parametrize("name", ["README.md", "README.zh.md"])
def test_the_first_figure_is_the_mean_over_sets_and_seeds(name: str) -> None:
    by_seed = zip(*(errors("files", cell, 600) for cell in CELLS), strict=True)
    means = [statistics.mean(of_seed) for of_seed in by_seed]
    for shown in (f"{statistics.mean(means):.1f} %", f"{min(means):.2f}", f"{max(means):.2f} %"):
        assert shown in words_of(name)


@pytest.mark.parametrize("name", ["README.md", "README.zh.md"])
def test_the_figure_beside_it_is_that_of_its_source(name: str) -> None:
    peers = json.loads((ROOT / "benchmarks/peers.json").read_text(encoding="utf-8"))["same_cells"]
    (best,) = [peer for peer in peers if peer["name"] == "AlphaZero.jl, best iteration"]
    assert f"{statistics.mean(best['errors'].values()):.2f} %" in words_of(name)
    assert best["hardware"] in words_of(name)


@pytest.mark.parametrize("name", ["README.md", "README.zh.md"])
def test_readme_stays_short(name: str) -> None:
    assert len((ROOT / name).read_text(encoding="utf-8").splitlines()) < 120


@pytest.mark.parametrize("simulations", [0, 600])
def test_the_table_is_that_of_the_seeds(simulations: int) -> None:
    row = " | ".join(cell_text(errors("files", cell, simulations)) for cell in CELLS)
    assert f"| {row} |" in RESULTS


def test_the_curve_is_that_of_the_seeds(report: ModuleType) -> None:
    drawn = report.plot([report.Seed(**seed) for seed in HEADLINE["seeds"]])
    assert (ROOT / "docs/zero_to_strong.svg").read_text(encoding="utf-8") == f"{drawn}\n"


def test_the_picture_of_the_knobs_is_that_of_its_jobs() -> None:
    drawn = search_plot(read_sweep(ROOT / "docs/play_knobs.json"))
    assert (ROOT / "docs/play_knobs.svg").read_text(encoding="utf-8") == drawn.file()


def test_the_carried_sets_are_those_of_the_seeds_and_of_the_champion() -> None:
    assert listed([f"{statistics.mean(errors('sets', cell, 600)):.1f}" for cell in CELLS]) in RESULTS
    card: dict[str, Any] = dict(load_player(player_file(CHAMPION, game="connect4")).card)
    assert listed([f"{100 * (1 - card['value_preserving'][cell]['600']):.1f}" for cell in CELLS]) in RESULTS


def test_the_rows_of_others_are_those_of_their_sources() -> None:
    peers = json.loads((ROOT / "benchmarks/peers.json").read_text(encoding="utf-8"))["same_cells"]
    shown = {peer["name"]: [f"{peer['errors'][cell]:.1f}" for cell in CELLS] for peer in peers}
    for name in ("alphazero-pybind11, its defaults", "no network at all (constant evaluator)"):
        assert f"| {' | '.join(shown[name])} |" in RESULTS


def test_the_ladder_is_that_of_its_runs(report: ModuleType) -> None:
    ladder = importlib.import_module("ladder_report")  # beside the other one
    kept = json.loads((ROOT / "docs/ladder.json").read_text(encoding="utf-8"))
    steps = kept.pop("steps")
    told = ladder.table(steps, about=kept, sheet=ladder.LADDER).splitlines()
    page = (ROOT / "docs/RESULTS.md").read_text(encoding="utf-8").splitlines()
    assert [line for line in told if line.startswith(("|", "-")) and line not in page] == []
    assert kept["command"] in RESULTS
    assert (ROOT / "docs/ladder.svg").read_text(encoding="utf-8") == f"{ladder.plot(steps)}\n"


def test_the_command_is_the_one_that_made_them() -> None:
    assert HEADLINE["command"] in RESULTS


@pytest.mark.parametrize(("game", "row"), [("gomoku6", "all"), ("gomoku8", "forced")])
def test_the_table_of_gomoku_says_what_the_cards_say(game: str, row: str) -> None:
    card = player_file(CHAMPION, game=game).with_suffix(".md").read_text(encoding="utf-8").splitlines()
    table = [[cell.strip() for cell in line.strip("|").split("|")] for line in card if line.startswith("|")]
    budgets = next(cells for cells in table if cells[0] == "set")
    figures = dict(zip(budgets, next(cells for cells in table if cells[0] == row), strict=True))
    told = f"| {figures['bare']} | {figures['32 sims']} | {figures['400 sims']} |"
    lines = (ROOT / "docs/RESULTS.md").read_text(encoding="utf-8").splitlines()
    assert any(line.startswith(f"| `{game}`") and told in line for line in lines)
