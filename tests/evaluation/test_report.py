"""The full report, its page and its tables, from a network that knows nothing on a small solved board."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.evaluation.reports import PARAMS, some_labels, some_report, subject

from c4.evaluation.labels import LabelledSet
from c4.evaluation.report import ablation, full_report, moves_left_table
from c4.report.terminal import moves_left_rows


@pytest.fixture
def labels() -> LabelledSet:
    return some_labels()


@pytest.fixture
def report() -> dict[str, Any]:
    return some_report()


def test_the_report_is_plain_data(report: dict[str, Any]) -> None:
    assert json.loads(json.dumps(report, allow_nan=False)) == report


def test_overall_is_the_sum_of_the_sets(report: dict[str, Any]) -> None:
    assert set(report["sets"]) == {"half 0", "half 1"}
    for budget in ("0", "8", "32"):
        halves = [figures[budget] for figures in report["sets"].values()]
        overall = report["overall"][budget]
        assert overall["positions"] == sum(half["positions"] for half in halves) == 120
        right = sum(half["value_preserving"]["value"] * half["positions"] for half in halves)
        assert overall["value_preserving"]["value"] == pytest.approx(right / 120)
        assert sum(band["positions"] for band in report["by_ply"][budget]) == 120


def test_the_audit_and_the_failures_tell_of_the_same_positions(report: dict[str, Any]) -> None:
    audit = report["search_audit"]
    assert (audit["from"], audit["to"]) == (0, 32)
    assert [one["simulations"] for one in audit["until_right"]] == [0, 1, 2, 4, 8, 16, 32]
    wrong = round(120 * (1 - report["overall"]["32"]["value_preserving"]["value"]))
    assert len(report["failures"]) == wrong == audit["misled"] + audit["wrong_at_both"]


def test_the_worst_mistakes_give_the_most_away(report: dict[str, Any]) -> None:
    worst = report["worst"]
    assert 0 < len(worst) <= 5
    drops = []
    for one in worst:
        best, played = max(s for s in one["scores"] if s is not None), one["scores"][one["played"]]
        drops.append(((best > 0) - (best < 0)) - ((played > 0) - (played < 0)))
    assert drops == sorted(drops, reverse=True)
    assert min(drops) > 0


def test_the_ablation_uses_the_configured_utility(report: dict[str, Any]) -> None:
    assert (report["ablation"]["mlh_slope"], report["ablation"]["mlh_cap"]) == (0.05, 0.2)
    assert report["ablation"]["simulations"] == 16


def test_the_table_over_slope_and_cap(labels: LabelledSet) -> None:
    rows = moves_left_table(subject(), labels, params=PARAMS, progress=lambda _: None)
    assert [(row["mlh_slope"], row["mlh_cap"]) for row in rows] == [(0.0, 0.1), (0.05, 0.1), (0.05, 0.3)]
    assert rows[0]["other_move"]["value"] == 0.0
    text = moves_left_rows("name", rows)
    assert len(text.splitlines()) == 5
    assert "slope" in text


def test_the_ablation_is_the_same_whether_or_not_one_half_is_known(labels: LabelledSet) -> None:
    one = subject()
    whole = full_report(one, [labels], params=PARAMS, progress=lambda _: None)  # 16 is one of the audit's budgets
    assert whole["ablation"] == ablation(one, labels, known={}, params=PARAMS)
