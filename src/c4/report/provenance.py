"""Where a page comes from: the block at the foot of every page, and where its positions can be looked at."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from c4.invocation import as_typed_here
from c4.report.words import knob_words
from c4.run.origin import file_hash, made_here, origin_of

PORT = 8000
"""Of the page that links lead to: it stands in the command too, so that they agree whatever is configured."""

Facts = Mapping[str, str]


def provenance(*, players: Mapping[str, Facts], more: Facts | None = None) -> dict[str, str]:
    """When, by which command, from which sources, on what; and of which players."""
    told = made_here()
    for name, facts in players.items():
        whose = f"{name}: " if len(players) > 1 else ""
        told |= {f"{whose}{fact}": text for fact, text in facts.items()}
    return told | dict(more or {})


def player_facts(checkpoint: Path, *, card: Mapping[str, Any], search: Mapping[str, Any] | None) -> dict[str, str]:
    """Which file it is, how it came about as far as its run, or the file itself, tells, and the search it had."""
    origin = origin_of(checkpoint) or card.get("origin") or {}
    trained = {"command": "trained by", "commit": "trained at"}
    told = {name: str(origin[key]) for key, name in trained.items() if key in origin}
    knobs = {"search": knob_words(search)} if search else {}
    return {"checkpoint": str(checkpoint), "SHA-256": file_hash(checkpoint)} | told | knobs


def page_command(made: Facts) -> str:
    """Starts the page on which links of `position_link` open; of whatever player, where none is known."""
    known = f" checkpoint={shlex.quote(made['checkpoint'])}" if "checkpoint" in made else ""
    return f"{as_typed_here('python play.py')} ui=web web.port={PORT}{known}"


def position_link(game: str, moves: str) -> str:
    return f"http://127.0.0.1:{PORT}/?{urlencode({'game': game, 'position': moves})}"
