"""A board as square pixels, two to a character: round stones with soft edges. Knows colours and shapes, no text.

A cell is `width` by 2 `lines` pixels. Its last column and row belong to the gap to the next one, so that what is round
has a middle pixel.
"""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import NDArray

from c4.ui.terminal.palette import Colour, Palette, colour, mixed
from c4.ui.terminal.scene import Cell, Layout, Scene

Pixels = NDArray[np.float64]  # [height, width, 3]
Cover = NDArray[np.float64]  # [height, width] from 0 to 1

FINER = 4  # samples of a pixel each way
LEVELS = 4  # that edges are rounded to, so that few colours occur
LAST, HINT = "#e2472f", "#2fbf86"
SOFT = 4.0  # pixels of radius, from which on a stone has an outline
PLAIN = 5.5  # and up to which a black or a white one has no mark


def draw(scene: Scene, layout: Layout, colours: Palette) -> Pixels:
    """The frame and all that is in it: an even number of rows."""
    height, width = 2 * layout.frame_height, layout.frame_width
    pixels = np.empty((height, width, 3))
    plate = colour(colours.plate)
    pixels[:] = plate
    edge = mixed(plate, colour("#000000"), share=0.3)
    pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1] = edge, edge, edge, edge
    pixels[-2] = edge
    for row in (0, -1):
        for column in (0, -1):
            pixels[row, column] = colour(colours.paper)
    for row in range(layout.rows):
        for column in range(layout.columns):
            y, x = 2 * (1 + row * layout.lines), 2 + column * layout.width
            spot = pixels[y : y + 2 * layout.lines, x : x + layout.width]
            _cell(spot, (row, column), scene=scene, layout=layout, colours=colours)
    for cell in scene.winning or ({scene.newest} if scene.newest is not None else ()):
        if scene.falls:
            _halo(pixels, cell, layout=layout, strong=bool(scene.winning))
    return pixels


def beneath_cursor(colours: Palette) -> Colour:
    """Where a cell is pointed at."""
    return mixed(colour(colours.plate), colour("#ffffff"), share=0.3)


def _cell(spot: Pixels, cell: Cell, *, scene: Scene, layout: Layout, colours: Palette) -> None:
    size, radius = (layout.lines, layout.width), _radius(layout)
    owner, ghost = scene.owner(cell), scene.ghost is not None and scene.ghost[0] == cell
    if scene.falls:
        _paint(spot, _disc(size, radius), colour(colours.hole))
    elif cell == scene.cursor:
        spot[:] = beneath_cursor(colours)
    if owner is not None:
        faint = 0.62 if scene.winning and cell not in scene.winning else 0.0
        _stone(spot, owner, size=size, radius=radius, colours=colours, faint=faint)
    elif ghost and scene.ghost is not None:
        _stone(spot, scene.ghost[1], size=size, radius=radius, colours=colours, faint=0.55)
    if cell == scene.hint:
        _paint(spot, _ring(size, 0.72 * radius, radius), colour(HINT))
    if owner is not None and not scene.falls:
        if cell in scene.winning:
            _paint(spot, _ring(size, radius - max(0.8, 0.2 * radius), radius), colour(LAST))
        elif cell == scene.newest:
            _paint(spot, _disc(size, max(0.6, 0.32 * radius)), colour(LAST))


def _radius(layout: Layout) -> float:
    least = min(layout.width, 2 * layout.lines)
    room = (least - 1) / 2 if least <= 10 else 0.445 * least
    return room if layout.falls else room + 0.1


def _stone(spot: Pixels, owner: int, *, size: tuple[int, int], radius: float, colours: Palette, faint: float) -> None:
    """`faint`: how far it fades into what it lies on."""
    under = colour(colours.hole)

    def shade(text: str) -> Colour:
        return mixed(colour(text), under, share=faint)

    body, rim, inlay = (shade(each[owner]) for each in (colours.stones, colours.rims, colours.inlays))
    outlined = radius >= SOFT
    _paint(spot, _disc(size, radius), rim if outlined else body)
    if outlined:
        _paint(spot, _disc(size, radius - max(0.6, 0.09 * radius)), body)
    lies = colours.plate == colours.hole
    if lies and radius < PLAIN:
        return  # black and white need no marks where there is no room
    if owner == 0:
        half = max(0.45, 0.085 * radius)
        tone = inlay if lies else mixed(body, rim, share=0.8 if radius > 3 else 0.5)
        _paint(spot, _ring(size, 0.52 * radius - half, 0.52 * radius + half), tone)
        return
    reach = max(1.4, 0.58 * radius)
    if outlined:
        _paint(spot, _diamond(size, reach), rim)
    _paint(spot, _diamond(size, reach - max(0.6, 0.12 * radius) if outlined else reach), inlay)


def _halo(pixels: Pixels, cell: Cell, *, layout: Layout, strong: bool) -> None:
    """White around a stone, in the gaps between the cells too."""
    size, radius, beyond = (layout.lines + 2, layout.width + 4), _radius(layout), 2
    y, x = 2 * (1 + cell[0] * layout.lines) - beyond, 2 + cell[1] * layout.width - beyond
    spot = pixels[y : y + 2 * size[0], x : x + size[1]]
    halo = np.clip(_disc(size, radius + max(1.0, 0.16 * radius)) - _disc(size, radius), 0, 1)
    _paint(spot, halo[: spot.shape[0], : spot.shape[1]] * (1.0 if strong else 0.75), colour("#ffffff"))


def _paint(spot: Pixels, cover: Cover, what: Colour) -> None:
    spot += (what - spot) * cover[:, :, None]


@functools.lru_cache(maxsize=256)
def _disc(size: tuple[int, int], radius: float) -> Cover:
    across, down = _distances(size)
    return _rounded(across**2 + down**2 <= radius**2)


@functools.lru_cache(maxsize=256)
def _ring(size: tuple[int, int], inner: float, outer: float) -> Cover:
    across, down = _distances(size)
    far = across**2 + down**2
    return _rounded((far >= max(inner, 0.0) ** 2) & (far <= outer**2))


@functools.lru_cache(maxsize=256)
def _diamond(size: tuple[int, int], reach: float) -> Cover:
    across, down = _distances(size)
    return _rounded(abs(across) + abs(down) <= reach)


def _distances(size: tuple[int, int]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Of each sample from the middle, in pixels: [height, width], finer than pixels."""
    lines, width = size
    x = (np.arange(width * FINER) + 0.5) / FINER - (width - 1) / 2
    y = (np.arange(2 * lines * FINER) + 0.5) / FINER - (2 * lines - 1) / 2
    across, down = np.meshgrid(x, y)
    return across, down


def _rounded(samples: NDArray[np.bool_]) -> Cover:
    height, width = samples.shape[0] // FINER, samples.shape[1] // FINER
    cover = samples.reshape(height, FINER, width, FINER).mean(axis=(1, 3))
    return np.asarray(np.round(cover * LEVELS) / LEVELS, dtype=np.float64)
