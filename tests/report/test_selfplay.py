"""What is told of self-play as a table and on a page, from counts that were made up."""

from __future__ import annotations

import re
from typing import Any

from tests.report.drawn import words_of

from c4.evaluation.selfplay_audit import together
from c4.report.audit_table import audit_rows, comparison_rows, summary
from c4.report.curves import Rows, target_curves
from c4.report.selfplay import audit_cards, audit_page

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
    assert "100 games of self-play. In 56.7% of their positions" in text  # 85 of 150
    assert "0.75, of which exploration 0.25, the search 0.50" in text
    assert "result 50.0%, root value 25.0%, trace 10.0%" in text
    assert "no error: 50.0%" in text
    assert "Distinct openings per game: 0.60; repeated positions: 20.0%" in text
    assert "no game" in summary("none", together([]))


def test_the_cards_of_a_page() -> None:
    cards = "".join(audit_cards(_audit(traces=True) | {"about": "<generations> 1 to 3."}, game="connect4"))
    assert "Wrong targets by ply" in cards
    assert "&lt;generations&gt; 1 to 3." in cards
    assert "<b>56.7 %</b><span>wrong results" in cards
    assert "<b>0.25</b><span>errors from random openings" in cards
    assert "<b>0.50</b><span>errors from the search" in cards
    for share, what in (("50.0", "results"), ("25.0", "root values"), ("10.0", "traces")):
        assert f"<b>{share} %</b><span>{what} of the wrong sign" in cards
    assert ">trace</text>" in cards
    assert ">trace</text>" not in "".join(audit_cards(_audit(traces=False), game="connect4"))
    assert audit_cards(together([]), game="connect4") == []


def test_too_few_games_to_tell_are_said_to_be_so() -> None:
    audit = _audit(traces=True)
    few = audit | {"games": 8, "plies": [row | {"games": 8, "targets": {}} for row in audit["plies"]]}
    cards = audit_cards(few, game="connect4")
    assert sum("no ply has 20 cases" in card for card in cards) == 2
    assert not any("<svg" in card for card in cards)


def test_the_course_of_a_run_names_traces_where_there_are_any() -> None:
    def rows(trace: float) -> Rows:
        wrong = {"result": 0.3, "root_value": 0.2, "trace": trace}
        return {one: {f"truth/selfplay/{name}_wrong_sign": share for name, share in wrong.items()} for one in (1, 2, 3)}

    (drawn,) = target_curves(rows(0.1))
    assert {"result", "root value", "trace", "wrong sign (%)"} <= set(words_of(drawn))
    (without,) = target_curves(rows(0.3))
    assert "root value" in words_of(without)
    assert "trace" not in words_of(without)
    assert target_curves({1: {"loss/total": 1.0}}) == []


def test_audits_side_by_side() -> None:
    rows = {
        title: cells for title, *cells in comparison_rows([_audit(traces=True), _audit(traces=False), together([])])
    }
    assert rows["games"] == ["100", "100", "0"]
    assert rows["wrong results, positions whose game did not end as perfect play would have it"] == [
        "56.7 %",
        "56.7 %",
        "-",
    ]
    assert rows["errors from the search, per game"] == ["0.50", "0.50", "-"]
    assert rows["traces of the wrong sign, samples won or lost in truth"] == ["10.0 %", "50.0 %", "-"]
    assert rows["repeated positions, within a generation"] == ["20.0 %", "20.0 %", "-"]


def test_the_page_of_audits() -> None:
    kept, played = (_audit(traces=True) | {"about": about} for about in ("<kept>", "played now."))
    curves = {
        generation: {"truth/selfplay/blame_search": 0.5, "truth/selfplay/result_wrong_sign": 0.3}
        for generation in (1, 2)
    }
    text = audit_page({"<a>": [kept, played]}, game="connect4", curves={"<a>": curves}, facts={"date": "today"})
    assert text.startswith("<!doctype html>")
    assert text.count("Side by side") == 1
    assert text.count("<h2 class='subject'>&lt;a&gt;</h2>") == 1
    assert "<dd>today</dd>" in text
    assert text.count("Wrong targets by ply") == text.count("<details>") == 2
    assert "&lt;kept&gt;" in text
    assert "<kept>" not in text
    assert "<td style='--shade:0.80'><b>80.0</b></td>" in text  # wrong results at ply 0
    assert "<td>0.0</td>" in text  # nothing wrong, no shade
    assert "Errors in self-play</h3>" in text
    assert "Wrong targets</h3>" in text
    assert not re.search(r"(src|href)=.[^#]|url\((?!#)|@import|<script", text)
    alone = audit_page({"a": [kept]}, game="connect4", curves={}, facts={})
    assert "Side by side" not in alone
    assert "Errors in self-play</h3>" not in alone


def test_plies_that_are_left_out_between_others_are_not_hidden_by_the_line() -> None:
    """Ply 1 has too few samples to tell: marks show that only the plies 0 and 2 are known."""
    audit = _audit(traces=False)
    third = audit["plies"][0] | {"ply": 2}
    few = {name: _target(settled=3, wrong=1) for name in ("result", "root_value", "trace")}
    gap = audit | {"plies": [audit["plies"][0], audit["plies"][1] | {"targets": few}, third]}
    without = audit | {"plies": [audit["plies"][0], third | {"ply": 1}]}
    marks = ["".join(audit_cards(one, game="connect4")).count("ply 0: 20 of 40") for one in (gap, without)]
    assert marks == [1, 0]
