"""The list of metrics, docs/METRICS.md and what is logged are the same names, each with one meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf
from tests.e2e.training_kit import QUICK, ROOT, only_run, train

from c4.configuration import load_config
from c4.evaluating import evaluate
from c4.params.metrics import METRICS, metrics_table, pattern
from c4.params.monitors import logged_by
from c4.run.folder import RunFolder
from c4.run.metrics import read_metrics

EVERYTHING = (
    *QUICK,
    "selfplay=ray",
    "selfplay.actors=1",
    "selfplay.patience=900",
    "selfplay.chunk_games=16",
    "evaluation.grading.at_end=true",
    "evaluation.grading.games=8",
    "evaluation.grading.time_share=1",
    "evaluation.baseline.every=1",
    "evaluation.baseline.time_share=1",
    "evaluation.baseline.rollouts_first=10",
    "evaluation.baseline.simulations=8",
    "evaluation.baseline.games=2",
)


def documented() -> dict[str, re.Pattern[str]]:
    """The list's names, N and SET and NAME as what they stand for."""
    return {metric.name: re.compile(pattern(metric.name)) for metric in METRICS}


def test_the_page_has_the_list() -> None:
    names = [metric.name for metric in METRICS]
    assert len(names) == len(set(names)) > 40
    assert (ROOT / "docs" / "METRICS.md").read_text().endswith(f"\n\n{metrics_table()}\n"), "python scripts/metrics.py"


def monitored() -> Iterator[tuple[str, str]]:
    for path in sorted((ROOT / "conf").rglob("*.yaml")):
        text = OmegaConf.to_container(OmegaConf.load(path))
        for key, value in _leaves(text):
            if key in {"monitor", "metric", "watched"} and isinstance(value, str):
                yield path.name, value
            elif key == "objectives" and isinstance(value, dict):
                yield from ((path.name, name) for name in value)


def _leaves(node: object) -> Iterator[tuple[str, object]]:
    if isinstance(node, dict):
        for key, value in node.items():
            yield str(key), value
            yield from _leaves(value)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    runs = tmp_path_factory.mktemp("runs")
    train(*EVERYTHING, runs=runs)
    return only_run(runs)


@pytest.fixture(scope="module")
def logged(run: Path) -> set[str]:
    rows = read_metrics(RunFolder(path=run))
    assert list(rows) == [1, 2]
    return {name for row in rows.values() for name in row}


@pytest.mark.slow
def test_a_run_and_evaluate_give_the_same_figures_under_the_same_names(run: Path) -> None:
    last = read_metrics(RunFolder(path=run))[2]
    words = [f"checkpoint={run / 'checkpoints' / 'last.safetensors'}", "inference=torch", "output=none"]
    words += ["evaluation=quick", "evaluation.sets=[dev]", "evaluation.simulations=[0,64,100]"]
    with initialize_config_dir(config_dir=str(ROOT / "conf"), version_base="1.3"):
        found = evaluate(compose("evaluate", overrides=words))
    assert {"truth/final/dev/value_preserving_64", "truth/final/all/value_preserving"} <= set(found)
    assert set(found) == {name for name in last if name.startswith("truth/final/")}
    assert found == pytest.approx({name: last[name] for name in found}, abs=1e-6)
    assert found["truth/final/dev/value_preserving"] == pytest.approx(last["truth/value_preserving"], abs=1e-6)


@pytest.mark.slow
def test_every_metric_that_is_logged_is_documented(logged: set[str]) -> None:
    patterns = documented().values()
    assert [name for name in sorted(logged) if not any(pattern.fullmatch(name) for pattern in patterns)] == []


@pytest.mark.slow
def test_every_documented_metric_is_logged(logged: set[str]) -> None:
    assert [name for name, pattern in documented().items() if not any(map(pattern.fullmatch, logged))] == []


@pytest.mark.slow
def test_what_a_configuration_is_said_to_log_it_logs(logged: set[str]) -> None:
    said = logged_by(load_config(*EVERYTHING))
    assert set(said.names(at_end=True)) == logged
    assert set(said.names(at_end=False)) == {name for name in logged if not name.startswith("truth/final/")}


@pytest.mark.parametrize(("file", "name"), list(monitored()))
def test_what_is_monitored_is_a_documented_metric(file: str, name: str) -> None:
    assert any(pattern.fullmatch(name) for pattern in documented().values()), f"{file} monitors {name}"


def test_there_are_monitors_to_check() -> None:
    names = {name for _, name in monitored()}
    assert {
        "truth/value_preserving",
        "baseline/strength",
        "truth/final/all/distance_optimal_32",
        "budget/minutes",
    } <= names


def test_a_name_that_is_not_in_the_table_is_noticed() -> None:
    patterns = documented().values()
    for wrong in ("truth/value_preserving_x", "loss/totals", "truth/final/dev"):
        assert not any(pattern.fullmatch(wrong) for pattern in patterns)
