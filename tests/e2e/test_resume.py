"""A run that is killed or stopped, and resumed, ends with the weights of one that never was: bit for bit."""

from __future__ import annotations

import json
import random
import shutil
import signal
import time
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from tests.e2e.ready import PATIENCE, python
from tests.e2e.training_kit import UNGRADED, command, only_run, paused, train

from c4.run.folder import RunFolder
from c4.run.metrics import read_metrics

pytestmark = pytest.mark.slow

GENERATIONS = 6
RUN = (*UNGRADED, f"budget.generations={GENERATIONS}", "model.ema_decay=0.9", "data.repeats=averaged")
KILLED_AT_A_WRITE = str(Path(__file__).parents[2] / "benchmarks/killed_at_a_write.py")
OF_THE_CLOCK = ("per_second", "time/", "budget/minutes")


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    runs = tmp_path_factory.mktemp("undisturbed")
    train(*RUN, runs=runs)
    return only_run(runs)


def assert_same(run: Path, other: Path) -> None:
    for name in ("checkpoints/last.safetensors", *(f"samples/generation_{n:06d}.safetensors" for n in (4, 5))):
        expected, found = load_file(other / name), load_file(run / name)
        assert expected.keys() == found.keys()
        assert all(torch.equal(expected[key], found[key]) for key in expected), name
    assert counted(run) == counted(other)


def counted(run: Path) -> dict[int, dict[str, float]]:
    """The metrics that do not depend on the speed of the machine."""
    return {
        step: {name: value for name, value in row.items() if not any(word in name for word in OF_THE_CLOCK)}
        for step, row in read_metrics(RunFolder(path=run)).items()
    }


def test_the_same_run_twice_is_the_same_run(undisturbed: Path, tmp_path: Path) -> None:
    train(*RUN, runs=tmp_path)
    run = only_run(tmp_path)
    assert_same(run, undisturbed)
    kept = [*(run / "checkpoints").iterdir(), *(run / "samples").iterdir()]
    differ = {path.name for path in kept if path.read_bytes() != (undisturbed / path.relative_to(run)).read_bytes()}
    assert differ == {f"state_{generation:06d}.json" for generation in (GENERATIONS - 1, GENERATIONS)}
    assert f" {RUN[-1]} " in (run / "train.log").read_text()


def test_a_run_that_is_killed_again_and_again_ends_like_one_that_never_was(undisturbed: Path, tmp_path: Path) -> None:
    words, chance, generations = RUN, random.Random(20), read_metrics(RunFolder(path=undisturbed))
    for after in (1, 3):
        generation = max(after, newest_state(tmp_path) + 1)  # a busy machine may have been quick in the meantime
        if generation > GENERATIONS:
            break
        process = paused(words, runs=tmp_path, after=f"state_{generation:06d}.ckpt")
        process.send_signal(signal.SIGCONT)
        made_in = 60 * (generations[5]["budget/minutes"] - generations[4]["budget/minutes"])
        time.sleep(chance.random() * made_in)  # into playing or training
        process.kill()
        process.communicate()
        words = ("resume=auto",)
    if process.returncode != 0:  # else it was quicker than the one it is measured by
        assert "play against it" in train("resume=auto", runs=tmp_path)
    assert_same(only_run(tmp_path), undisturbed)


def newest_state(runs: Path) -> int:
    return max((int(path.stem.removeprefix("state_")) for path in runs.rglob("state_*.ckpt")), default=0)


def test_a_run_that_is_killed_in_the_middle_of_its_writes_ends_alike(undisturbed: Path, tmp_path: Path) -> None:
    words: tuple[str, ...] = RUN
    wanted = {
        2: "config.yaml", 3: "facts.json", 5: "games.jsonl", 8: "state_000001.json", 10: "metrics.csv",
        18: "state_000003.ckpt",
    }  # fmt: skip
    for writes, name in wanted.items():
        done = python([KILLED_AT_A_WRITE, str(writes), *command(words, runs=tmp_path)[1:]], folder=tmp_path)
        assert done.returncode == -signal.SIGKILL, done.stderr
        words = ("resume=auto",)
        assert [path.name.rpartition(".")[0] for path in tmp_path.rglob(".*.*")] == [f".{name}"]
    run = only_run(tmp_path)
    train(*words, runs=tmp_path)
    assert_same(run, undisturbed)
    assert not [path for path in run.rglob(".*") if path.name != ".hydra"]


def test_the_number_format_that_auto_chose_is_gone_on_with(tmp_path: Path) -> None:
    words = (*UNGRADED, "budget.generations=3", "trainer.precision=auto")
    said = train(*words, runs=tmp_path / "whole")
    whole = only_run(tmp_path / "whole")
    assert "training in " in said
    shutil.copytree(whole, tmp_path / "part")
    said = train(f"resume={tmp_path / 'part' / 'checkpoints' / 'state_000002.ckpt'}", runs=tmp_path)
    assert "training in " not in said  # it was chosen already
    expected, found = (load_file(run / "checkpoints/last.safetensors") for run in (whole, tmp_path / "part"))
    assert all(torch.equal(expected[key], found[key]) for key in expected)


