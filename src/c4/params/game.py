"""Which game is played."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from c4.params.knob import Params, knob


@dataclasses.dataclass(frozen=True, kw_only=True)
class GameParams(Params):
    group: ClassVar[str] = "game"

    name: str = knob("Name of the game in the native module: connect4, connect4_4x4, gomoku8 and so on.")
