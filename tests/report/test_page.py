"""The page and the tables of a report: whole, escaped, with every figure, and nothing from elsewhere."""

from __future__ import annotations

import copy
import re
from html import escape
from html.parser import HTMLParser
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.evaluation.reports import PARAMS, some_labels, some_report, subject

from c4.evaluation.labels import LabelledSet
from c4.evaluation.report import full_report
from c4.report.player import player_page
from c4.report.provenance import provenance
from c4.report.table import columns
from c4.report.terminal import report_table, standings_table


@pytest.fixture
def labels() -> LabelledSet:
    return some_labels()


@pytest.fixture
def report() -> dict[str, Any]:
    return some_report()


def test_the_table_says_how_many_positions_are_not_yet_right_for_good(report: dict[str, Any]) -> None:
    """At the largest budget: all its errors."""
    known = report["overall"]["32"]["value_preserving_decisive"]["value"]
    (line,) = re.findall(r"Decisive positions not yet right for good: (.*)\.", report_table([report]))
    bare, *_, largest = line.split(", ")
    assert [one.rsplit(" ", 2)[0] for one in line.split(", ")] == ["bare", "8 sims", "32 sims"]
    assert largest == f"32 sims {100 * (1 - known):.1f} %"
    assert float(bare.split()[1]) >= 100 * (1 - report["overall"]["0"]["value_preserving_decisive"]["value"]) - 0.05


