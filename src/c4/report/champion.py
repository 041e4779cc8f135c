"""The player that ships: weights whose header carries their figures, and a card for people beside them.

Knows how a run tells of itself, not how runs are made.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from c4.evaluation.report import Report
from c4.files import write_beside
from c4.native._core import Position
from c4.network.weights import PlayerFile, save_player
from c4.report.words import markdown_table, short_budget
from c4.run.about import read_facts
from c4.run.finding import run_of
from c4.run.folder import RunFolder
from c4.run.metrics import read_metrics

MOST_MISTAKES = 12
HOW_MEASURED = (
    "In brackets: 95 % intervals (Wilson). No training has seen a label of these positions; the knobs of the search "
    "were chosen on positions of these sets (docs/SWEEPS.md)."
)
ORIGIN = {
    "command": "trained by",
    "commit": "at commit",
    "seed": "seed",
    "cores": "processor cores",
    "minutes": "wall clock, minutes",
    "games": "games of self-play",
    "samples": "positions learned from",
}


def write_champion(folder: Path, player: PlayerFile, report: Report, *, origin: Mapping[str, Any]) -> list[Path]:
    """<game>.safetensors and <game>.md, over what was there. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    game = player.spec.name
    figures = {
        name: {budget: figure["value_preserving"]["value"] for budget, figure in budgets.items()}
        for name, budgets in report["sets"].items()
    }
    card = {"origin": dict(origin), "search": _search(report), "value_preserving": figures}
    weights, text = folder / f"{game}.safetensors", folder / f"{game}.md"
    save_player(weights, spec=player.spec, design=player.design, state=player.state, card=card)
    write_beside(text, card_text(report, title=f"The champion of {game}", origin=origin).encode())
    return [weights, text]


def origin_of(checkpoint: Path) -> dict[str, Any]:
    """How a player came about, as far as the folder of its run tells; nothing where it lies in none."""
    run = run_of(checkpoint)
    if run is None or not (facts := read_facts(run)):
        return {}
    known = {key: facts[key] for key in ("command", "commit", "seed", "cores") if key in facts}
    if "command" in known:
        known["command"] = told_command(known["command"])
    return known | _length(run)


def told_command(command: str) -> str:
    """For others: where a run was kept, and that it was gone on with, says nothing of how it was made."""
    program, *words = command.split()
    kept = [word for word in words if not word.startswith(("hydra.", "paths.", "resume="))]
    return " ".join(["python", Path(program).name, *kept])


def card_text(report: Report, *, title: str, origin: Mapping[str, Any]) -> str:
    """The card, in markdown."""
    search = ", ".join(f"`{key}={value}`" for key, value in _search(report).items())
    parts = [f"# {title}", _origin(origin), f"Searched with {search}."]
    if report["sets"]:
        parts += ["## Moves that give the value away, in %", _errors(report), HOW_MEASURED]
    parts += [report[key]["line"] for key in ("duel", "baseline") if key in report]
    if report.get("worst"):
        parts += [_mistakes(report)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _search(report: Report) -> dict[str, Any]:
    return {key: report["search"][key] for key in ("cpuct", "fpu_reduction", "mlh_slope", "mlh_cap", "proven_results")}


def _length(run: RunFolder) -> dict[str, Any]:
    rows = read_metrics(run)
    if not rows:
        return {}
    last = rows[max(rows)]
    return {
        "minutes": round(last["budget/minutes"], 1),
        "games": int(last["total/games"]),
        "samples": int(last["total/samples"]),
    }


def _origin(origin: Mapping[str, Any]) -> str:
    def shown(key: str) -> str:
        return f"`{origin[key]}`" if isinstance(origin[key], str) else f"{origin[key]:,}"

    return "\n".join(f"- {name}: {shown(key)}" for key, name in ORIGIN.items() if key in origin)


def _errors(report: Report) -> str:
    budgets = list(report["overall"])
    rows = [
        [name, *(_error(figures[budget]["value_preserving"]) for budget in budgets)]
        for name, figures in {**report["sets"], "all": report["overall"]}.items()
    ]
    return markdown_table(["set", *(short_budget(int(budget)) for budget in budgets)], rows, texts=1)


def _error(figure: Mapping[str, Any]) -> str:
    low, high = 100 * (1 - figure["high"]), 100 * (1 - figure["low"])
    return f"{100 * (1 - figure['value']):.1f} ({low:.1f}–{high:.1f})"


def _mistakes(report: Report) -> str:
    worst = report["worst"][:MOST_MISTAKES]
    budget = short_budget(worst[0]["simulations"])
    rows = []
    for one in worst:
        played = Position(report["game"], one["moves"]).action_name(one["played"])
        scores = " ".join("·" if score is None else f"{score}" for score in one["scores"])
        rows.append([f"`{one['moves']}`", played, scores])
    count = len(report.get("failures", worst))
    table = markdown_table(["position", "plays", "scores of all moves"], rows)
    return f"## Known mistakes\n\n{count} positions are still wrong at {budget}; the gravest:\n\n{table}"
