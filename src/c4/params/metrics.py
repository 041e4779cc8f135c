"""The metrics of a run: what each is called and means, and which of them a configuration logs. docs/METRICS.md is
written of this list (scripts/metrics.py); that it is what is logged, a test sees to.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence

from c4.params.errors import did_you_mean
from c4.params.evaluation import CELLS, EvaluationParams

UP, DOWN = "higher", "lower"


@dataclasses.dataclass(frozen=True)
class Metric:
    """In its name N stands for a number of simulations, SET for a set of labelled positions, NAME for a figure."""

    name: str
    meaning: str
    better: str = ""  # higher, lower; empty where neither is


METRICS = (
    Metric("loss/total", "what is minimised: the weighted sum of the three below, and of losses of your own", DOWN),
    Metric(
        "loss/policy",
        "cross-entropy of the policy with the search's, nats; `policy/target_entropy` is the least it can be",
        DOWN,
    ),
    Metric("loss/value", "cross-entropy (wdl) or squared error (scalar) of the value with its target", DOWN),
    Metric("loss/moves_left", "cross-entropy of the plies left, nats", DOWN),
    Metric("policy/entropy", "entropy of the network's policy over all actions, nats"),
    Metric("policy/target_entropy", "entropy of the search's policy in what was drawn, nats"),
    Metric("policy/kl_step", "KL(old policy, new policy) over a generation's training, on its newest samples, nats"),
    Metric(
        "value/explained_variance_before",
        "of the results of the newest samples, by the value before it was trained on them",
        UP,
    ),
    Metric(
        "value/explained_variance_after",
        "the same after the generation's training; far above the one before: overfitted",
        UP,
    ),
    Metric("moves_left/mae", "distance between expected and played plies left, plies", DOWN),
    Metric("optim/lr", "learning rate of the last step"),
    Metric("optim/kl_factor", "what the KL-adaptive rate multiplies the schedule by"),
    Metric("optim/grad_norm", "length of the gradient before it is clipped"),
    Metric("optim/weight_norm", "length of all weights"),
    Metric("optim/progress", "share of the budget by which the schedule went, at the last step"),
    Metric("train/steps_per_second", "steps of the optimizer per second of training", UP),
    Metric("selfplay/games_per_second", "finished games per second of playing", UP),
    Metric("selfplay/samples_per_second", "samples per second of playing", UP),
    Metric("selfplay/simulations_per_second", "simulations per second of playing", UP),
    Metric("selfplay/evaluations_per_second", "positions judged by the network per second of playing", UP),
    Metric("selfplay/cache_hit_share", "share of the leaves that the cache knew, of those that nothing had proven"),
    Metric("selfplay/proof_share", "share of the new leaves whose result was proven by `search.proof_nodes`"),
    Metric(
        "selfplay/target_entropy",
        "entropy of the search's policy in the new samples, nats; near 0: it no longer explores",
    ),
    Metric("selfplay/game_length", "plies of a finished game"),
    Metric("selfplay/first_win_share", "share of the games that the first player won"),
    Metric("selfplay/draw_share", "share of drawn games"),
    Metric(
        "selfplay/distinct_openings_share",
        "distinct openings (`callbacks.health.opening_plies` plies) per game; near 0: collapsed",
    ),
    Metric("actors/alive", "Ray actors that play, at the end of the generation"),
    Metric("actors/lost", "actors that died and were replaced, over the run since it was begun or resumed", DOWN),
    Metric("actors/bytes_per_sample", "bytes on the wire for each sample, its share of the games' records too", DOWN),
    Metric("actors/weight_bytes", "bytes of one version of the weights as actors are sent them"),
    Metric("actors/chunks_out", "most chunks of games that actors had at once, or that were on their way back"),
    Metric(
        "actors/idle_share",
        "share of the time since the generation before in which the learner did nothing but wait for actors",
        DOWN,
    ),
    Metric("actors/age", "generations since the weights that searched a sample, on average (`selfplay.mode=flowing`)"),
    Metric("actors/age_most", "the same of the oldest that was taken"),
    Metric("actors/ready", "samples that lay ready when the learner came for more: the queue between them"),
    Metric("actors/too_old", "samples of the generation that were left out by `selfplay.most_age`", DOWN),
    Metric("health/alarms", "alarms of this generation, said in train.log: entropy, openings, repeats", DOWN),
    Metric("window/samples", "samples in the replay window"),
    Metric("window/repeated_share", "share of them whose position, up to symmetry, is there already"),
    Metric("window/sampling_ratio", "how often a sample has been drawn on average, over the run so far"),
    Metric("total/games", "finished games of the run"),
    Metric("total/samples", "samples of the run"),
    Metric("total/steps", "steps of the optimizer"),
    Metric("budget/progress", "share of the budget that is spent, 0 to 1"),
    Metric("budget/minutes", "wall clock from the start of the process, sessions before a resume included"),
    Metric("time/play_share", "share of the time that went into playing, over the run so far"),
    Metric("time/train_share", "into training"),
    Metric("time/evaluate_share", "into grading, saving and all that lies between generations", DOWN),
    Metric(
        "truth/positions", "positions that the bare network was graded on: what the intervals of its shares are made of"
    ),
    Metric("truth/positions_N", "after N simulations"),
    Metric(
        "truth/value_preserving",
        "share of moves of the bare network that keep the value of the position; the main figure",
        UP,
    ),
    Metric("truth/value_preserving_N", "the same after N simulations of the grading search", UP),
    Metric("truth/value_preserving_decisive", "over positions only in which some move gives the value away", UP),
    Metric("truth/value_preserving_decisive_N", "the same after N simulations", UP),
    Metric(
        "truth/distance_optimal",
        "share of moves of the bare network with the best score: the fastest win, the slowest loss",
        UP,
    ),
    Metric("truth/distance_optimal_N", "the same after N simulations", UP),
    Metric(
        "truth/plies_lost",
        "plies by which moves that keep a win or a loss are slower or faster than the best, on average",
        DOWN,
    ),
    Metric("truth/plies_lost_N", "the same after N simulations", DOWN),
    Metric("truth/policy_mass", "probability that the network gives to moves that keep the value", UP),
    Metric("truth/policy_mass_N", "that the search's policy gives after N simulations", UP),
    Metric(
        "truth/policy_cross_entropy",
        "of the policy with the even distribution over those moves, nats; with n of them it cannot be less than ln n",
        DOWN,
    ),
    Metric(
        "truth/policy_cross_entropy_N",
        "of the search's policy; a move without a visit counts as one in 10^9, so a search that settles on one of "
        "several right moves has much of it",
        DOWN,
    ),
    Metric(
        "truth/policy_divergence",
        "what of that lies above the least possible; 0: even over the moves that keep the value, nothing on others",
        DOWN,
    ),
    Metric("truth/policy_divergence_N", "of the search's policy", DOWN),
    Metric(
        "truth/blind",
        "share of positions in which all moves that keep the value have less than 1 % of the policy together: "
        "a search of a usual size hardly looks at them",
        DOWN,
    ),
    Metric("truth/blind_N", "of the search's policy", DOWN),
    Metric(
        "truth/value_sign", "share of positions, drawn ones left out, whose true result has the sign of the value", UP
    ),
    Metric("truth/value_sign_N", "the same for the root's value after N simulations", UP),
    Metric("truth/value_brier", "squared error of the expected score, (value + 1) / 2, against 0, 1/2 or 1", DOWN),
    Metric("truth/value_brier_N", "of the root's value", DOWN),
    Metric("truth/value_ece", "calibration error of the value", DOWN),
    Metric("truth/value_ece_N", "of the root's value", DOWN),
    Metric("truth/moves_left_mae", "distance between expected plies left and those of perfect play, plies", DOWN),
    Metric("truth/moves_left_mae_N", "of the root's", DOWN),
    Metric(
        "truth/final/SET/NAME",
        "any of the figures above on a whole set, at the end of a run and by `evaluate.py`; SET `all`: all sets as one",
    ),
    Metric(
        "truth/selfplay/contradictions",
        "share of positions in this generation's games whose game's result is not the true one",
        DOWN,
    ),
    Metric("truth/selfplay/flawless_games", "share of games in which no move gave the value away", UP),
    Metric("truth/selfplay/throws_per_game", "moves a game that gave the value away", DOWN),
    Metric("truth/selfplay/blame_opening", "moves a game that gave the value away because they were random openings"),
    Metric("truth/selfplay/blame_noise", "because of the search's noise"),
    Metric("truth/selfplay/blame_temperature", "because of the temperature of the move choice"),
    Metric("truth/selfplay/blame_search", "because the search itself was wrong", DOWN),
    Metric("truth/selfplay/first_throw_opening", "share of games first thrown away by a random opening"),
    Metric("truth/selfplay/first_throw_noise", "by the search's noise"),
    Metric("truth/selfplay/first_throw_temperature", "by the temperature of the move choice"),
    Metric("truth/selfplay/first_throw_search", "by the search itself", DOWN),
    Metric(
        "truth/selfplay/result_wrong_sign",
        "share of the samples from won and lost positions whose result has not the sign of the true one",
        DOWN,
    ),
    Metric("truth/selfplay/result_error", "squared difference between the result and the true one, all samples", DOWN),
    Metric("truth/selfplay/root_value_wrong_sign", "the same share for the value of the search's root", DOWN),
    Metric("truth/selfplay/root_value_error", "its squared error", DOWN),
    Metric(
        "truth/selfplay/trace_wrong_sign", "the same share for the value trace; without traces as for the result", DOWN
    ),
    Metric("truth/selfplay/trace_error", "its squared error", DOWN),
    Metric("truth/selfplay/distinct_openings", "distinct openings per game among the games audited"),
    Metric("truth/selfplay/repeated_positions", "share of their positions that come up more than once"),
    Metric("baseline/strength", "levels of random rollouts beaten before, and the score against the present one", UP),
    Metric("baseline/score", "points per game against random rollouts", UP),
    Metric("baseline/score_first", "of them when moving first", UP),
    Metric("baseline/score_second", "of them when moving second", UP),
    Metric("baseline/rollouts", "rollouts a move of the opponent"),
)

FINAL, AUDIT, TRUTH, BASELINE = "truth/final/", "truth/selfplay/", "truth/", "baseline/"
ACTORS = "actors/"
FLOWING_ONLY = ("actors/age", "actors/age_most", "actors/ready", "actors/too_old")
ALL = "all"  # sets as one


@dataclasses.dataclass(frozen=True, kw_only=True)
class Logged:
    """What a configuration logs, as far as it can be told before a game's truth is asked for."""

    evaluation: EvaluationParams
    budgets: Sequence[int]  # simulations
    while_training: bool  # else by evaluate.py
    actors: bool = False  # others play
    flowing: bool = False
    own: Sequence[str] = ()  # names of a person's own, and what theirs begin with
    anything: bool = False  # something of a person's own may log what it likes

    def names(self, *, at_end: bool) -> list[str]:
        """`at_end`: those too that are known when a run is over."""
        return [name for name in self._all() if self.why_not(name, at_end=at_end) is None]

    def why_not(self, name: str, *, at_end: bool) -> str | None:
        """Why nothing is logged under a name; None where something is, or may be."""
        if any(name == own or name.startswith(f"{own}/") for own in self.own):
            return None
        if not is_metric(name):
            return None if self.anything else "no metric has this name"
        if not self.while_training and not name.startswith(FINAL):
            return "evaluate.py measures truth/final/SET/NAME"
        return self._why_not_measured(name, at_end=at_end)

    def sentence(self, key: str, name: str, *, at_end: bool = False) -> str | None:
        """For a key whose value is no metric here, with the nearest that is."""
        if (why := self.why_not(name, at_end=at_end)) is None:
            return None
        near = did_you_mean(name, self.names(at_end=at_end))
        return f"{key}={name}: {why}{near or ('' if is_metric(name) else '; docs/METRICS.md has them all')}"

    def _why_not_measured(self, name: str, *, at_end: bool) -> str | None:
        grading, settings = self.evaluation.grading, "evaluation.grading" if self.while_training else "evaluation"
        if name.startswith(BASELINE):
            return None if self.evaluation.baseline.every else "evaluation.baseline.every is 0"
        if name.startswith(ACTORS) and not self.actors:
            return "selfplay.actors is null"
        if name in FLOWING_ONLY and not self.flowing:
            return "selfplay.mode is exact"
        if not name.startswith(TRUTH):
            return None
        if name.startswith(FINAL):
            if self.while_training and not at_end:
                return "it is known only when a run is over"
            if self.while_training and not grading.at_end:
                return "evaluation.grading.at_end is false"
            if name.split("/")[2] not in {*self._sets(), ALL}:
                return f"evaluation.sets is {list(self.evaluation.sets)}"
        elif not grading.every:
            return "evaluation.grading.every is 0"
        elif name.startswith(AUDIT):
            return None if grading.games else "evaluation.grading.games is 0"
        budget, budgets = int(found[1]) if (found := re.search(r"_(\d+)$", name)) else 0, self._budgets(name)
        return None if budget in budgets else f"{settings}.simulations is {sorted(budgets)}"

    def _budgets(self, name: str) -> set[int]:
        also = self.evaluation.grading.also_at_end if self.while_training and name.startswith(FINAL) else ()
        return {*self.budgets, *also}

    def _sets(self) -> list[str]:
        return [one for name in self.evaluation.sets for one in (CELLS if name == "cells" else (name,))]

    def _all(self) -> Iterator[str]:
        figures = [metric.name.removeprefix(TRUTH) for metric in METRICS if _is_figure(metric.name)]
        for metric in METRICS:
            if metric.name == f"{FINAL}SET/NAME":
                names = [f"{FINAL}{one}/{figure}" for one in (ALL, *self._sets()) for figure in figures]
            else:
                names = [metric.name]
            for name in names:
                budgets = sorted(self._budgets(name) - {0})
                yield from (re.sub(r"_N$", f"_{n}", name) for n in budgets) if name.endswith("_N") else [name]
        yield from self.own


