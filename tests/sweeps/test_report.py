"""What a report says of sweeps whose figures are known: finished or not, searched or in a grid, with seeds."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from omegaconf import OmegaConf
from tests.report.drawn import assert_nothing_is_cut, words_of
from tests.sweeps.kit import CPUCT, SPEED, TRUTH, finished_study, leave_job, worker

from c4.params.errors import ConfigError
from c4.report.chart import Axis
from c4.report.knobs import Dot, parallel
from c4.sweeps.__main__ import main
from c4.sweeps.charts import curves_of_settings
from c4.sweeps.gather import JobState, Sweep, gather
from c4.sweeps.kept import read_sweep
from c4.sweeps.knob_charts import search_plot
from c4.sweeps.page import sweep_page as page_of
from c4.sweeps.statistics import best_values, importance, settings, tied
from c4.sweeps.table import sweep_table


def sweep_page(sweep: Sweep) -> str:
    return page_of(sweep, facts={"date": "today"})


def leave_grid(folder: Path, *, seeds: int) -> None:
    number = 0
    for cpuct, level in ((1, 0.80), (2, 0.90), (4, 0.85)):
        for seed in range(1, seeds + 1):
            value = level + 0.01 * (seed - 2)
            words = [f"search.cpuct={cpuct}", f"seed={seed}", "experiment=tiny"]
            leave_job(folder, number, overrides=words, metrics={TRUTH: value}, curve=[0.5, value])
            number += 1


def test_a_search_is_read_with_its_best_first(tmp_path: Path) -> None:
    finished_study(tmp_path, trials=12)
    sweep = gather(tmp_path)
    assert (sweep.planned, len(sweep.jobs), sweep.count(JobState.WHOLE)) == (12, 12, 12)
    assert list(sweep.knobs) == ["search.cpuct", "search.mlh_cap", "network.value_head"]
    assert sweep.log_knobs == {"search.cpuct"}
    best = sweep.ranked()[0]
    assert best.metrics[TRUTH] == max(job.metrics[TRUTH] for job in sweep.jobs)
    assert best.curve[3][TRUTH] == best.metrics[TRUTH]
    table = sweep_table(sweep)
    assert table.startswith("made_up: 12 of 12 jobs, 12 finished")
    assert f"search.cpuct={best.values['search.cpuct']:.4g}" in table


def test_the_knob_that_decides_is_found(tmp_path: Path) -> None:
    finished_study(tmp_path, trials=40, sampler="random")
    shares = importance(gather(tmp_path), TRUTH)
    assert next(iter(shares)) == "search.cpuct"
    assert shares["search.cpuct"] > 0.6
    assert sum(shares.values()) == pytest.approx(1.0)


def test_importance_asks_what_made_jobs_good_and_not_what_made_them_bad(tmp_path: Path) -> None:
    """High cpuct makes jobs bad; among the others, high caps make them good."""
    for number in range(64):
        cap, cpuct = number % 8 / 8, 1 + number // 8
        value = 0.1 if cpuct > 6 else 0.9 if cap > 0.7 else 0.5
        words = [f"search.mlh_cap={cap}", f"search.cpuct={cpuct}"]
        leave_job(tmp_path, number, overrides=words, metrics={TRUTH: value + 1e-4 * number, "loss/total": value})
    assert next(iter(importance(gather(tmp_path), TRUTH))) == "search.mlh_cap"
    assert next(iter(importance(gather(tmp_path, metric="loss/total"), "loss/total"))) == "search.cpuct"


def test_a_search_that_is_not_over_says_how_far_it_is(tmp_path: Path) -> None:
    with worker(tmp_path, trials=9) as one:
        for ending in ("finish", "prune", "fail", "run"):
            claim = one.claim()
            assert claim is not None
            leave_job(tmp_path, claim.number, curve=[0.5, 0.6], metrics={TRUTH: 0.7}, ending=None)
            if ending == "finish":
                one.finish(claim.number, [0.7])
                leave_job(tmp_path, claim.number, curve=[0.5, 0.7], metrics={TRUTH: 0.7})
            elif ending == "prune":
                one.prune(claim.number)
            elif ending == "fail":
                one.fail(claim.number, reason="<no> disk")
        sweep = gather(tmp_path)
        assert [job.state for job in sweep.jobs] == [
            JobState.WHOLE,
            JobState.PRUNED,
            JobState.FAILED,
            JobState.UNFINISHED,
        ]
        assert sweep_table(sweep).startswith("made_up: 4 of 9 jobs")
        page = sweep_page(sweep)
    assert "&lt;no&gt; disk" in page
    assert "<no>" not in page


def test_a_page_needs_nothing_from_elsewhere_and_names_what_it_shows(tmp_path: Path) -> None:
    finished_study(tmp_path, trials=12)
    page = sweep_page(gather(tmp_path))
    assert not re.search(r"(src|href)\s*=.[^#]|@import|url\((?!#)|<script", page)
    assert "<dt>date</dt><dd>today</dd>" in page
    for title in ("The best", "Every job at once", "Which knobs mattered", "Knob by knob", "How they learned"):
        assert f"<h3>{title}</h3>" in page
    (every,) = re.findall(r"<h3>Every job at once</h3>.*?</section>", page, flags=re.DOTALL)
    assert len(set(re.findall(r"<title>(trial \d+), finished", every))) == every.count("<title>") == 12
    assert not re.search(r"\bnan\b", page, flags=re.IGNORECASE)


def test_a_grid_is_read_by_what_its_jobs_were_given(tmp_path: Path) -> None:
    leave_grid(tmp_path, seeds=1)
    leave_job(tmp_path, 3, overrides=["search.cpuct=8", "seed=1", "experiment=tiny"], ending="failed", reason="no luck")
    sweep = gather(tmp_path)
    assert list(sweep.knobs) == ["search.cpuct"]
    assert sweep.objectives == {TRUTH: "max"}
    assert sweep.ranked()[0].values == {"search.cpuct": 2}
    assert "job 3 failed: no luck" in sweep_table(sweep)
    assert "over the seeds" not in sweep_page(sweep)


def test_seeds_of_one_setting_are_one_figure_with_its_spread(tmp_path: Path) -> None:
    leave_grid(tmp_path, seeds=3)
    sweep = gather(tmp_path)
    best, *others = settings(sweep)
    assert best.values == {"search.cpuct": 2}
    assert best.mean[TRUTH] == pytest.approx(0.90)
    assert best.spread[TRUTH] == pytest.approx(0.01)
    assert [len(one.jobs) for one in (best, *others)] == [3, 3, 3]
    assert "10.00 ± 1.00 %" in sweep_table(sweep)
    page = sweep_page(sweep)
    assert "<b>10.00 %</b><span>errors, 32 simulations</span>" in page
    assert "mean of 3 seeds, 95 % interval 7.516 – 12.48, standard deviation 1.00 %" in page  # t is 4.303
    assert "Tied within" not in page  # the next is 5 points away, and both margins together are 3.5
    best_card, _ = page.split("<h3>Errors, 32 simulations over the seeds")
    assert best_card.count("95 % interval") == 4  # of the best above, and of each setting in the table


def test_seeds_that_were_graded_at_different_generations_have_one_curve(tmp_path: Path) -> None:
    for seed, generations in ((1, (1, 3, 5)), (2, (1, 2, 5))):
        job = leave_job(tmp_path, seed, overrides=[f"seed={seed}"], metrics={TRUTH: 0.9})
        rows = "".join(f"{generation},{generation / 10}\n" for generation in generations)
        (job / "metrics.csv").write_text(f"generation,{TRUTH}\n{rows}")
    sweep = gather(tmp_path)
    (curve,) = curves_of_settings(sweep, settings(sweep), TRUTH)
    assert [(point.x, point.y) for point in curve.points] == [(x, pytest.approx(100 - 10 * x)) for x in (1, 2, 3, 5)]
    assert "over the search" not in sweep_page(sweep)


def test_runs_on_their_way_are_told_by_what_was_measured_last(tmp_path: Path) -> None:
    job = leave_job(tmp_path, 0, overrides=["seed=1"], ending=None)
    (job / "metrics.csv").write_text(f"generation,loss/total,{TRUTH}\n1,2.0,0.7\n2,1.5,0.8\n3,1.0,\n")
    sweep = gather(tmp_path)
    assert sweep.objectives == {TRUTH: "max"}
    assert (sweep.jobs[0].metrics[TRUTH], sweep.jobs[0].metrics["loss/total"]) == (0.8, 1.0)
    assert re.search(r">job 0</text>", sweep_page(sweep))


def test_a_grid_that_is_not_over_says_of_how_many(tmp_path: Path) -> None:
    leave_grid(tmp_path, seeds=1)
    assert sweep_table(gather(tmp_path)).startswith(f"{tmp_path.name}: 3 jobs")
    basic = {"_target_": "hydra._internal.core_plugins.basic_sweeper.BasicSweeper", "params": None}
    typed = ["experiment=tiny", "search.cpuct=1,2,4,8", "seed=range(1,3)"]
    multirun = {"hydra": {"sweeper": basic, "overrides": {"task": typed}}}
    OmegaConf.save(OmegaConf.create(multirun), tmp_path / "multirun.yaml")
    assert sweep_table(gather(tmp_path)).startswith(f"{tmp_path.name}: 3 of 8 jobs")


MULTIRUN = "hydra: {overrides: {task: ['%s']}, sweeper: {_target_: a.BasicSweeper}}"
ALIASES = "\n".join(f"a{i}: !!seq &a{i} {[f'*a{i - 1}' for _ in range(9)] if i else [1]}" for i in range(30))


@pytest.mark.parametrize(
    ("text", "planned"),
    [
        (MULTIRUN % "seed=1,2,3", 3),
        (MULTIRUN % "seed=range(0,1000000000000)", 10**12),
        (MULTIRUN % "seed=range(0,1,0.25)", 4),
        (MULTIRUN % "seed=range(0,1,0)", None),
        (MULTIRUN % "seed=[", None),
        (MULTIRUN % "${oc.env:PATH}", None),
        ("{[broken", None),
        ("hydra: 3", None),
        (ALIASES.replace("'", ""), None),
    ],
    ids=["a grid", "a huge one", "fractions", "no step", "no word", "looked up", "no YAML", "another", "aliases"],
)
def test_how_many_there_are_to_be_is_not_worth_an_error(tmp_path: Path, text: str, planned: int | None) -> None:
    """Nor any memory: the folder of a sweep may come from anybody."""
    leave_grid(tmp_path, seeds=3)
    (tmp_path / "multirun.yaml").write_text(text)
    assert gather(tmp_path).planned == planned


@pytest.mark.parametrize("line", ['{"op_code": 0', '{"op_code": 99}', "[]", "null", "\xff", "{}", "[" * 100_000])
def test_a_journal_that_cannot_be_read_is_one_sentence(tmp_path: Path, line: str) -> None:
    leave_grid(tmp_path, seeds=3)
    (tmp_path / "study.journal").write_text(line + "\n", encoding="latin-1")
    with pytest.raises(ConfigError, match="the journal of its search cannot be read"):
        gather(tmp_path)


def test_a_picture_for_a_document_shows_where_the_best_is_and_what_mattered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    finished_study(
        tmp_path,
        trials=30,
        as_configured=True,
        configured={"search.cpuct": 4.0, "search.mlh_cap": 0.5, "network.value_head": None},
    )
    file = tmp_path / "picture.svg"
    assert main(["report", str(tmp_path), f"plot={file}"]) == 0
    assert f"the picture: {file}" in capsys.readouterr().out
    drawing = ET.fromstring(file.read_text())
    svg = "{http://www.w3.org/2000/svg}"
    words = ["".join(each.itertext()) for each in drawing.iter(f"{svg}text")]
    assert {"Errors, 32 simulations: the darker the better", "What mattered (PED-ANOVA)"} <= set(words)
    assert f"best: {100 * (1 - gather(tmp_path).ranked()[0].metrics[TRUTH]):.2f} %" in words
    assert "as configured: 50.00 %" in words
    assert {"cpuct", "mlh_cap", "share of what was explained (%)"} <= set(words)
    assert len(list(drawing.iter(f"{svg}title"))) == 30  # a note a job
    assert "prefers-color-scheme: dark" in file.read_text()


def test_a_picture_can_be_drawn_anew_from_what_is_kept_beside_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    finished_study(tmp_path, trials=30)
    first, again = tmp_path / "first.svg", tmp_path / "again.svg"
    assert main(["report", str(tmp_path), f"plot={first}"]) == 0
    sweep = read_sweep(tmp_path / "first.json")
    assert sweep == dataclasses.replace(
        gather(tmp_path), jobs=[dataclasses.replace(job, curve={}) for job in gather(tmp_path).jobs]
    )
    assert main(["report", str(tmp_path / "first.json"), f"plot={again}"]) == 0
    assert first.read_text() == again.read_text()
    (tmp_path / "first.json").write_text('{"jobs": 3}')
    assert main(["report", str(tmp_path / "first.json")]) == 2
    assert "not a file that `report ... plot=` writes" in capsys.readouterr().err


def test_nothing_on_a_map_or_through_the_knobs_is_cut(tmp_path: Path) -> None:
    finished_study(tmp_path, trials=30)
    assert_nothing_is_cut(search_plot(gather(tmp_path)))
    axes = [Axis(label="cpuct", log=True), Axis(label="head", ticks={0: "a", 1: "b"}), Axis(label="error (%)")]
    dots = [Dot(places=(1.0, 0.0, 3.0), strength=1.0, is_best=True), Dot(places=(20.0, 1.0, None), strength=None)]
    drawn = parallel(axes, dots, about="")
    assert_nothing_is_cut(drawn)
    assert {"cpuct", "a", "b", "2", "10"} <= set(words_of(drawn))
    assert [len(line.get_xdata()) for line in drawn.figure.axes[0].lines[:2]] == [2, 3]  # the best above all others


def test_there_is_no_picture_of_too_little(tmp_path: Path) -> None:
    finished_study(tmp_path, trials=5)
    with pytest.raises(ConfigError, match="at least 10"):
        search_plot(gather(tmp_path))


def test_one_lucky_seed_does_not_make_a_setting_the_best(tmp_path: Path) -> None:
    for number, (cpuct, value) in enumerate([(1, 0.99), (1, 0.50), (2, 0.90), (2, 0.90)]):
        leave_job(tmp_path, number, overrides=[f"search.cpuct={cpuct}", f"seed={number}"], metrics={TRUTH: value})
    assert best_values(gather(tmp_path)) == {"search.cpuct": 2}


def test_ties_are_called_ties_and_the_best_has_its_interval(tmp_path: Path) -> None:
    for number, value in enumerate([0.90, 0.95, 0.95, 0.94]):
        metrics = {TRUTH: value, TRUTH.replace("value_preserving", "positions"): 1000.0}
        leave_job(tmp_path, number, overrides=[f"search.cpuct={number}"], metrics=metrics)
    sweep = gather(tmp_path, metric=TRUTH)
    assert [job.number for job in tied(sweep, sweep.ranked()[0])] == [2]
    page = sweep_page(sweep)
    assert "job 1, 95 % interval 3.81 – 6.53" in page
    assert "Tied with job 2. 2 of the other 3 finished jobs lie within its interval." in page
    assert "job 1 (tied)" in sweep_table(sweep)
    assert "job 3 (tied)" not in sweep_table(sweep)
    assert "tied for the best are 2, the first of them as overrides: search.cpuct=1" in sweep_table(sweep)


def test_knobs_of_the_search_are_judged_by_what_a_search_finds(tmp_path: Path) -> None:
    """A bare network plays the same whatever the search: all of these would be tied."""
    figures = {"truth/final/all/value_preserving": 0.941, "truth/final/dev/value_preserving_32": 0.5}
    for number, value in enumerate([0.95, 0.97]):
        metrics = figures | {"truth/final/all/value_preserving_32": value}
        leave_job(tmp_path / "play", number, overrides=[f"search.cpuct={number}"], metrics=metrics)
        leave_job(tmp_path / "learn", number, overrides=[f"network.depth={number}"], metrics=metrics)
    assert gather(tmp_path / "play").objectives == {"truth/final/all/value_preserving_32": "max"}
    assert gather(tmp_path / "learn").objectives == {"truth/final/all/value_preserving": "max"}


def test_what_is_known_of_one_run_only_has_no_interval(tmp_path: Path) -> None:
    leave_grid(tmp_path, seeds=1)
    assert "job 1, one run: no interval is known" in sweep_page(gather(tmp_path))


def test_the_front_holds_what_nothing_beats_in_all(tmp_path: Path) -> None:
    reached = [(0.9, 1.0), (0.8, 3.0), (0.7, 2.0), (0.95, 0.5), (0.9, 0.9)]
    with worker(tmp_path, trials=len(reached), objectives={TRUTH: "max", SPEED: "max"}) as one:
        for truth, speed in reached:
            claim = one.claim()
            assert claim is not None
            leave_job(tmp_path, claim.number, metrics={TRUTH: truth, SPEED: speed})
            one.finish(claim.number, [truth, speed])
    sweep = gather(tmp_path)
    assert {job.number for job in sweep.front()} == {0, 1, 3}
    assert [job.number for job in sweep.ranked()] == [3, 0, 1, 4, 2]
    assert "One against the other" in sweep_page(sweep)
    assert {job.number for job in gather(tmp_path, metric=TRUTH).front()} == {3}


def test_one_job_alone_can_be_shown(tmp_path: Path) -> None:
    leave_job(tmp_path, 0, overrides=["seed=1"], metrics={TRUTH: 0.9})
    assert "as configured" not in sweep_table(gather(tmp_path))
    assert sweep_page(gather(tmp_path)).endswith("</html>\n")


def test_bad_input_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ConfigError, match="holds no runs"):
        gather(tmp_path)
    leave_grid(tmp_path, seeds=1)
    with pytest.raises(ConfigError, match="did you mean truth/value_preserving_32"):
        gather(tmp_path, metric="truth/value_preserving_33")
    assert main(["report", str(tmp_path / "nowhere")]) == 2
    assert main(["wandb", "hparams_search=nothing"]) == 2
    assert main(["report", str(tmp_path), "file=/nowhere/page.html"]) == 1
    said = capsys.readouterr().err
    assert said.count("error: ") == said.count("\n") == 3
    assert main([]) == 0


def test_the_command_writes_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    leave_grid(tmp_path, seeds=2)
    assert main(["report", str(tmp_path), f"metric={TRUTH}"]) == 0
    assert f"the page: {tmp_path / 'report.html'}" in capsys.readouterr().out
    assert (tmp_path / "report.html").read_text().startswith("<!doctype html>")


def test_a_knob_of_a_log_scale_is_drawn_so(tmp_path: Path) -> None:
    from c4.sweeps.axes import KnobAxis

    finished_study(tmp_path, trials=5, space=[CPUCT])
    assert KnobAxis(gather(tmp_path), "search.cpuct").axis.log
