"""The player that ships, and the card of any player: markdown that says where it comes from and what it gets wrong."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from c4.evaluation.report import Report
from c4.files import write_beside
from c4.network.weights import SEARCH_OF_RUN, PlayerFile, save_player
from c4.report.figures import error_rows
from c4.report.table import markdown_table, value_text
from c4.report.words import main_knobs, played_name, scores_text, short_budget

MOST_MISTAKES = 12
MOST_SCORES = 12  # in a row; where there are more moves, those that keep the value are named
HOW_MEASURED = (
    "In brackets: 95 % intervals (Wilson). No training has seen a label of these positions; the knobs of the search "
    "were chosen on positions of {sets} (docs/SWEEPS.md)."
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
    """<game>.safetensors, whose header carries its figures, and <game>.md, over what was there. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    game = player.spec.name
    figures = {
        name: {budget: figure["value_preserving"]["value"] for budget, figure in budgets.items()}
        for name, budgets in report["sets"].items()
    }
    card = {"origin": dict(origin), "search": main_knobs(report["search"]), "value_preserving": figures}
    if kept := player.card.get(SEARCH_OF_RUN):
        card[SEARCH_OF_RUN] = kept
    weights, text = folder / f"{game}.safetensors", folder / f"{game}.md"
    save_player(weights, spec=player.spec, design=player.design, state=player.state, card=card)
    write_beside(text, card_text(report, title=f"The champion of {game}", origin=origin).encode())
    return [weights, text]


def card_text(report: Report, *, title: str, origin: Mapping[str, Any]) -> str:
    search = ", ".join(f"`{key}={value}`" for key, value in main_knobs(report["search"]).items())
    parts = [f"# {title}", _origin(origin), f"Searched with {search}."]
    if report["sets"]:
        sets = "these sets" if report["game"] == "connect4" else "Connect Four, temperatures on these sets too"
        parts += ["## Errors, in % of positions", _errors(report), HOW_MEASURED.format(sets=sets)]
    parts += [report[key]["line"] for key in ("duel", "baseline") if key in report]
    if report.get("worst"):
        parts += [_mistakes(report)]
    return "\n\n".join(part for part in parts if part) + "\n"


def plain_card(*, title: str, origin: Mapping[str, Any], metrics: Mapping[str, float]) -> str:
    """Of a player that was not graded as a whole: its metrics."""
    lines = [f"- {name}: {value_text(value)}" for name, value in origin.items()]
    figures = markdown_table(
        ["metric", "value"], [[name, value_text(value)] for name, value in sorted(metrics.items())]
    )
    return "\n\n".join([f"# {title}", "\n".join(lines), figures]) + "\n"


def _origin(origin: Mapping[str, Any]) -> str:
    def shown(key: str) -> str:
        return f"`{origin[key]}`" if isinstance(origin[key], str) else f"{origin[key]:,}"

    return "\n".join(f"- {name}: {shown(key)}" for key, name in ORIGIN.items() if key in origin)


def _errors(report: Report) -> str:
    head = ["set", *(short_budget(int(budget)) for budget in report["overall"])]
    rows = [
        [name, *(f"{one.text} ({one.small.replace(' ', '')})" for one in cells)] for name, cells in error_rows(report)
    ]
    return markdown_table(head, rows, texts=1)


def _mistakes(report: Report) -> str:
    worst = report["worst"][:MOST_MISTAKES]
    game, many = report["game"], len(worst[0]["scores"]) > MOST_SCORES
    rows = [
        [f"`{one['moves']}`", *(_played_and_right(one, game=game) if many else _played_and_all(one, game=game))]
        for one in worst
    ]
    simulations = worst[0]["simulations"]  # the most with which it errs at all
    kept = report["overall"][str(simulations)]["value_preserving"]
    count = round((1 - kept["value"]) * kept["count"])
    table = markdown_table(["position", "plays", "right moves" if many else "scores of all moves"], rows)
    return f"## Known errors\n\nErrors with {short_budget(simulations)}: {count}. The gravest:\n\n{table}"


def _played_and_all(mistake: Mapping[str, Any], *, game: str) -> tuple[str, str]:
    return played_name(mistake, game=game), scores_text(mistake)


def _played_and_right(mistake: Mapping[str, Any], *, game: str) -> tuple[str, str]:
    """With their scores, the best first."""
    scores = mistake["scores"]
    sign = max((score > 0) - (score < 0) for score in scores if score is not None)
    keeping = [at for at, score in enumerate(scores) if score is not None and (score > 0) - (score < 0) == sign]
    keeping.sort(key=lambda at: -scores[at])

    def told(action: int) -> str:
        score = "" if scores[action] is None else f" ({scores[action]})"
        return f"{played_name({**mistake, 'played': action}, game=game)}{score}"

    return told(mistake["played"]), ", ".join(told(action) for action in keeping[:MOST_SCORES])
