"""The full report of one player: every figure on every set at every budget, as plain data that JSON can hold."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from c4.evaluation.arena import duel
from c4.evaluation.audit import moves_left_ablation, search_audit
from c4.evaluation.baseline import Curriculum
from c4.evaluation.judges import Budgets, bare_network, searched
from c4.evaluation.labels import LabelledSet, concatenate
from c4.evaluation.metrics import Judgement, by_ply, grade, keeps_value, logged
from c4.native._core import Position
from c4.network.inference.engine import Judge
from c4.params.evaluation import EvaluationParams
from c4.params.search import SearchParams
from c4.players.network import NetworkPlayer

Progress = Callable[[str], None]
Report = Mapping[str, Any]
ALL = "all"
"""All sets of a report as one."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Subject:
    """Who is judged: a network and the search it is used with."""

    name: str
    game: str
    judge: Judge
    search: SearchParams


def full_report(
    subject: Subject, sets: Sequence[LabelledSet], *, params: EvaluationParams, progress: Progress
) -> dict[str, Any]:
    start = time.monotonic()
    everything = concatenate(sets, name=ALL) if sets else None
    report: dict[str, Any] = {"name": subject.name, "game": subject.game, "search": dataclasses.asdict(subject.search)}
    report |= {"simulations": sorted(set(params.simulations)), "sets": {}}
    if everything is not None:
        judgements = _judge(subject, sets, params=params, progress=progress)
        joined = {budget: join([one[budget] for one in judgements]) for budget in judgements[0]}
        report |= _truth(judgements, joined, sets, everything, params=params)
        if params.ablation_simulations:
            progress(f"{subject.name}: moves-left utility off and on at {params.ablation_simulations} simulations")
            report["ablation"] = ablation(subject, everything, known=joined, params=params)
    if params.duel_simulations:
        progress(f"{subject.name}: two games against perfect play")
        report["duel"] = duel(_player(subject, params=params), game=subject.game, seed=0)
        report["duel"]["simulations"] = params.duel_simulations
    if params.duel_simulations and not report["duel"]["played"]:
        progress(f"{subject.name}: a match against pure Monte Carlo, since perfect play is not known")
        report["baseline"] = _baseline(subject, params=params)
    report["seconds"] = time.monotonic() - start
    return report


def _judge(
    subject: Subject, sets: Sequence[LabelledSet], *, params: EvaluationParams, progress: Progress
) -> list[dict[int, Judgement]]:
    """By set, then by budget: those asked for, and powers of two between them for the audit of the search."""
    asked = [budget for budget in params.simulations if budget > 0]
    steps = {1 << power for power in range(max(asked, default=1).bit_length())} if asked else set()
    budgets = {budget for budget in {*asked, *steps} if budget <= max(asked)} if asked else set()
    judgements = []
    for labels in sets:
        progress(f"{subject.name}: {labels.name}, {len(labels)} positions, up to {max(asked, default=0)} simulations")
        found = {0: bare_network(labels, subject.judge)}
        if budgets:
            found |= _search(subject, labels, search=subject.search, simulations=sorted(budgets), params=params)
        judgements.append(found)
    return judgements


def _truth(
    judgements: Sequence[dict[int, Judgement]],
    joined: Mapping[int, Judgement],
    sets: Sequence[LabelledSet],
    everything: LabelledSet,
    *,
    params: EvaluationParams,
) -> dict[str, Any]:
    bins, asked = params.calibration_bins, sorted(set(params.simulations))
    return {
        "sets": {
            labels.name: {str(budget): grade(labels, found[budget], bins=bins) for budget in asked}
            for labels, found in zip(sets, judgements, strict=True)
        },
        "overall": {str(budget): grade(everything, joined[budget], bins=bins) for budget in asked},
        "by_ply": {
            str(budget): by_ply(everything, joined[budget], width=params.ply_band, bins=bins) for budget in asked
        },
        "search_audit": search_audit(everything, joined),
        "worst": worst(everything, {budget: joined[budget] for budget in asked}, count=params.worst),
        "failures": failures(everything, joined[max(asked)], simulations=max(asked)),
    }


@dataclasses.dataclass(frozen=True, kw_only=True)
class Graded:
    """What was thought of a set at one budget."""

    labels: LabelledSet
    simulations: int
    judgement: Judgement


def brief_report(
    graded: Sequence[Graded], *, game: str, search: SearchParams, params: EvaluationParams
) -> dict[str, Any]:
    """As much of a full report as was graded anyway; sets of one budget need not be those of another."""
    figures = partial(grade, bins=params.calibration_bins)
    budgets = sorted({one.simulations for one in graded})
    sets: dict[str, dict[str, Any]] = {}
    for one in graded:
        sets.setdefault(one.labels.name, {})[str(one.simulations)] = figures(one.labels, one.judgement)
    overall, gravest = {}, list[dict[str, Any]]()
    for budget in budgets:
        parts = [one for one in graded if one.simulations == budget]
        labels, judgement = concatenate([one.labels for one in parts], name=ALL), join([o.judgement for o in parts])
        overall[str(budget)] = figures(labels, judgement)
        gravest = worst(labels, {budget: judgement}, count=params.worst) or gravest
    report: dict[str, Any] = {"name": game, "game": game, "search": dataclasses.asdict(search)}
    return report | {"simulations": budgets, "sets": sets, "overall": overall, "worst": gravest}


def set_figures(report: Report, name: str, *, prefix: str) -> dict[str, float]:
    """What is logged of a set."""
    found: dict[str, float] = {}
    for budget, figures in (report["overall"] if name == ALL else report["sets"].get(name, {})).items():
        found |= logged(figures, prefix=prefix, simulations=int(budget))
    return found


