"""docs/METRICS.md and what is logged are the same names; a monitor is one of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from omegaconf import OmegaConf
from tests.e2e.training_kit import QUICK, ROOT, only_run, train

from c4.run.metrics import read_metrics

EVERYTHING = (
    *QUICK,
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
    """The table's names, N and SET and NAME as what they stand for."""
    names = re.findall(r"^\| `([^`]+)` \|", (ROOT / "docs" / "METRICS.md").read_text(), flags=re.MULTILINE)
    assert len(names) == len(set(names)) > 40
    return {name: re.compile(_pattern(name)) for name in names}


def _pattern(name: str) -> str:
    """N after an underscore is a number of simulations; SET is the name of a set, NAME of a figure of `truth/`."""
    return re.sub(r"_N$", r"_\\d+", name).replace("SET", "[a-z-]+").replace("NAME", r"[a-z_]+(_\d+)?")


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
def logged(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    runs = tmp_path_factory.mktemp("runs")
    train(*EVERYTHING, runs=runs)
    rows = read_metrics(only_run(runs) / "metrics.csv")
    assert list(rows) == [1, 2]
    return {name for row in rows.values() for name in row}


@pytest.mark.slow
def test_every_metric_that_is_logged_is_documented(logged: set[str]) -> None:
    patterns = documented().values()
    assert [name for name in sorted(logged) if not any(pattern.fullmatch(name) for pattern in patterns)] == []


@pytest.mark.slow
def test_every_documented_metric_is_logged(logged: set[str]) -> None:
    assert [name for name, pattern in documented().items() if not any(map(pattern.fullmatch, logged))] == []


@pytest.mark.parametrize(("file", "name"), list(monitored()))
def test_what_is_monitored_is_a_documented_metric(file: str, name: str) -> None:
    assert any(pattern.fullmatch(name) for pattern in documented().values()), f"{file} monitors {name}"


def test_there_are_monitors_to_check() -> None:
    names = {name for _, name in monitored()}
    assert {"truth/value_preserving", "baseline/strength", "truth/distance_optimal_32", "budget/minutes"} <= names


def test_a_name_that_is_not_in_the_table_is_noticed() -> None:
    patterns = documented().values()
    for wrong in ("truth/value_preserving_x", "loss/totals", "truth/final/dev"):
        assert not any(pattern.fullmatch(wrong) for pattern in patterns)