def test_a_broken_newest_state_is_passed_over_with_a_sentence(undisturbed: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(undisturbed, run)
    newest = run / "checkpoints" / f"state_{GENERATIONS:06d}.ckpt"
    newest.write_bytes(newest.read_bytes()[:-1000])
    said = train(f"resume={run}", runs=tmp_path)
    assert f"{newest.name} is incomplete: resuming from state_{GENERATIONS - 1:06d}.ckpt instead" in said
    assert_same(run, undisturbed)


def test_a_run_that_is_killed_between_saving_and_logging_loses_no_metrics(undisturbed: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(undisturbed, run)
    (run / "checkpoints" / f"state_{GENERATIONS:06d}.ckpt").unlink()
    table = (run / "metrics.csv").read_text().splitlines(keepends=True)
    (run / "metrics.csv").write_text("".join(table[: GENERATIONS - 1]))  # the names and 4 of 5 rows
    train(f"resume={run}", runs=tmp_path)
    assert_same(run, undisturbed)


def test_an_older_state_can_be_named(undisturbed: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(undisturbed, run)
    said = train(f"resume={run}/checkpoints/state_{GENERATIONS - 1:06d}.ckpt", runs=tmp_path)
    assert_same(run, undisturbed)
    aside = f"discarded_after_{GENERATIONS - 1}"
    assert f"what was made after generation {GENERATIONS - 1} is kept in {run / aside}" in " ".join(said.split())
    kept = torch.load(run / aside / f"state_{GENERATIONS:06d}.ckpt", weights_only=True)["state_dict"]
    remade = torch.load(run / "checkpoints" / f"state_{GENERATIONS:06d}.ckpt", weights_only=True)["state_dict"]
    assert all(torch.equal(tensor, remade[name]) for name, tensor in kept.items())


def test_a_resume_that_fails_changes_nothing(undisturbed: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(undisturbed, run)
    state = run / "checkpoints" / f"state_{GENERATIONS:06d}.ckpt"
    whole = torch.load(state, weights_only=True)
    del whole["state_dict"][next(iter(whole["state_dict"]))]
    torch.save(whole, state)
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file() and path.name != "train.log"}
    said = train(f"resume={run}", f"budget.generations={GENERATIONS + 1}", runs=tmp_path, code=1)
    assert "Traceback" not in said
    assert "cannot be resumed from: Error(s) in loading state_dict" in said
    assert before == {path: path.read_bytes() for path in run.rglob("*") if path.is_file() and path.name != "train.log"}
    assert "Traceback" in (run / "train.log").read_text()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
def test_a_signal_saves_and_says_how_to_go_on(number: signal.Signals, undisturbed: Path, tmp_path: Path) -> None:
    process = paused(RUN, runs=tmp_path, after="state_000001.ckpt")
    process.send_signal(number)
    process.send_signal(signal.SIGCONT)
    said = process.communicate(timeout=PATIENCE)[0]
    assert process.returncode == 128 + number, said
    run = only_run(tmp_path)
    assert "Traceback" not in said
    assert f"stopped by {number.name}: saved up to generation" in said
    assert f"stopped by {number.name}: saved up to generation" in (run / "train.log").read_text()
    outcome = json.loads((run / "outcome.json").read_text())
    assert (outcome["ending"], outcome["reason"]) == ("stopped", number.name)
    go_on = said.strip().rpartition("python train.py ")[2]
    assert go_on == f"resume={run}"
    train(go_on, runs=tmp_path)
    assert_same(run, undisturbed)


def test_a_finished_run_goes_on_only_with_a_larger_budget(undisturbed: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(undisturbed, run)
    ended = (run / "outcome.json").read_bytes()
    said = train(f"resume={run}", runs=tmp_path, code=1)
    assert f"error: the budget is spent: {GENERATIONS} generations" in said
    assert (run / "outcome.json").read_bytes() == ended
    said = train(f"resume={run}", f"budget.generations={GENERATIONS + 1}", runs=tmp_path)
    assert f"{GENERATIONS + 1} generations" in said
    assert list(read_metrics(RunFolder(path=run))) == list(range(1, GENERATIONS + 2))


def test_a_run_that_is_killed_at_its_very_end_comes_to_it(undisturbed: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(undisturbed, run)
    (run / "outcome.json").unlink()
    said = train(f"resume={run}", "evaluation.grading.at_end=true", runs=tmp_path)
    assert f"{GENERATIONS} generations" in said
    assert "truth/final/dev/value_preserving" in read_metrics(RunFolder(path=run))[GENERATIONS]
    assert json.loads((run / "outcome.json").read_text())["ending"] == "finished"
    expected, found = (load_file(one / "checkpoints/last.safetensors") for one in (undisturbed, run))
    assert all(torch.equal(expected[key], found[key]) for key in expected)


def test_a_run_is_not_gone_on_with_as_another_game_or_network(undisturbed: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(undisturbed, run)
    before = {path: path.read_bytes() for path in [run / "outcome.json", *(run / "checkpoints").iterdir()]}
    said = train(f"resume={run}", "game=connect4_5x4", runs=tmp_path, code=1)
    assert "plays connect4_4x4, not connect4_5x4" in said
    said = train(f"resume={run}", "network.width=8", runs=tmp_path, code=1)
    assert "has another network: network.width is 24 in it, 8 here" in said
    assert before == {path: path.read_bytes() for path in before}


def test_code_in_a_state_is_refused(undisturbed: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(undisturbed, run)
    trap = tmp_path / "was_run"

    class Trap:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return Path.touch, (trap,)  # type: ignore[return-value]

    for state in (run / "checkpoints").glob("state_*.ckpt"):
        torch.save({"c4": Trap()}, state)
    said = train(f"resume={run}", runs=tmp_path, code=1)
    assert "is refused: it is broken, or holds more than data" in said
    assert not trap.exists()


def test_two_processes_never_write_into_one_run(undisturbed: Path, tmp_path: Path) -> None:
    process = paused(RUN, runs=tmp_path, after="state_000001.ckpt")
    try:
        said = train("resume=auto", runs=tmp_path, code=1)
        assert "error: another process is training in" in said
    finally:
        process.kill()
        process.communicate()
