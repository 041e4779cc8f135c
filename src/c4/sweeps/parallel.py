"""Parallel coordinates: an axis a knob, a line a job, the better the stronger. And maps of two knobs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from c4.report.plots import Axis
from c4.report.svg import element, path, picture, polyline, text, title
from c4.sweeps.axes import KnobAxis, objective_axis, objective_scale
from c4.sweeps.gather import Job, State, Sweep
from c4.sweeps.words import figure, job_name, metric_name, short_names, shown

WIDTH, HEIGHT, TOP, BOTTOM, SIDE = 1180, 400, 46, 30, 70
MAP_WIDTH, MAP_HEIGHT, MAP_LEFT, MAP_BOTTOM, MAP_TOP, MAP_RIGHT = 560, 380, 58, 46, 14, 20
FAINTEST = 0.08


def parallel(sweep: Sweep, objective: str) -> str:
    whole = sweep.whole()
    scale = objective_scale(objective)
    axes = [KnobAxis(sweep, knob) for knob in sweep.knobs]
    last = objective_axis(objective, [scale * job.metrics[objective] for job in whole])
    step = (WIDTH - 2 * SIDE) / len(axes)

    def height(axis: Axis, value: float) -> float:
        return HEIGHT - BOTTOM - axis.share(min(max(value, axis.low), axis.high)) * (HEIGHT - TOP - BOTTOM)

    parts = []
    strength = strengths(sweep, objective)
    best = sweep.ranked()[0].number
    for job in sorted(sweep.jobs, key=lambda job: strength.get(job.number, -1.0)):
        ends = job.state is State.WHOLE and objective in job.metrics
        places = [(SIDE + index * step, axis.axis, axis.at(job)) for index, axis in enumerate(axes)]
        points = [(x, height(axis, value)) for x, axis, value in places if value is not None]
        if ends:
            points.append((WIDTH - SIDE, height(last, scale * job.metrics[objective])))
        if len(points) < 2:
            continue
        look = "trial best" if job.number == best else "trial" if ends else "trial cut"
        opacity = f"{strength[job.number]:.2f}" if ends and job.number != best else ""
        style = {"style": f"opacity:{opacity}"} if opacity else {}
        parts.append(element("path", title(note(sweep, job)), class_=look, d=polyline(points), **style))
    for index, axis in enumerate([*(one.axis for one in axes), last]):
        parts.append(_upright(axis, SIDE + index * step, place=partial(height, axis)))
    about = "each job as a line through its knobs to what it reached"
    return picture("".join(parts), width=WIDTH, height=HEIGHT, about=about, class_="chart")


def knob_map(sweep: Sweep, objective: str, knobs: tuple[str, str], *, said: bool = False) -> str:
    """A surface seen from above: a dot a job, the better the darker. `said`: with figures of the best and the first."""
    across, up = (KnobAxis(sweep, knob) for knob in knobs)

    def at(x: float, y: float) -> tuple[float, float]:
        return (
            MAP_LEFT + across.axis.share(x) * (MAP_WIDTH - MAP_LEFT - MAP_RIGHT),
            MAP_HEIGHT - MAP_BOTTOM - up.axis.share(y) * (MAP_HEIGHT - MAP_TOP - MAP_BOTTOM),
        )

    bottom, parts = MAP_HEIGHT - MAP_BOTTOM, []
    for value, name in across.axis.ticks:
        x, _ = at(value, up.axis.low)
        parts.append(path(f"M{x:.1f} {MAP_TOP}V{bottom}", class_="grid"))
        parts.append(text(name, x, bottom + 18, class_="tick"))
    for value, name in up.axis.ticks:
        _, y = at(across.axis.low, value)
        parts.append(path(f"M{MAP_LEFT} {y:.1f}H{MAP_WIDTH - MAP_RIGHT}", class_="grid"))
        parts.append(text(name, MAP_LEFT - 8, y + 4, class_="tick", anchor="end"))
    strength, best, words = strengths(sweep, objective), sweep.ranked()[0].number, []
    for job in sorted(sweep.jobs, key=lambda job: strength.get(job.number, -1.0)):
        place = across.at(job), up.at(job)
        if place[0] is None or place[1] is None:
            continue
        left, height = at(place[0], place[1])
        shade = {"style": f"fill-opacity:{strength[job.number]:.2f}"} if job.number in strength else {}
        look = "dot best" if job.number == best else "dot" if shade else "dot cut"
        radius = 9.0 if shade else 5.0
        parts.append(element("circle", title(note(sweep, job)), class_=look, cx=left, cy=height, r=radius, **shade))
        if said and shade and job.number in {best, sweep.configured}:
            name = "best" if job.number == best else "as configured"
            reached = f"{name}: {figure(objective, job.metrics[objective])}"
            words.append(text(reached, left + 14, height + 4, class_="said", anchor="start"))
    parts += words  # over the dots
    parts.append(text(across.name, (MAP_LEFT + MAP_WIDTH - MAP_RIGHT) / 2, MAP_HEIGHT - 6, class_="label"))
    turned = f"translate(14 {(MAP_TOP + bottom) / 2}) rotate(-90)"
    parts.append(element("g", text(up.name, 0, 0, class_="label"), transform=turned))
    about = f"{metric_name(objective)} over {across.name} and {up.name}"
    return picture("".join(parts), width=MAP_WIDTH, height=MAP_HEIGHT, about=about, class_="chart")


def strengths(sweep: Sweep, objective: str) -> dict[int, float]:
    """From the faintest to 1 by rank, so that one outlier does not make all others look alike."""
    gains = {job.number: sweep.gain(job, objective) for job in sweep.whole()}
    order = sorted(gains.values())
    most = max(len(order) - 1, 1)
    return {number: FAINTEST + (1 - FAINTEST) * (order.index(gain) / most) ** 2 for number, gain in gains.items()}


def note(sweep: Sweep, job: Job) -> str:
    """What is shown when the pointer rests on a job."""
    names = short_names(sweep.knobs)
    values = "\n".join(f"{names[knob]} {shown(job.values[knob])}" for knob in sweep.knobs if knob in job.values)
    reached = "\n".join(
        f"{metric_name(name)}: {figure(name, job.metrics[name])}" for name in sweep.objectives if name in job.metrics
    )
    return f"{job_name(sweep, job)}, {job.state.value}\n{values}\n{reached}"


def _upright(axis: Axis, x: float, *, place: Callable[[float], float]) -> str:
    parts = [path(f"M{x:.1f} {TOP - 4}V{HEIGHT - BOTTOM + 4}", class_="axis")]
    parts += [_tick(x, place(value), name) for value, name in _sparse(axis.ticks)]
    if x > WIDTH - SIDE - 1:  # its name is long: it stands lower, out of the way of its neighbour's
        parts.append(text(axis.label, WIDTH, 34, class_="axis-name", anchor="end"))
    else:
        parts.append(text(axis.label, x, 16, class_="axis-name"))
    return "".join(parts)


def _tick(x: float, y: float, name: str) -> str:
    return path(f"M{x - 4:.1f} {y:.1f}h8", class_="axis") + text(name, x - 8, y + 4, class_="end", anchor="end")


def _sparse(ticks: Sequence[tuple[float, str]]) -> Sequence[tuple[float, str]]:
    return ticks if len(ticks) <= 8 else ticks[::2]