class _Page(HTMLParser):
    """Collects what a page would fetch, and checks that elements close."""

    VOID = frozenset({"meta", "br"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.fetched: list[str] = []
        self.links: list[str] = []
        self.kinds: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.kinds.append(tag)
        if tag == "a":
            self.links += [value or "" for name, value in attrs if name == "href"]
            return
        links = [value or "" for name, value in attrs if name in {"src", "href", "srcset", "data", "action"}]
        self.fetched += [link for link in links if not link.startswith("#")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def _read(text: str) -> _Page:
    parser = _Page()
    parser.feed(text)
    assert parser.open == []
    return parser


CURVES = {
    "<clueless> & co": {
        generation: {
            "truth/value_preserving": 0.5,
            "truth/value_preserving_32": 0.7,
            "loss/policy": 1.0,
            "truth/selfplay/blame_noise": 0.5,
        }
        for generation in (1, 2, 3)
    }
}


def test_the_page_is_whole_and_asks_nobody(report: dict[str, Any]) -> None:
    made = {"checkpoint": "a/<b>.safetensors", "SHA-256": "0123abcd"}
    facts = provenance(players={report["name"]: made}) | {"machine": ""}
    text = player_page([report | {"made": made}], curves=CURVES, facts=facts)
    parsed = _read(text)
    assert parsed.fetched == []
    assert not re.search(
        r"https?://(?!www\.w3\.org/2000/svg|127\.0\.0\.1:8000/\?game)|url\((?!#)|@import|<script|<link|<img", text
    )
    assert parsed.kinds.count("svg") >= 9
    assert "&lt;clueless&gt; &amp; co" in text
    assert "Errors in self-play" in text
    assert "<clueless>" not in text
    assert report["duel"]["line"] in text
    assert "prefers-color-scheme: dark" in text
    assert "NaN" not in text
    assert not re.search(r"\bnan\b", text)
    for fact in ("a/&lt;b&gt;.safetensors", "0123abcd", "<dt>date</dt>", "<dt>command</dt>", "<dt>commit</dt>"):
        assert fact in text
    assert "<dt>machine</dt>" not in text  # not known


def test_an_error_leads_to_its_position_on_the_page_that_a_command_starts(report: dict[str, Any]) -> None:
    text = player_page([report | {"made": {"checkpoint": "a b.safetensors"}}], curves={}, facts={})
    links = [parse_qs(urlsplit(link).query) for link in _read(text).links]
    assert links == [{"game": ["connect4_4x4"], "position": [one["moves"]]} for one in report["worst"]]
    assert escape("python play.py ui=web web.port=8000 checkpoint='a b.safetensors'") in text
    position = report["worst"][0]["moves"]
    assert f"look at one: python play.py position={position}" in report_table([report])


def test_a_report_of_one_position_is_a_page(labels: LabelledSet) -> None:
    """Where a mean has no interval, and maybe no position is decisive."""
    one = full_report(subject(), [labels.take([0])], params=PARAMS, progress=lambda _: None)
    assert "<small>–</small>" in player_page([one], curves={}, facts={})


def test_several_reports_stand_side_by_side(report: dict[str, Any]) -> None:
    other = copy.deepcopy(report) | {"name": "other"}
    text = player_page([report, other], curves={}, facts={})
    _read(text)
    assert text.count("class='card tile wide'") == 2
    assert text.count("<small>other</small>") == 3  # the columns of its budgets


def test_a_report_without_truth_is_still_a_page() -> None:
    unsolved = full_report(subject("gomoku6"), [], params=PARAMS, progress=lambda _: None)
    assert unsolved["sets"] == {}
    assert "not measured" in unsolved["duel"]["line"]
    _read(player_page([unsolved], curves={}, facts={}))
    assert "not measured" in report_table([unsolved])
    assert "Against pure Monte Carlo with 10 rollouts per move: " in report_table([unsolved])


def test_a_report_without_mistakes_says_so(report: dict[str, Any]) -> None:
    perfect = copy.deepcopy(report) | {"worst": []}
    assert "None at any budget" in player_page([perfect], curves={}, facts={})
    report_table([perfect])


def test_the_table_has_every_figure(report: dict[str, Any]) -> None:
    text = report_table([report])
    for words in (
        "half 0",
        "bare",
        "8 sims",
        "32 sims",
        "errors, slow wins, quick losses",
        "Moves-left utility",
        "worst errors",
    ):
        assert words in text
    assert max(len(line) for line in text.splitlines() if "Moves-left" not in line) < 200


def test_players_stand_side_by_side_in_the_table(report: dict[str, Any]) -> None:
    other = copy.deepcopy(report) | {"name": "other"}
    first, *_ = report_table([report, other]).split("\n\n")
    head, _, *rows = first.splitlines()
    assert head.split()[-4:] == ["half", "0", "half", "1"]
    assert len(rows) == 2 * len(report["overall"])
    assert rows[1].startswith("other")
    assert "bare" in rows[0]
    assert "bare" in rows[1]


def test_seeds_of_one_setting_are_one_row_of_the_table_and_a_card_of_the_page(report: dict[str, Any]) -> None:
    seeds = [copy.deepcopy(report) | {"name": f"run {seed}", "run": {"seed": seed, "setting": "a"}} for seed in (1, 2)]
    _, over, *_ = report_table(seeds).split("\n\n")
    head, _, *rows, last = over.splitlines()
    assert head.split() == ["over", "2", "seeds", "half", "0", "half", "1", "all"]
    assert len(rows) == 2 * len(report["overall"])
    assert rows[0].endswith("± 0.0")
    assert last.endswith("run 1 (seed 1), run 2 (seed 2)")
    assert "<h3>Over 2 seeds</h3>" in player_page(seeds, curves={}, facts={})
    assert "seeds" not in report_table([seeds[0], seeds[0]])


def test_columns_are_aligned() -> None:
    assert columns([("a", "bb"), ("ccc", "d")]) == "a    bb\n-------\nccc   d"
    standings = {
        "players": [
            {"name": "a", "elo": -5.0, "margin": 3.0, "games": 4, "score": 0.25},
            {"name": "b", "elo": 5.0, "margin": 3.0, "games": 4, "score": 0.75},
        ],
        "meetings": [
            {
                "players": ["a", "b"],
                "moving_first": {"wins": 1, "draws": 0, "losses": 1},
                "moving_second": {"wins": 0, "draws": 0, "losses": 2},
                "difference": {"elo": -10.0, "margin": 6.0},
                "stronger": None,
                "line": "Nobody knows.",
            }
        ],
    }
    text = standings_table(standings)
    assert "-10 ± 6" in text
    assert text.endswith("\n\nNobody knows.")
    assert "Nobody" not in standings_table(standings | {"meetings": 2 * standings["meetings"]})  # the table says enough
    assert text.index("+5 ± 3") < text.index("-5 ± 3")
    assert "tied" not in text
    near = [one | {"margin": 8.0} for one in standings["players"]]
    assert "tied with b, within the 95 % intervals: a\n" in standings_table(standings | {"players": near})
    assert "1 0 1" in text
    assert "0 0 2" in text
