"""A run as a person sees it: a live display on a terminal, plain lines elsewhere. Knows nothing of training itself."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from c4.ledger import Phase
from c4.multirun import job_name
from c4.params.callbacks import ProgressParams
from c4.printed import printable
from c4.run.result import clock
from c4.tracking.view import Status, View

LOSSES = {"policy": "loss/policy", "value": "loss/value", "moves left": "loss/moves_left"}
TRUTH = "truth/value_preserving"  # a share of right moves; shown are errors, as everywhere
STRENGTH = "baseline/strength"
BARS = "▁▂▃▄▅▆▇█"
WIDEST = 120  # columns
FRAME, LABEL, BAR, BESIDE = 2, 14, (8, 32), 49  # columns: at each side, of a name, of a bar, of what is beside it
ECHO = 2  # columns left free: a terminal echoes ^C, which beyond its edge would begin a line and shift the panel


def open_view(*, params: ProgressParams, title: str) -> View:
    """The view that fits where the output goes."""
    console = Console(stderr=True, highlight=False)
    if params.live and console.is_terminal and sys.stdout.isatty():
        return LiveView(params=params, title=title, console=console)
    return LineView(params=params, console=console, job=job_name())


class LineView:
    """One line now and then, and one for each generation; `job` tells apart those of several at once."""

    def __init__(self, *, params: ProgressParams, console: Console, job: str = "") -> None:
        self._console, self._pause, self._prefix = console, params.line_seconds, f"{job} · " if job else ""
        self._spoke_at = time.monotonic()

    def show(self, status: Status) -> None:
        if time.monotonic() - self._spoke_at >= self._pause:
            self.say(f"generation {status.generation}, {within(status)} | {spent(status)}")

    def finished(self, status: Status) -> str:
        line = in_a_line(status)
        self.say(line)
        return line

    def say(self, sentence: str) -> None:
        self._spoke_at = time.monotonic()
        with suppress(OSError):  # a terminal that was closed; train.log has all of it
            self._console.print(printable(f"{self._prefix}{sentence}"), markup=False, soft_wrap=True)

    def close(self) -> None:
        """Lines need no end."""


class LiveView:
    """A panel that is redrawn in place; what is said scrolls by above it."""

    def __init__(self, *, params: ProgressParams, title: str, console: Console) -> None:
        self._title, self._console = printable(title), console
        self._status, self._seen_at = None, time.monotonic()
        self._live = Live(
            console=console,
            get_renderable=self._render,
            refresh_per_second=1.0 / params.refresh_seconds,
            transient=False,
        )
        self._live.start()

    def show(self, status: Status) -> None:
        self._status, self._seen_at = status, time.monotonic()

    def finished(self, status: Status) -> str:
        self.show(status)
        return in_a_line(status)

    def say(self, sentence: str) -> None:
        with suppress(OSError):
            self._live.console.print(printable(sentence), markup=False, soft_wrap=True)

    def close(self) -> None:
        with suppress(OSError):
            self._live.stop()

    _status: Status | None

    def _render(self) -> RenderableType:
        width = min(WIDEST, self._console.width - ECHO)
        if self._status is None:
            return framed(Text("starting", style="dim"), title=self._title, width=width)
        return panel(self._status, title=self._title, width=width, since=time.monotonic() - self._seen_at)


def framed(content: RenderableType, *, title: str, width: int) -> RenderableType:
    return Panel(content, title=title, title_align="left", border_style="cyan", width=width)


def panel(status: Status, *, title: str, width: int, since: float = 0.0) -> RenderableType:
    """The live display; `since` is the age of the status in seconds."""
    done, total = part(status)
    inside = width - 2 * FRAME
    bar = max(BAR[0], min(BAR[1], inside - LABEL - BESIDE))
    bars = Table.grid(padding=(0, 1))
    bars.add_column(width=LABEL)
    bars.add_column(width=bar)
    bars.add_column()
    beside = inside - LABEL - bar - 2
    of_run = ProgressBar(total=1.0, completed=status.share, width=bar)
    bars.add_row("run", of_run, flowing(spent(status, since=since), width=beside))
    of_generation = ProgressBar(total=max(total, 1), completed=done, width=bar)
    name = Text(f"generation {status.generation}", style="bold")
    bars.add_row(name, of_generation, flowing(within(status), width=beside))
    rows = Table.grid(padding=(0, 1))
    rows.add_column(style="dim", width=LABEL)
    rows.add_column()
    for label, style, words in told(status):
        rows.add_row(label, Text(flowing(words, width=inside - LABEL - 1), style=style))
    return framed(Group(bars, Text(), rows), title=title, width=width)


def told(status: Status) -> Iterator[tuple[str, str, str]]:
    """(label, style, words) of what is known."""
    if speed := rates(status):
        yield "self-play", "", speed
    if status.history:
        if beside := actors(status.history[-1]):
            yield "actors", "", beside
        yield "so far", "", game_line(status.history[-1])
        yield "losses", "", losses(status.history)
        if wrong := errors(status.history):
            yield "errors", "bold green", wrong
        if beaten := strength(status.history):
            yield "strength", "bold green", beaten


def flowing(words: str, *, width: int) -> str:
    """Broken between phrases rather than between words."""
    lines = [""]
    for phrase in words.split(", "):
        longer = f"{lines[-1]}, {phrase}" if lines[-1] else phrase
        if lines[-1] and len(longer) > width - 1:  # a comma follows
            lines[-1] += ","
            lines.append(phrase)
        else:
            lines[-1] = longer
    return "\n".join(lines)


def part(status: Status) -> tuple[int, int]:
    """How much of the present phase is done, and of how much."""
    if status.phase is Phase.PLAY and status.glance is not None:
        return min(status.glance.samples, status.glance.wanted), status.glance.wanted
    if status.phase is Phase.TRAIN:
        return status.step, status.steps
    return int(status.phase is Phase.MEASURE or bool(status.phase is None and status.history)), 1


def within(status: Status) -> str:
    """Where in its generation a run is."""
    if status.phase is Phase.PLAY and status.glance is not None:
        games = status.glance.counters.get("games", 0)
        return f"playing: {status.glance.samples:,} of {status.glance.wanted:,} samples, {games:,} games"
    if status.phase is Phase.TRAIN:
        loss = "" if status.loss is None else f", loss {status.loss:.3f}"
        return f"training: step {status.step:,} of {status.steps:,}{loss}"
    if status.phase is None:
        return "finished" if status.history else "starting"
    return str(status.phase.value)


def spent(status: Status, *, since: float = 0.0) -> str:
    """The budget: share, time taken, time left."""
    over = status.left is None or status.share >= 1.0
    left = "" if over else f", about {clock(max(0.0, (status.left or 0.0) - since))} left"
    return f"{percent(status.share, digits=0)}, {clock(status.elapsed + since)}{left}"


def rates(status: Status) -> str:
    """How fast games are played, in this generation or the one before."""
    if status.glance is not None and status.glance.seconds > 0:
        counters, seconds = status.glance.counters, status.glance.seconds
        asked = counters["evaluations"] + counters["cache_hits"]
        values = [float(counters[name] / seconds) for name in ("games", "evaluations", "simulations")]
        values.append(counters["cache_hits"] / max(1, asked))
    elif status.history:
        names = ("games_per_second", "evaluations_per_second", "simulations_per_second", "cache_hit_share")
        values = [status.history[-1].get(f"selfplay/{name}", 0.0) for name in names]
    else:
        return ""
    *speeds, hits = values
    games, evaluations, simulations = (short(speed) for speed in speeds)
    return f"{games} games/s, {evaluations} evaluations/s, {simulations} simulations/s, cache {percent(hits, digits=0)}"


def actors(row: Mapping[str, float]) -> str:
    """Those on Ray, in the newest generation; nothing where this process plays."""
    if "actors/alive" not in row:
        return ""
    wire = row["actors/bytes_per_sample"] * row.get("selfplay/samples_per_second", 0.0)
    shown = [f"{row['actors/alive']:.0f} playing, {row['actors/lost']:.0f} lost, {short(wire / 1e3)} kB/s"]
    if "actors/idle_share" in row:
        shown.append(f"learner idle {percent(row['actors/idle_share'], digits=0)}")
    if "actors/chunks_out" in row:
        shown.append(f"{row['actors/chunks_out']:.0f} chunks out")
    if "actors/age" in row:
        ready = short(row["actors/ready"])
        shown += [f"{ready} samples ready", f"weights {row['actors/age']:.1f} generations old"]
    return ", ".join(shown)


def losses(history: Sequence[Mapping[str, float]]) -> str:
    """The parts of the loss, and whether they rise or fall."""
    shown = []
    for label, name in LOSSES.items():
        values = [row[name] for row in history if name in row]
        if values:
            shown.append(f"{label} {values[-1]:.3f}{arrow(values)}")
    return ", ".join(shown)


def game_line(row: Mapping[str, float]) -> str:
    """What the games of a generation were like."""
    shown = [f"{short(row.get('total/games', 0))} games, {short(row.get('total/samples', 0))} samples"]
    if "selfplay/game_length" in row:
        won, drawn = (percent(row[f"selfplay/{name}_share"], digits=0) for name in ("first_win", "draw"))
        shown.append(f"{row['selfplay/game_length']:.1f} plies, first wins {won}, draws {drawn}")
    return ", ".join(shown)


def errors(history: Sequence[Mapping[str, float]]) -> str:
    """Moves that are errors by perfect play: the newest figures and the trend of the bare network's."""
    shown = []
    for name in sorted({name for row in history for name in row if _is_graded(name)}, key=_simulations):
        values = [1 - row[name] for row in history if name in row]
        budget = _simulations(name)
        label = "bare network" if budget == 0 else f"{budget} simulations"
        trend = f" {spark(values)}" if budget == 0 and len(values) > 1 else ""
        shown.append(f"{percent(values[-1])} {label}{trend}")
    return ", ".join(shown)