def _is_figure(name: str) -> bool:
    return name.startswith(TRUTH) and not name.startswith((FINAL, AUDIT))


def pattern(name: str) -> str:
    """Of the names that one of the list stands for."""
    return re.sub(r"_N$", r"_\\d+", name).replace("SET", "[a-z-]+").replace("NAME", r"[a-z_]+(_\d+)?")


_PATTERNS = {metric.name: re.compile(pattern(metric.name)) for metric in METRICS}


def comes_late(name: str) -> bool:
    """Whether a task may measure it beside training: it needs no more than weights."""
    return name.startswith((TRUTH, BASELINE)) and not name.startswith((FINAL, AUDIT))


def is_metric(name: str) -> bool:
    return any(one.fullmatch(name) for one in _PATTERNS.values())


def better(name: str) -> str:
    """higher or lower; empty where neither is, or where it is not known."""
    last = name.rpartition("/")[2]
    asked = f"{TRUTH}{last}" if name.startswith(FINAL) else name
    return next((one.better for one in METRICS if _PATTERNS[one.name].fullmatch(asked)), "")


def metrics_table() -> str:
    """For docs/METRICS.md."""
    rows = [f"| `{one.name}` | {one.meaning} | {one.better} |".replace("|  |", "| |") for one in METRICS]
    return "\n".join(["| metric | meaning | better |", "|---|---|---|", *rows])


def own_names(losses: Mapping[str, object], metrics: Mapping[str, object]) -> list[str]:
    """Under which a person's own losses and metrics are logged."""
    return [*(f"loss/{name}" for name in losses), *losses, *metrics]
