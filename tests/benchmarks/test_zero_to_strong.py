"""The headline over several seeds: figures from numbers made up, and what is done of a run that is there already."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from c4.run.folder import RunFolder

FOLDER = Path(__file__).parents[2] / "benchmarks"
ABOUT = {"command": "c", "machine": {"cores": 2, "processor": "p"}, "minutes": 30.0, "overrides": []}


@pytest.fixture(autouse=True)
def _beside_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(FOLDER))


def _report() -> ModuleType:
    return importlib.import_module("zero_to_strong_report")


def _command() -> ModuleType:
    return importlib.import_module("zero_to_strong")


def _seed(number: int, rate: float, *, scale: float = 1.0) -> Any:
    report = _report()
    sets = {name: {"0": {"value_preserving": {"value": rate}}} for name in report.peers()["same_cells"][0]["errors"]}
    curve = {
        "truth/value_preserving": [(2 * scale, rate - 0.2), (10 * scale, rate)],
        "truth/value_preserving_32": [],
        "total/games": [(10 * scale, 5000.0)],
        "total/samples": [],
    }
    return report.Seed(number=number, curve=curve, graded={"sets": sets, "line": "it draws"}, facts={"engine": "e"})


def test_mean_and_spread_over_seeds_stand_beside_the_others() -> None:
    text = _report().table([_seed(1, 0.90), _seed(2, 0.94)], about=ABOUT)
    assert "8.00 ± 2.83 (6.00 to 10.00)" in text  # errors of 10 and 6 %
    assert "| AlphaZero.jl, best iteration, 600 simulations |" in text
    assert "RTX 2070" in text
    assert "- seed 2: it draws" in text
    assert "±" not in _report().table([_seed(1, 0.90)], about=ABOUT).partition("###")[2]


def test_the_band_goes_from_the_worst_seed_to_the_best() -> None:
    report = _report()
    points = report._mean_curve([_seed(1, 0.9).curve[report.TRUTH], _seed(2, 0.8, scale=2.0).curve[report.TRUTH]])
    assert (points[0].x, points[-1].x) == (4.0, 10.0)  # where both have a figure
    assert points[0].low == pytest.approx(25.0)  # a quarter of the way from 30 to 10 %
    assert points[0].high == pytest.approx(40.0)
    assert points[0].y == pytest.approx(32.5)
    drawing = report.plot([_seed(1, 0.9), _seed(2, 0.8)])
    assert "prefers-color-scheme: dark" in drawing
    assert ET.fromstring(drawing).tag.endswith("svg")
    assert report.plot([report.Seed(number=1, curve={name: [] for name in report.CURVES}, graded={}, facts={})]) == ""


def test_what_is_published_says_nothing_of_where_it_was_made(tmp_path: Path) -> None:
    report, command = _report(), _command()
    seed = _seed(1, 0.9)
    facts = {"command": f"{tmp_path}/train.py seed=1 hydra.run.dir={tmp_path}", "machine": "of somebody", "cores": 2}
    graded = seed.graded | {"wanted": {"positions": str(tmp_path)}}
    made = report.Seed(number=1, curve=seed.curve, graded=graded, facts=facts)
    words = [f"positions_dir={tmp_path}", "seeds=1"]
    report.publish([made], folder=tmp_path, about=ABOUT | {"command": " ".join(map(command.told, words))})
    for path in sorted(tmp_path.glob("zero_to_strong.*")):
        assert str(tmp_path) not in path.read_text()
    published = json.loads((tmp_path / "zero_to_strong.json").read_text())
    assert published["command"] == "positions_dir=DIR seeds=1"
    assert published["seeds"][0]["facts"] == {"command": "python train.py seed=1", "cores": 2}
    assert report.plot([report.Seed(**one) for one in published["seeds"]]) == report.plot([made])


def test_a_finished_seed_is_not_run_again_and_a_killed_one_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = _command()
    plan = command.plan_of([f"folder={tmp_path}", "seeds=2", "minutes=1", "network=tiny"])
    typed: list[list[str]] = []

    def run(words: list[Any], **_: Any) -> Any:
        typed.append([str(word) for word in words[2:]])
        (tmp_path / "seed_1" / "config.yaml").touch()
        (tmp_path / "seed_1" / "outcome.json").write_text(json.dumps({"ending": "finished"}))
        return type("Ended", (), {"returncode": 0})

    monkeypatch.setattr(command.subprocess, "run", run)
    (tmp_path / "seed_1" / "checkpoints").mkdir(parents=True)
    command.train(plan, seed=1)
    assert typed[-1][-3:] == ["network=tiny", "seed=1", f"hydra.run.dir={tmp_path / 'seed_1'}"]
    (tmp_path / "seed_1" / "outcome.json").write_text(json.dumps({"ending": "stopped"}))
    (tmp_path / "seed_1" / "checkpoints" / "state_000003.ckpt").touch()
    command.train(plan, seed=1)
    assert typed[-1] == [f"resume={tmp_path / 'seed_1'}"]
    command.train(plan, seed=1)
    assert len(typed) == 2


def test_runs_of_another_recipe_are_not_averaged_with_these(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = _command()
    command.check_recipe(command.plan_of([f"folder={tmp_path}", "netwrok=tiny"]))  # was refused, so nothing stands
    command.check_recipe(command.plan_of([f"folder={tmp_path}", "network=tiny"]))
    (tmp_path / "seed_1").mkdir()
    (tmp_path / "seed_1" / "config.yaml").touch()
    command.check_recipe(command.plan_of([f"folder={tmp_path}", "network=tiny", "seeds=9"]))
    assert command.main([f"folder={tmp_path}", "network=small"]) == 2
    assert "another recipe, minutes=30 network=tiny" in capsys.readouterr().err
    for wrong in ("seeds=0", "minutes=x", "minutes=nan", "seed=4", f"positions_dir={tmp_path}"):
        assert command.main([f"folder={tmp_path}", wrong]) == 2
    assert sys.modules["results"].FOLDER == command.FOLDER


def test_what_training_refuses_is_no_run_to_go_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = _command()
    monkeypatch.setattr(command.subprocess, "run", lambda *_, **__: type("Ended", (), {"returncode": 2}))
    with pytest.raises(command.UsageError, match=r"^seed 1 did not begin \(exit code 2\)$"):
        command.train(command.plan_of([f"folder={tmp_path}", "netwrok=tiny"]), seed=1)


def test_runs_made_with_other_defaults_are_not_averaged_either(tmp_path: Path) -> None:
    command = _command()
    runs = {seed: RunFolder(path=tmp_path / f"seed_{seed}") for seed in (1, 2, 3)}
    for seed, run in runs.items():
        run.path.mkdir()
        run.config.write_text(json.dumps({"seed": seed, "search": {"cpuct": 2.0}}))
    command.check_settings(runs)
    runs[3].config.write_text(json.dumps({"seed": 3, "search": {"cpuct": 1.0}}))
    with pytest.raises(command.UsageError, match="seed 3 had other values in conf/ than seed 1"):
        command.check_settings(runs)


def test_a_run_is_graded_once_for_each_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = _command()
    plan = command.plan_of([f"folder={tmp_path}", "simulations=0,8", f"positions_dir={_labels(tmp_path)}"])
    asked: list[str] = []
    knobs = "cpuct: 1"

    def run_command(program: str, *words: str) -> str:
        if "--cfg" in words:
            return knobs
        asked.append(next((word for word in words if word.startswith("positions=")), "carried"))
        figures = {"0": {figure: {"value": 0.5} for figure in command.FIGURES}}
        return json.dumps({"reports": [{"sets": {"L1_R3": figures}, "duel": {"line": "it draws"}}]})

    monkeypatch.setattr(command, "run_command", run_command)
    graded = command.grade(plan, RunFolder(path=tmp_path))
    assert (list(graded["files"]), graded["line"]) == (["begin-hard"], "it draws")  # the name of Pons' file in words
    command.grade(plan, RunFolder(path=tmp_path))
    assert len(asked) == 2  # the carried sets and the files, once
    knobs = "cpuct: 2"
    command.grade(plan, RunFolder(path=tmp_path))
    assert len(asked) == 4


def _labels(folder: Path) -> Path:
    (folder / "L1_R3.jsonl").touch()
    return folder