def strength(history: Sequence[Mapping[str, float]]) -> str:
    """Where nobody knows perfect play: the newest level against random rollouts, and its trend."""
    rows = [row for row in history if STRENGTH in row]
    if not rows:
        return ""
    values = [row[STRENGTH] for row in rows]
    score, rollouts = percent(rows[-1]["baseline/score"], digits=0), rows[-1]["baseline/rollouts"]
    against = f" ({score} of the points against {rollouts:,.0f} rollouts)"
    return f"{values[-1]:.1f}{against}" + (f" {spark(values)}" if len(values) > 1 else "")


def in_a_line(status: Status) -> str:
    return f"generation {len(status.history)} | {spent(status)} | {summary(status.history[-1])}"


def summary(row: Mapping[str, float]) -> str:
    """A generation in a line."""
    wrong, level = errors([row]), strength([row])
    graded = f"errors {wrong}" if wrong else f"strength {level}" if level else ""
    speed = f"{short(row.get('selfplay/games_per_second', 0.0))} games/s"
    return " | ".join(text for text in (game_line(row), speed, losses([row]), graded) if text)


def spark(values: Sequence[float], *, width: int = 24) -> str:
    """The last values as a row of bars between their lowest and their highest."""
    tail = values[-width:]
    low, high = min(tail), max(tail)
    scale = (len(BARS) - 1) / (high - low) if high > low else 0.0
    return "".join(BARS[round((value - low) * scale)] for value in tail)


def percent(share: float, *, digits: int = 1) -> str:
    return f"{100 * share:.{digits}f} %"


def short(value: float) -> str:
    """At most five characters of what may grow large."""
    if value >= 999_500:
        return f"{value / 1e6:.1f}M"
    return f"{value / 1e3:.0f}k" if value >= 10_000 else f"{value:,.0f}"


def arrow(values: Sequence[float]) -> str:
    """Whether the last value is above or below the one before."""
    if len(values) < 2 or values[-1] == values[-2]:
        return ""
    return " ↑" if values[-1] > values[-2] else " ↓"


def _is_graded(name: str) -> bool:
    return name == TRUTH or (name.startswith(f"{TRUTH}_") and name.removeprefix(f"{TRUTH}_").isdigit())


def _simulations(name: str) -> int:
    return int(name.removeprefix(f"{TRUTH}_")) if name != TRUTH else 0
