"""Players whose runs differ by their seed alone are one figure with its spread, in every report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from omegaconf import OmegaConf

from c4.evaluation.seeds import over_seeds, seed_words, setting_of, spread_words
from c4.run.folder import RunFolder


def run(folder: Path, **changes: Any) -> RunFolder:
    folder.mkdir()
    plain = {"name": "tiny", "seed": 1, "resume": None, "search": {"cpuct": 2.0}, "paths": {"runs": str(folder)}}
    OmegaConf.save(OmegaConf.create(plain | changes), folder / "config.yaml")
    return RunFolder(path=folder)


def report(name: str, *, kept: float, seed: int, setting: str = "one") -> dict[str, Any]:
    figures = {"8": {"value_preserving": {"value": kept}, "distance_optimal": {"value": kept - 0.1}}}
    return {
        "name": name, "game": "connect4", "run": {"seed": seed, "setting": setting}, "overall": figures,
        "sets": {"dev": figures},
    }  # fmt: skip


def test_runs_are_of_one_setting_when_nothing_but_seed_and_place_differs(tmp_path: Path) -> None:
    first = setting_of(run(tmp_path / "0"))
    second = setting_of(run(tmp_path / "1", seed=2, resume="auto"))
    other = setting_of(run(tmp_path / "2", seed=3, search={"cpuct": 3.0}))
    assert first is not None
    assert second is not None
    assert other is not None
    assert (first["setting"], second["setting"]) == (second["setting"], first["setting"])
    assert other["setting"] != first["setting"]
    assert [one["seed"] for one in (first, second, other)] == [1, 2, 3]
    assert setting_of(RunFolder(path=tmp_path)) is None


def test_seeds_are_one_figure_with_its_spread() -> None:
    reports = [report("<a>", kept=0.90, seed=1), report("b", kept=0.94, seed=2)]
    (group,) = over_seeds([*reports, report("c", kept=0.5, seed=1, setting="other")])
    assert group["names"] == ["<a>", "b"]
    figure = group["figures"]["dev"]["8"]["value_preserving"]
    assert figure["mean"] == pytest.approx(0.92)
    assert figure["spread"] == pytest.approx(0.0283, abs=1e-4)
    assert seed_words(group) == "<a> (seed 1), b (seed 2)"
    assert spread_words(figure) == "8.0 ± 2.8"


def test_two_players_of_one_run_are_no_two_seeds() -> None:
    assert over_seeds([report("best", kept=0.9, seed=1), report("last", kept=0.8, seed=1)]) == []
    assert over_seeds([report("best", kept=0.9, seed=1), {**report("b", kept=0.8, seed=2), "run": None}]) == []
    assert over_seeds([report("best", kept=0.9, seed=1)]) == []
