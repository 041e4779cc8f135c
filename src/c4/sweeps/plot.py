"""One picture of a search for a document: a map of the two knobs that mattered most, and how much each mattered.

A file of its own: it brings its colours along, for light and dark.
"""

from __future__ import annotations

from pathlib import Path

from c4.params.walk import ConfigError
from c4.report.svg import element, rect, text
from c4.sweeps.gather import Sweep
from c4.sweeps.parallel import MAP_HEIGHT, MAP_WIDTH, knob_map
from c4.sweeps.statistics import LEAST_JOBS, importance, is_numeric
from c4.sweeps.words import metric_name, short_names

STYLE = Path(__file__).parent / "data" / "plot.css"
WIDTH, TOP = 900, 30
LEFT, BAR = MAP_WIDTH + 30, 12  # of the bars: where they begin, how thick they are
WHOLE = 250.0  # length of a bar for everything


def search_plot(sweep: Sweep) -> str:
    """SVG. Raises ConfigError when too little was tried to say what mattered."""
    shares = {name: importance(sweep, name) for name in sweep.objectives}
    first = next(iter(sweep.objectives))
    numeric = [knob for knob in shares[first] if is_numeric(sweep, knob)]
    if len(numeric) < 2:
        raise ConfigError(
            f"plot: {sweep.name} has {len(sweep.whole())} whole jobs over {len(sweep.knobs)} knobs; "
            f"a map of what mattered takes at least {LEAST_JOBS} over two numbers"
        )
    seen = knob_map(sweep, first, (numeric[0], numeric[1]), said=True)
    placed = seen.replace("<svg ", f'<svg y="{TOP}" width="{MAP_WIDTH}" height="{MAP_HEIGHT}" ', 1)
    parts = [
        element("style", STYLE.read_text()),
        text(f"{metric_name(first).capitalize()}: the darker the better", 4, 16, class_="head", anchor="start"),
        placed,
        text("What mattered (PED-ANOVA)", LEFT, 16, class_="head", anchor="start"),
        _bars(sweep, shares),
    ]
    about = f"{metric_name(first)} over {numeric[0]} and {numeric[1]}, and the importance of each knob"
    return element(
        "svg", "".join(parts), xmlns="http://www.w3.org/2000/svg", width=WIDTH, height=TOP + MAP_HEIGHT,
        viewBox=f"0 0 {WIDTH} {TOP + MAP_HEIGHT}", role="img", aria_label=about,
    ) + "\n"  # fmt: skip


def _bars(sweep: Sweep, shares: dict[str, dict[str, float]]) -> str:
    names, parts, y = short_names(sweep.knobs), [], TOP + 6.0
    for index, name in enumerate(shares):
        parts.append(rect(LEFT, y, BAR, BAR, class_=f"share s{index % 2}", radius=2))
        parts.append(text(metric_name(name), LEFT + 20, y + 10, class_="label", anchor="start"))
        y += 20
    for knob in next(iter(shares.values())):
        y += 22
        parts.append(text(names[knob], LEFT, y, class_="name", anchor="start"))
        y += 7
        for index, each in enumerate(shares.values()):
            share = each.get(knob, 0.0)
            length = max(share * WHOLE, 1.5)
            parts.append(rect(LEFT, y, length, BAR, class_=f"share s{index % 2}", radius=2))
            parts.append(text(f"{share:.0%}", LEFT + length + 6, y + 10, class_="tick", anchor="start"))
            y += BAR + 4
    return "".join(parts)
