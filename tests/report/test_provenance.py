"""Where pages say that they come from: every fact, whoever is on them and however many."""

from __future__ import annotations

from pathlib import Path

import pytest

from c4.report.provenance import player_facts, provenance

CARD = {"origin": {"command": "python train.py experiment=tiny", "commit": "abc", "seed": 1}}


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    path = tmp_path / "best.safetensors"
    path.write_bytes(b"weights")
    return path


def test_a_page_says_when_how_where_and_from_what_it_was_made(checkpoint: Path) -> None:
    search = {"cpuct": 2.0, "early_stop": True}
    facts = provenance(players={"best": player_facts(checkpoint, card=CARD, search=search)})
    assert {"date", "command", "commit", "machine", "checkpoint", "SHA-256", "search"} <= facts.keys()
    assert all(facts.values())
    assert facts["checkpoint"] == str(checkpoint)
    assert facts["search"] == "cpuct=2.0 early_stop=true"
    assert (facts["trained by"], facts["trained at"]) == ("python train.py experiment=tiny", "abc")


def test_of_several_players_each_fact_says_whose_it_is(checkpoint: Path) -> None:
    facts = provenance(players=dict.fromkeys(("one", "two"), player_facts(checkpoint, card={}, search=None)))
    assert facts["one: SHA-256"] == facts["two: SHA-256"]
    assert "SHA-256" not in facts
    assert "search" not in facts


def test_another_file_is_another_hash(checkpoint: Path) -> None:
    before = player_facts(checkpoint, card={}, search=None)
    checkpoint.write_bytes(b"other weights")
    assert player_facts(checkpoint, card={}, search=None)["SHA-256"] != before["SHA-256"]
