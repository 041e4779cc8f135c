"""What a person sees of a run: the lines, the panel, and that neither depends on what is not there yet."""

from __future__ import annotations

import dataclasses
import io
import re
from typing import Any

import pytest
from rich.console import Console

from c4.ledger import Phase
from c4.params.callbacks import ProgressParams
from c4.selfplay.source import Glance
from c4.tracking.view import Status
from c4.ui import progress as ui

PARAMS = ProgressParams(live=True, refresh_seconds=0.25, line_seconds=0.0)
GLANCE = Glance(
    samples=1200,
    wanted=3000,
    counters={"games": 300, "evaluations": 60_000, "simulations": 180_000, "cache_hits": 40_000},
    seconds=2.0,
)
ROW = {
    "loss/policy": 1.5,
    "loss/value": 0.75,
    "loss/moves_left": 2.25,
    "total/games": 5000.0,
    "total/samples": 20_000.0,
    "selfplay/game_length": 23.5,
    "selfplay/first_win_share": 0.55,
    "selfplay/draw_share": 0.05,
    "selfplay/games_per_second": 120.0,
    "selfplay/evaluations_per_second": 50_000.0,
    "selfplay/simulations_per_second": 150_000.0,
    "selfplay/cache_hit_share": 0.5,
    "truth/value_preserving": 0.9,
    "truth/value_preserving_32": 0.97,
    "truth/value_preserving_decisive": 0.1,
}
START = Status(
    phase=None, generation=1, glance=None, step=0, steps=0, loss=None, share=0.0, elapsed=3.0, left=None,
    history=(),
)  # fmt: skip


def status(**changes: Any) -> Status:
    return dataclasses.replace(START, **changes)


def drawn(shown: Status, *, width: int = 100) -> str:
    console = Console(file=io.StringIO(), width=width, force_terminal=False)
    console.print(ui.panel(shown, title="c4 · test", width=width))
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert all(len(line) <= width for line in text.splitlines())
    return str(text)


def test_the_panel_shows_a_run_that_has_just_begun() -> None:
    text = drawn(START)
    assert "c4 · test" in text
    assert "starting" in text
    assert "0 %, 0:03" in text


def test_the_panel_shows_playing_with_its_rates() -> None:
    text = drawn(status(phase=Phase.PLAY, generation=4, glance=GLANCE, share=0.25, elapsed=65.0, left=195.0))
    assert "generation 4" in text
    assert "playing: 1,200 of 3,000 samples, 300 games" in text
    assert "25 %, 1:05, about 3:15 left" in text
    assert "150 games/s, 30k evaluations/s, 90k simulations/s, cache 40 %" in text


def test_the_panel_shows_training_losses_and_agreement_with_its_trend() -> None:
    before = ROW | {"loss/policy": 1.6, "loss/value": 0.7, "truth/value_preserving": 0.8}
    text = drawn(status(phase=Phase.TRAIN, step=5, steps=20, loss=2.345, history=(before, ROW)))
    assert "training: step 5 of 20, loss 2.345" in text
    assert "policy 1.500 ↓, value 0.750 ↑, moves left 2.250" in text
    assert "10.0 % bare network █▁, 3.0 % 32 simulations" in text
    assert "120 games/s" in text


def test_without_perfect_play_strength_is_shown() -> None:
    played = {"baseline/strength": 1.5, "baseline/score": 0.5, "baseline/rollouts": 2000.0}
    row = {name: value for name, value in ROW.items() if "truth" not in name} | played
    text = drawn(status(history=({**row, "baseline/strength": 0.5}, row)))
    assert "errors" not in text
    assert "strength       1.5 (50 % of the points against 2,000 rollouts) ▁█" in text
    assert ui.summary(row).endswith("| strength 1.5 (50 % of the points against 2,000 rollouts)")
    assert "strength" not in drawn(status(history=(ROW,)))


