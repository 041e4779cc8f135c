"""What is typed in vain is said, in each program and on the configurations that ship, and what counts is not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from c4.command_line import check
from c4.params.evaluate import EvaluateConfig
from c4.params.export import ExportConfig
from c4.params.pbrain import PbrainConfig
from c4.params.play import PlayConfig
from c4.params.train import TrainConfig
from c4.sources import opened

CONF = Path(__file__).parents[2] / "conf"
SCHEMAS: dict[str, type[Any]] = {
    "train": TrainConfig,
    "play": PlayConfig,
    "evaluate": EvaluateConfig,
    "export": ExportConfig,
    "pbrain": PbrainConfig,
}


def said(program: str, *words: str, many: bool = False) -> list[str]:
    with opened(conf=CONF, name=program) as sources:
        return check(words, sources=sources, schema=SCHEMAS[program], multirun=many).in_vain


@pytest.mark.parametrize(
    ("word", "beside", "counts"),  # in vain beside some words, and not beside others
    [
        ("search.noise_epsilon=0.3", [], ["search=default"]),  # the default searches by gumbel
        ("search.dirichlet_alpha=0.3", [], ["search=default"]),
        ("search.forced_visits=2", [], ["search=default"]),
        ("search.early_stop=true", [], ["search=default"]),
        ("search.gumbel_cvisit=40", ["search=default"], []),
        ("search.virtual_loss=2", [], ["search.leaves_per_batch=4"]),
        ("network.context_channels=8", [], ["network.context=global_pooling"]),
        ("network.context_every=2", [], ["network.context=global_pooling"]),
        ("selfplay.fast_simulations=8", [], ["selfplay.full_search_probability=0.5"]),
        ("selfplay.record_fast=0.5", [], ["selfplay.full_search_probability=0.5"]),
        ("selfplay.book_probability=0.2", [], ["evaluation.openings=book.json"]),
        ("evaluation.openings=book.json", [], ["selfplay.book_probability=0.2"]),
        ("selfplay.actor_games=96", [], ["selfplay=ray"]),
        ("selfplay.chunk_games=96", [], ["selfplay.mode=exact"]),
        ("selfplay.patience=5", [], ["selfplay=ray"]),
        ("selfplay.most_age=2", [], ["selfplay=ray"]),
        ("model.stages=[0.3]", [], ["model.schedule=staged"]),
        ("model.stage_factor=0.5", [], ["model.schedule=staged"]),
        ("model.kl_step=2", [], ["model.kl_target=0.02"]),
        ("data.repeat_weight=0.2", [], ["data.repeats=averaged"]),
        ("inference.auto_seconds=9", ["inference=torch"], ["inference=fastest"]),
        ("budget.final_seconds=5", ["budget=games"], ["budget=minutes"]),
        ("evaluation.sets=[dev]", ["evaluation.grading.at_end=false"], []),
        ("evaluation.grading.also_at_end=[64]", ["evaluation.grading.at_end=false"], []),
        ("evaluation.grading.time_share=0.2", ["evaluation.grading.every=0", "callbacks.checkpoint.monitor=null"], []),
        ("evaluation.grading.tree=50", [], ["logger=tensorboard"]),
        ("evaluation.baseline.games=4", [], ["evaluation.baseline.every=1"]),
        ("logger.every_steps=5", [], ["logger=tensorboard"]),
        ("logger.wandb.project=mine", [], ["logger=wandb"]),
        ("logger.wandb.tags=[mine]", [], ["logger=many"]),
        ("callbacks.checkpoint.direction=min", ["callbacks.checkpoint.monitor=null"], []),
        ("callbacks.progress.refresh_seconds=1", ["callbacks.progress.live=false"], []),
    ],
)
def test_a_run_tells_what_is_typed_in_vain(word: str, beside: list[str], counts: list[str]) -> None:
    key = word.partition("=")[0]
    (sentence,) = said("train", word, *beside)
    assert sentence.startswith(f"{key} has no effect ")
    assert said("train", word, *counts) == []


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (
            ["search.noise_epsilon=0.3"],
            "while search.root_selection is gumbel; search.gumbel_scale is what counts there",
        ),
        (["search=default", "search.noise_epsilon=0", "search.dirichlet_alpha=1"], "while search.noise_epsilon is 0.0"),
        (
            ["search.temperature_plies=0", "search.temperature_start=0.5"],
            "while search.temperature_plies is 0; search.temperature_end is what counts there",
        ),
        (["evaluation.simulations=[0,100]"], "here: it is for the report of evaluate.py"),
        (["grading_search.noise_epsilon=0.1"], "here: players are graded, and meet, without noise"),
        (["grading_search.num_simulations=9"], "here: evaluation.grading.simulations says how much is searched"),
    ],
)
def test_it_is_said_what_stands_in_the_way_and_what_counts(words: list[str], why: str) -> None:
    assert said("train", *words) == [f"{words[-1].partition('=')[0]} has no effect {why}"]


@pytest.mark.parametrize(
    ("words", "keys"),
    [
        (["network.context_channels=8", "search.cpuct=3"], ["network.context_channels"]),
        (["search.noise_epsilon=0.3", "search.root_selection=puct,gumbel"], []),  # one of the jobs uses it
        (["search.noise_epsilon=0.1,0.3"], ["search.noise_epsilon"]),
        (["hparams_search=learning", "hydra.sweeper.pruner_startup_trials=9"], ["hydra.sweeper.pruner_startup_trials"]),
        (["hparams_search=search_knobs", "hydra.sweeper.pruner_startup_trials=9"], []),
        (["hparams_search=network", "hydra.sweeper.pruner=median"], ["hydra.sweeper.pruner"]),  # two objectives
        (
            ["hparams_search=learning", "hydra.sweeper.sampler=random", "hydra.sweeper.startup_trials=9"],
            ["hydra.sweeper.startup_trials"],
        ),
    ],
)
def test_of_many_jobs_one_is_enough_that_uses_it(words: list[str], keys: list[str]) -> None:
    told = [sentence for sentence in said("train", *words, many=True) if "left out" not in sentence]
    assert [sentence.partition(" ")[0] for sentence in told] == keys


@pytest.mark.parametrize(
    ("program", "words", "keys"),
    [
        ("evaluate", ["search.noise_epsilon=0.3", "search.temperature_start=1", "search.cpuct=2"],
         ["search.noise_epsilon", "search.temperature_start"]),
        ("evaluate", ["search.num_simulations=9", "arena.pairs=3", "position=44", "simulations=9"],
         ["search.num_simulations", "arena.pairs", "position", "simulations"]),
        ("evaluate", ["mode=arena", "arena.pairs=3", "arena=ray", "evaluation.simulations=[0,9]", "file=x.html"],
         ["evaluation.simulations", "file"]),
        ("evaluate", ["mode=audit", "search.cpuct=3", "evaluation.audit_games=5", "arena.seed=3", "arena.pairs=9"],
         ["search.cpuct", "arena.pairs"]),
        ("evaluate", ["mode=tree", "position=44", "simulations=9", "file=x.svg", "positions=x.jsonl"], ["positions"]),
        ("evaluate", ["mode=mlh", "search.mlh_slope=0.1", "evaluation.mlh_slopes=[0,1]"], ["search.mlh_slope"]),
        ("evaluate", ["evaluation.grading.games=3", "evaluation.baseline.games=4", "evaluation.baseline.every=1"],
         ["evaluation.grading.games", "evaluation.baseline.every"]),
        ("evaluate", ["positions=x.jsonl", "evaluation.sets=[dev]"], ["evaluation.sets"]),
        ("evaluate", ["mode=arena", "arena.error=0", "arena.elo_low=3"], ["arena.elo_low"]),
        ("evaluate", ["output=html", "file=x.html", "arena.error=0"], ["arena.error"]),
        ("play", ["search.noise_epsilon=0.3", "search.dirichlet_alpha=0.5", "search.temperature_end=1"], []),
        ("play", ["search.dirichlet_alpha=0.5"], ["search.dirichlet_alpha"]),  # there is no noise as it ships
        ("play", ["search.forced_visits=2", "search.policy_target_temperature=0.5", "search.num_simulations=9"],
         ["search.forced_visits", "search.policy_target_temperature", "search.num_simulations"]),
        ("play", ["web.port=9000", "terminal.theme=dark"], ["web.port"]),
        ("play", ["ui=web", "web.port=9000", "terminal.theme=dark", "cache_megabytes=9"],
         ["terminal.theme", "cache_megabytes"]),
        ("play", ["seconds=2", "simulations=99"], ["simulations"]),
        ("play", ["search=run", "search.cpuct=3", "search.leaves_per_batch=2"], ["search.cpuct"]),
        ("pbrain", ["search.early_stop=true", "search.num_simulations=9"],
         ["search.early_stop", "search.num_simulations"]),
        ("export", ["search.proven_results=false", "search.cpuct=2", "seconds=1"], ["search.proven_results"]),
        ("export", ["format=onnx", "search.cpuct=2", "seconds=1", "search=classic"],
         ["search.cpuct", "seconds", "search"]),
    ],
)  # fmt: skip
def test_other_programs_tell_it_too(program: str, words: list[str], keys: list[str]) -> None:
    assert sorted(sentence.partition(" ")[0] for sentence in said(program, *words)) == sorted(keys)


@pytest.mark.parametrize("program", ["play", "evaluate", "train", "pbrain"])
def test_the_search_of_the_documents_is_chosen_without_a_warning(program: str) -> None:
    assert said(program, "search=classic") == []
