"""What a run says of itself at its end."""

from __future__ import annotations

from pathlib import Path

from c4.run.folder import RunFolder
from c4.run.result import agreement_line, how_to_go_on, result_lines

ROW = {"budget/minutes": 1.5, "total/games": 1234.0, "total/samples": 5678.0, "truth/value_preserving": 0.75}


def test_a_budget_that_was_over_at_once_has_made_no_player(tmp_path: Path) -> None:
    (line,) = result_lines([], title="x", folder=RunFolder(path=tmp_path), best_generation=0)
    assert line == "x: the budget ran out before the first generation was finished: there is no player"


def test_the_result_the_player_and_how_to_play_against_it() -> None:
    folder = RunFolder(path=Path("runs/a name"))
    said = result_lines([ROW], title="Connect Four", folder=folder, best_generation=1)
    assert said == [
        "Connect Four: 1 generation, 1,234 games, 5,678 samples in 1:30",
        "errors against perfect play: 25.0 % with the bare network",
        "best player: generation 1, runs/a name/checkpoints/best.safetensors",
        "play against it: python play.py checkpoint='runs/a name/checkpoints/best.safetensors'",
    ]
    needing = result_lines([ROW], title="x", folder=folder, best_generation=1, needs="'trusted=[a.B]'")
    assert needing[-1].endswith("best.safetensors' 'trusted=[a.B]'")
    assert result_lines([ROW, ROW], title="x", folder=folder, best_generation=1)[0].startswith("x: 2 generations, ")


def test_going_on_with_a_change(tmp_path: Path) -> None:
    folder = RunFolder(path=tmp_path)
    assert how_to_go_on(folder, change="seed=2") == (
        f"nothing was saved yet; to start again: python train.py resume={tmp_path} seed=2"
    )
    folder.checkpoints.mkdir()
    folder.state(3).touch()
    assert how_to_go_on(folder, change="seed=2").endswith(f"3; to continue: python train.py resume={tmp_path} seed=2")
    assert how_to_go_on(folder, change="a=1", needs="b=2").endswith(f"resume={tmp_path} a=1 b=2")
    assert how_to_go_on(folder).endswith(f"to continue: python train.py resume={tmp_path}")


def test_the_newest_grading_of_each_budget_counts() -> None:
    rows = [{"truth/value_preserving": 0.7, "truth/value_preserving_32": 0.9}, {"truth/value_preserving": 0.8}]
    assert agreement_line(rows).endswith(": 20.0 % with the bare network, 10.0 % with 32 simulations")


def test_where_nobody_knows_perfect_play_there_is_a_level() -> None:
    row = {"baseline/strength": 1.25, "baseline/score": 0.25, "baseline/rollouts": 2000.0}
    assert agreement_line([row]) == (
        "strength against random rollouts: level 1.2, 25 % of the points against 2,000 rollouts per move"
    )


def test_a_run_that_was_not_graded_has_its_loss() -> None:
    assert agreement_line([{"loss/total": 1.5}]) == "not graded; loss 1.500"
    assert agreement_line([]) == "not graded"
