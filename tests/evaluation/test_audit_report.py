"""The audit of self-play as a table and as cards of the page, from counts that were made up."""

from __future__ import annotations

from typing import Any

from c4.evaluation.audit_table import audit_rows, summary
from c4.evaluation.page_audit import selfplay_cards, target_curves
from c4.evaluation.selfplay_audit import together

NONE = {"opening": 0, "temperature": 0, "noise": 0, "search": 0}


def _target(*, settled: int, wrong: int) -> dict[str, float]:
    return {"samples": settled + 10, "settled": settled, "wrong_sign": wrong, "squared_error": float(wrong)}


def _audit(*, traces: bool) -> dict[str, Any]:
    trace = _target(settled=40, wrong=4 if traces else 20)
    targets = {"result": _target(settled=40, wrong=20), "root_value": _target(settled=40, wrong=10), "trace": trace}
    thrown, first = NONE | {"opening": 25, "search": 50}, NONE | {"search": 50}
    rows = [
        {"ply": 0, "games": 100, "contradicted": 80, "throws": thrown, "first_throws": first, "targets": targets},
        {"ply": 1, "games": 50, "contradicted": 5, "throws": NONE, "first_throws": NONE, "targets": {}},
    ]
    return {"games": 100, "positions": 150, "repeated": 30, "openings": 60, "flawless": 50, "plies": rows}


def test_the_table_says_what_is_wrong_at_each_ply() -> None:
    text = audit_rows("one", _audit(traces=True))
    first, second = text.splitlines()[-2:]
    assert first.split() == ["0", "100", "80.0", "50.0", "25.0", "10.0", "25.0", "0.0", "0.0", "50.0", "50.0"]
    assert second.split() == ["1", "50", "10.0", "-", "-", "-", "0.0", "0.0", "0.0", "0.0", "0.0"]


def test_the_summary_tells_exploration_from_search() -> None:
    text = summary("one", _audit(traces=True))
    assert "100 games of self-play, 56.7% of their positions" in text  # 85 of 150
    assert "0.75, of which exploration 0.25, the search 0.50" in text
    assert "result 50.0%, root value 25.0%, trace 10.0%" in text
    assert "never thrown: 50.0%" in text
    assert "Distinct openings a game: 0.60; positions that repeat: 20.0%" in text
    assert "no game" in summary("none", together([]))


def test_the_cards_of_a_page() -> None:
    report = {"game": "connect4", "selfplay": _audit(traces=True) | {"about": "<generations> 1 to 3."}}
    cards = selfplay_cards(report)
    assert "What its own games teach it wrongly" in cards
    assert "&lt;generations&gt; 1 to 3." in cards
    assert "<b>56.7 %</b><span>untrue results" in cards
    assert "<b>0.25</b><span>thrown by exploration" in cards
    assert "<b>0.50</b><span>thrown by the search" in cards
    assert "Over all plies: result 50.0 %, root value 25.0 %, trace 10.0 %." in cards
    assert ">trace</text>" in cards
    assert ">trace</text>" not in selfplay_cards({"game": "connect4", "selfplay": _audit(traces=False)})
    assert selfplay_cards({"game": "connect4"}) == ""
    assert selfplay_cards({"game": "connect4", "selfplay": together([])}) == ""


def test_the_course_of_a_run_names_traces_where_there_are_any() -> None:
    def rows(trace: float) -> dict[int, dict[str, float]]:
        wrong = {"result": 0.3, "root_value": 0.2, "trace": trace}
        return {one: {f"truth/selfplay/{name}_wrong_sign": share for name, share in wrong.items()} for one in (1, 2, 3)}

    assert ">trace</text>" in target_curves(rows(0.1))
    without = target_curves(rows(0.3))
    assert ">root value</text>" in without
    assert ">trace</text>" not in without
    assert target_curves({1: {"loss/total": 1.0}}) == ""
