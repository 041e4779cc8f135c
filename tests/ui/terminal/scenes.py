"""Screens of the terminal that are kept, to be compared and looked at. Nothing in them is random.

`make screens` draws them anew, into the folder beside this file.
"""

from __future__ import annotations

import dataclasses
from importlib.metadata import version
from pathlib import Path

from tests.ui.kit import table

from c4.params.terminal import TerminalParams, ThemeName
from c4.ui.terminal.app import PlayApp
from c4.ui.terminal.picture import picture_of

FOLDER = Path(__file__).parent / "screens"
DRAWN_BY = FOLDER / "drawn_by.txt"
SIZES = ((80, 24), (120, 40), (200, 55))


@dataclasses.dataclass(frozen=True, kw_only=True)
class Scene:
    position: str = ""
    game: str = "connect4"
    keys: str = ""  # with spaces between them
    theme: ThemeName = ThemeName.DARK


SCENES = {
    "start": Scene(),
    "middle": Scene(position="44535", keys="2", theme=ThemeName.LIGHT),
    "won": Scene(position="445566", keys="3"),
    "review": Scene(position="121234", keys="7 v b"),
    "help": Scene(keys="question_mark"),
    "refused": Scene(position="44", keys="colon u n d o o enter colon", theme=ThemeName.LIGHT),
    "gomoku": Scene(game="gomoku8", position="d4 a1 e4 a3 f4 h7", keys="e up"),
}


def draw(name: str, size: tuple[int, int]) -> str:
    scene = SCENES[name]
    one = table(scene.position, game=scene.game, simulations=100, may_tell=scene.game != "connect4")
    for knob in ("noise", "temperature"):
        one.set_knob(knob, "0")
    params = TerminalParams(theme=scene.theme, animation=False, pause_seconds=0.0, review_simulations=200)
    return picture_of(PlayApp(one, params=params), size=size, keys=scene.keys.split())


def kept(name: str, size: tuple[int, int]) -> Path:
    return FOLDER / f"{name}_{size[0]}x{size[1]}.svg"


def libraries() -> str:
    """Other versions may set a footer or a border differently."""
    return " ".join(f"{name} {version(name)}" for name in ("rich", "textual"))


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.svg"):
        old.unlink()
    for name in SCENES:
        for size in SIZES:
            kept(name, size).write_text(draw(name, size), encoding="utf-8")
    DRAWN_BY.write_text(f"{libraries()}\n", encoding="utf-8")