def final_figures(report: Report) -> dict[str, float]:
    """What is logged of whole sets, and of all of them as one, by whoever has graded them."""
    found: dict[str, float] = {}
    for name in (*report["sets"], ALL) if report["sets"] else ():
        found |= set_figures(report, name, prefix=f"truth/final/{name}/")
    return found


def ablation(
    subject: Subject, labels: LabelledSet, *, known: Mapping[int, Judgement], params: EvaluationParams
) -> dict[str, Any]:
    """The moves-left utility off, and as configured (or at the first slope of the table when it is configured off).

    `known` has what the configured search thinks, by budget: that one need not be made again.
    """
    on = subject.search
    if on.mlh_slope == 0.0:
        slope = next((slope for slope in params.mlh_slopes if slope > 0), 0.0)
        on = dataclasses.replace(on, mlh_slope=slope)
    off = dataclasses.replace(on, mlh_slope=0.0)
    budget = params.ablation_simulations
    without, with_it = (
        known[budget]
        if search == subject.search and budget in known
        else _search(subject, labels, search=search, simulations=[budget], params=params)[budget]
        for search in (off, on)
    )
    settings = {"simulations": budget, "mlh_slope": on.mlh_slope, "mlh_cap": on.mlh_cap}
    return settings | moves_left_ablation(labels, without, with_it)


def moves_left_table(
    subject: Subject, labels: LabelledSet, *, params: EvaluationParams, progress: Progress
) -> list[dict[str, Any]]:
    """The ablation at every slope and cap, against the same search without the utility."""
    budget = params.ablation_simulations

    def play(slope: float, cap: float) -> Judgement:
        search = dataclasses.replace(subject.search, mlh_slope=slope, mlh_cap=cap)
        return _search(subject, labels, search=search, simulations=[budget], params=params)[budget]

    off = play(0.0, 0.0)
    rows = []
    for slope in params.mlh_slopes:
        for cap in params.mlh_caps if slope > 0 else params.mlh_caps[:1]:
            progress(f"{subject.name}: mlh_slope={slope:g} mlh_cap={cap:g}")
            on = play(slope, cap) if slope > 0 else off
            rows.append({"mlh_slope": slope, "mlh_cap": cap} | moves_left_ablation(labels, off, on))
    return rows


def _search(
    subject: Subject,
    labels: LabelledSet,
    *,
    search: SearchParams,
    simulations: Sequence[int],
    params: EvaluationParams,
) -> dict[int, Judgement]:
    budgets = Budgets(trees=params.trees, threads=params.threads, cache_megabytes=params.cache_megabytes)
    return searched(labels.positions(), subject.judge, params=search, simulations=simulations, budgets=budgets)


def worst(labels: LabelledSet, judgements: dict[int, Judgement], *, count: int) -> list[dict[str, Any]]:
    """The gravest mistakes at the largest budget that still makes any: most value lost first, then the surest of it."""
    for budget in sorted(judgements, reverse=True):
        judgement = judgements[budget]
        wrong = np.flatnonzero(~keeps_value(labels, judgement.action))
        if not len(wrong) or judgement.policy is None or judgement.value is None:
            continue
        played = labels.scores[wrong, judgement.action[wrong]]
        drop = labels.value[wrong] - np.sign(played)
        sure = judgement.policy[wrong, judgement.action[wrong]]
        order = wrong[np.lexsort((-sure, -drop))][:count]
        return [_mistake(labels, judgement, int(row), simulations=budget) for row in order]
    return []


def _mistake(labels: LabelledSet, judgement: Judgement, row: int, *, simulations: int) -> dict[str, Any]:
    position = Position.from_actions(labels.game, labels.moves[row])
    policy = judgement.policy[row].tolist() if judgement.policy is not None else []
    return {
        "moves": position.text,
        "ply": position.ply,
        "simulations": simulations,
        "played": int(judgement.action[row]),
        "scores": labels.told(row),
        "truth": int(labels.value[row]),
        "value": float(judgement.value[row]) if judgement.value is not None else None,
        "policy": [round(share, 4) for share in policy],
        "board": position.board().tolist(),
    }


def failures(labels: LabelledSet, judgement: Judgement, *, simulations: int) -> list[dict[str, Any]]:
    """Every position still wrong, with what was played. Positions only: no scores."""
    return [
        {"moves": labels.text(int(row)), "played": int(judgement.action[row]), "simulations": simulations}
        for row in np.flatnonzero(~keeps_value(labels, judgement.action))
    ]


def join(parts: Sequence[Judgement]) -> Judgement:
    """What was thought of several sets, one after the other."""

    def column(name: str) -> Any:
        arrays = [getattr(part, name) for part in parts]
        return None if arrays[0] is None else np.concatenate(arrays)

    return Judgement(
        action=column("action"), policy=column("policy"), value=column("value"), plies_left=column("plies_left")
    )


def _baseline(subject: Subject, *, params: EvaluationParams) -> dict[str, Any]:
    curriculum = Curriculum(params=params.baseline, rollouts=params.baseline.rollouts_first)
    player = _player(subject, params=params)
    result = curriculum.match(player, game=subject.game, seed=0, threads=params.threads)
    return dataclasses.asdict(result) | {"line": result.line(simulations=params.duel_simulations)}


def _player(subject: Subject, *, params: EvaluationParams) -> NetworkPlayer:
    return NetworkPlayer(
        name=subject.name,
        game=subject.game,
        judge=subject.judge,
        params=subject.search,
        simulations=params.duel_simulations,
        threads=params.threads,
        cache_megabytes=params.cache_megabytes,
    )