@pytest.mark.parametrize("width", [60, 80, 200])
def test_the_panel_fits_any_terminal(width: int) -> None:
    drawn(status(phase=Phase.PLAY, glance=GLANCE, history=(ROW,) * 50), width=width)


def test_lines_are_plain_and_one_for_each_generation() -> None:
    text = io.StringIO()
    view = ui.LineView(params=PARAMS, console=Console(file=text, width=40))
    view.show(status(phase=Phase.PLAY, glance=GLANCE))
    view.finished(status(phase=Phase.MEASURE, share=0.5, elapsed=60.0, history=(ROW,)))
    view.say("warning: [bold]not markup[/bold]")
    view.close()
    lines = text.getvalue().splitlines()
    assert lines[0].startswith("generation 1, playing: 1,200 of 3,000")
    assert lines[1].startswith("generation 1 | 50 %, 1:00 | 5,000 games, 20k samples")
    assert lines[1].endswith("| errors 10.0 % bare network, 3.0 % 32 simulations")
    assert lines[2] == "warning: [bold]not markup[/bold]"
    assert len(lines) == 3


def test_the_live_view_draws_and_lets_sentences_pass() -> None:
    text = io.StringIO()
    view = ui.LiveView(params=PARAMS, title="c4 · test", console=Console(file=text, width=100, force_terminal=True))
    view.show(status(phase=Phase.PLAY, glance=GLANCE))
    view.say("a sentence")
    view.close()
    view.close()
    assert "a sentence" in text.getvalue()
    assert "playing: 1,200 of 3,000 samples" in text.getvalue()


@pytest.mark.parametrize("wide", [60, 100, 200])
@pytest.mark.parametrize("begun", [False, True])
def test_the_echo_of_ctrl_c_finds_room_beside_the_panel(begun: bool, wide: int) -> None:
    text = io.StringIO()
    view = ui.LiveView(params=PARAMS, title="t", console=Console(file=text, width=wide, force_terminal=True))
    if begun:
        view.show(status(phase=Phase.PLAY, glance=GLANCE))
    view.close()
    frames = re.findall("╰─*╯", text.getvalue())
    assert frames
    assert all(len(frame) <= wide - len("^C") for frame in frames)


def test_without_a_terminal_there_are_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", io.StringIO())
    assert isinstance(ui.open_view(params=PARAMS, title="t"), ui.LineView)


def test_bars_and_clocks() -> None:
    assert ui.spark([0.0, 0.5, 1.0]) == "▁▅█"
    assert ui.spark([0.3, 0.3]) == "▁▁"
    assert ui.clock(59.9) == "0:59"
    assert ui.clock(3661) == "1:01:01"


class Gone(io.StringIO):
    """A terminal that was closed."""

    def write(self, text: str) -> int:
        raise OSError(5, "Input/output error")


def test_a_terminal_that_is_gone_ends_nothing() -> None:
    view = ui.LineView(params=PARAMS, console=Console(file=Gone(), width=100))
    view.show(status(phase=Phase.PLAY, glance=GLANCE))
    assert view.finished(status(phase=Phase.MEASURE, history=(ROW,))).startswith("generation 1 | ")
    view.say("goodbye")
    view.close()


def test_actors_on_ray_have_a_line_of_their_own() -> None:
    played = {"actors/alive": 3.0, "actors/lost": 1.0, "actors/bytes_per_sample": 20.0}
    row = {**ROW, **played, "selfplay/samples_per_second": 2000.0}
    assert "actors         3 playing, 1 lost, 40 kB/s" in drawn(status(history=(row,)))
    flowing = {**row, "actors/idle_share": 0.25, "actors/chunks_out": 6.0, "actors/age": 1.25, "actors/ready": 12_345.0}
    assert "40 kB/s, learner idle 25 %, 6 chunks out, 12k samples ready, weights 1.2 generations old" in drawn(
        status(history=(flowing,)), width=140
    )
    assert "actors" not in drawn(status(history=(ROW,)))
