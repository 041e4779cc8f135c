"""The colours of the terminal, for a light and for a dark background; players look as in reports. Draws nothing."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from textual.theme import Theme

from c4.params.terminal import ThemeName
from c4.report.style import COLOURS

Colour = NDArray[np.float64]  # red, green, blue from 0 to 255

# Stones that lie on lines are black and white, on wood, as everywhere in the world.
BLACK, WHITE = ("#22252e", "#f7f5ef")
WOOD, WIRE = ("#e3bd80", "#b08a52"), ("#8b6734", "#3d2c12")  # in the light, in the dark
BARS = ((BLACK, "#d8d3c6"), ("#3d4352", WHITE))
ICONS = {True: ("◉", "◆"), False: ("●", "○")}  # the players in a line of text: of stones that fall, of those that lie
DARK_TEXT, LIGHT_TEXT = "#16181d", "#ffffff"


def colour(text: str) -> Colour:
    return np.array([int(text[at : at + 2], 16) for at in (1, 3, 5)], float)


def mixed(one: Colour, other: Colour, *, share: float) -> Colour:
    """`share` of the other."""
    return one + (other - one) * share


def hexed(one: Colour) -> str:
    return "#" + "".join(f"{int(part):02x}" for part in np.clip(np.round(one), 0, 255))


def ink_on(back: str) -> str:
    """What can be read on a colour."""
    red, green, blue = colour(back)
    return DARK_TEXT if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else LIGHT_TEXT


@dataclasses.dataclass(frozen=True, kw_only=True)
class Palette:
    """Of one game on one background."""

    paper: str  # around the board
    ink: str
    soft: str
    good: str
    bad: str
    even: str
    accent: str
    plate: str
    hole: str  # an empty cell of a board that stones fall into
    wire: str  # the lines of a board that stones lie on
    stones: tuple[str, str]
    rims: tuple[str, str]  # a stone's outline and the mark of the first player's
    inlays: tuple[str, str]  # the mark within
    bars: tuple[str, str]  # the players in bars and words, told apart from the paper


def palette(*, dark: bool, falls: bool) -> Palette:
    side = 1 if dark else 0
    named = {name: pair[side] for name, pair in COLOURS.items()}
    if falls:
        stones = (named["first"], named["second"])
        rims = tuple(hexed(mixed(colour(each), colour("#000000"), share=0.38)) for each in stones)
        inlays = tuple(hexed(mixed(colour(each), colour("#ffffff"), share=0.55)) for each in stones)
        plate, hole, wire, bars = named["board"], named["paper"], named["edge"], stones
    else:
        stones, rims, inlays = (BLACK, WHITE), ("#0b0c10", "#b9b2a2"), ("#565c6e", "#d9c9a0")
        plate, hole, wire, bars = WOOD[side], WOOD[side], WIRE[side], BARS[side]
    return Palette(
        paper=named["paper"],
        ink=named["ink"],
        soft=named["soft"],
        good=named["green"],
        bad=named["red"],
        even=named["gold"],
        accent=named["blue"],
        plate=plate,
        hole=hole,
        wire=wire,
        stones=stones,
        rims=(rims[0], rims[1]),
        inlays=(inlays[0], inlays[1]),
        bars=bars,
    )


def themes() -> tuple[Theme, Theme]:
    """For textual: dark, light."""
    dark, light = (_theme(dark=dark) for dark in (True, False))
    return dark, light


def _theme(*, dark: bool) -> Theme:
    named = {name: pair[dark] for name, pair in COLOURS.items()}
    return Theme(
        name=f"c4-{'dark' if dark else 'light'}",
        primary=named["blue"],
        secondary=named["violet"],
        warning=named["gold"],
        error=named["red"],
        success=named["green"],
        accent=named["orange"],
        foreground=named["ink"],
        background=named["paper"],
        surface=named["card"],
        panel=named["edge"],
        dark=dark,
    )


def is_dark(asked: ThemeName, *, environment: Mapping[str, str] = os.environ) -> bool:
    """As asked for; else as the terminal says in COLORFGBG ("15;0"), and dark where it says nothing."""
    if asked is not ThemeName.AUTO:
        return asked is ThemeName.DARK
    back = environment.get("COLORFGBG", "").rpartition(";")[2]
    return not back.isdecimal() or int(back) not in {7, *range(9, 16)}
