"""How things look: colours for light and for dark, and one look for each thing on every page. Knows no library."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable

COLOURS = {  # name -> in the light, in the dark; no two are the same in the light
    "ink": ("#20242c", "#e8e6e0"),
    "soft": ("#667080", "#9aa3b2"),
    "paper": ("#f6f4ef", "#14171c"),
    "card": ("#fffefb", "#1c2027"),
    "edge": ("#e3dfd5", "#2c323c"),
    "grid": ("#ece8df", "#272c35"),
    "branch": ("#b5bac3", "#4d5563"),  # what is not the principal variation
    "orange": ("#c2410c", "#ff9a62"),
    "blue": ("#0063a8", "#6bb8ff"),
    "green": ("#00785b", "#45d0a4"),
    "magenta": ("#a2427f", "#ee95cb"),
    "gold": ("#8a6a00", "#e6c34a"),
    "violet": ("#6344b5", "#b9a3ff"),
    "slate": ("#4b5563", "#a9b2c0"),
    "red": ("#b3261e", "#ff9d91"),
    "green_soft": ("#d3efe5", "#123d31"),
    "slate_soft": ("#e7e8ea", "#323842"),
    "red_soft": ("#fbe0db", "#4b201c"),
    "board": ("#3555aa", "#27438c"),  # and stones: as on the page
    "first": ("#ee5b45", "#ee5b45"),
    "second": ("#f7c948", "#f7c948"),
    "first_mark": ("#b53424", "#b53424"),
    "second_mark": ("#ad8110", "#ad8110"),
    "on_first": ("#201407", "#201407"),
    "on_second": ("#201408", "#201408"),
    "wood": ("#e3bd80", "#8a6a3c"),  # of games whose stones do not fall
    "wire": ("#8b6734", "#3d2c12"),
    "black": ("#22252e", "#22252e"),
    "white": ("#f7f5ef", "#f7f5ef"),
    "black_mark": ("#6c7284", "#6c7284"),
    "white_mark": ("#b9b2a2", "#b9b2a2"),
    "on_black": ("#fffffe", "#fffffe"),
    "on_white": ("#20242d", "#20242d"),
}

FONT = "system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Look:
    """Told apart by colour, by the shape of the marks and by the dashes: never by colour alone."""

    colour: str
    mark: str  # matplotlib's word for it
    dash: tuple[float, ...] = ()

    @property
    def light(self) -> str:
        return light(self.colour)


LOOKS = {
    look.colour: look
    for look in (
        Look(colour="orange", mark="o"),
        Look(colour="blue", mark="s", dash=(4.0, 1.6)),
        Look(colour="green", mark="^"),
        Look(colour="magenta", mark="D", dash=(1.2, 1.6)),
        Look(colour="gold", mark="v"),
        Look(colour="violet", mark="P", dash=(6.0, 1.4, 1.2, 1.4)),
        Look(colour="slate", mark="X"),
    )
}
THINGS = {
    "bare": "orange",
    "opening": "slate",
    "temperature": "gold",
    "noise": "magenta",
    "all sets": "slate",
    "decisive": "magenta",
    "search": "blue",
    "first error": "orange",
    "result": "orange",
    "root value": "blue",
    "trace": "green",
    "best": "orange",
    "best so far": "orange",
    "not beaten": "orange",
    "others": "blue",
    "finished": "blue",
    "ended early": "slate",
    "policy": "blue",
    "value": "orange",
    "moves left": "green",
    "total": "slate",
}


def light(colour: str) -> str:
    return COLOURS[colour][0]


def budget_colour(simulations: int) -> str:
    """The bare network, a glance, and more and more thought."""
    if simulations == 0:
        return THINGS["bare"]
    return ("gold", "magenta", "blue", "green", "violet", "slate")[min(int(math.log2(simulations)) // 2, 5)]


def looks(things: Iterable[str]) -> list[Look]:
    """A look for each thing of one chart, by its name or by a colour: that which is its own on every page, unless an
    earlier one has it."""
    names = [THINGS.get(thing, thing) for thing in things]
    found: list[Look] = []
    for name in names:
        free = [look for look in LOOKS.values() if look not in found] or list(LOOKS.values())
        own = LOOKS.get(name)
        found.append(own if own in free else next((look for look in free if look.colour not in names), free[0]))
    return found


def theme_css(root: str) -> str:
    """Every colour as a variable of `root`, for light and for dark."""
    lights, darks = ("".join(f"--{name}:{pair[side]};" for name, pair in COLOURS.items()) for side in (0, 1))
    return f"{root}{{{lights}}}\n@media (prefers-color-scheme: dark){{{root}{{{darks}}}}}\n"
