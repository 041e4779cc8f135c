"""How the board on a terminal looks and moves."""

from __future__ import annotations

import dataclasses
from enum import Enum
from typing import ClassVar

from c4.params.knob import Params, knob


class ThemeName(Enum):
    AUTO = "auto"
    DARK = "dark"
    LIGHT = "light"


@dataclasses.dataclass(frozen=True, kw_only=True)
class TerminalParams(Params):
    group: ClassVar[str] = "terminal"

    theme: ThemeName = knob(
        "Colours for a dark or a light background; auto: as the terminal says in COLORFGBG, dark where it says nothing."
    )
    animation: bool = knob("Whether a stone is seen falling.")
    pause_seconds: float = knob(
        "Pause between the moves of a game that the program plays itself.", low=0.0, high=60.0, unit="seconds"
    )
    review_simulations: int = knob("Simulations for each position when a game is reviewed.", low=1, high=1_000_000)
