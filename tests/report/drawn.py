"""What is asked of a drawn picture: the data, the words and the limits in it, never its pixels."""

from __future__ import annotations

import dataclasses
import itertools
import json
from collections.abc import Iterator
from xml.etree import ElementTree as ET

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.text import Text
from numpy.typing import NDArray

from c4.report.chart import Axis, Point, Series, lines
from c4.report.picture import NOTE, Picture

SVG = "{http://www.w3.org/2000/svg}"


def data_of(axes: Axes) -> Iterator[NDArray[np.float64]]:
    """The points of all lines, marks, bands, bars and whiskers, in the values of the axes."""
    for line in axes.lines:
        if line.get_transform() == axes.transData:
            yield np.asarray(line.get_xydata(), float)
    for one in axes.collections:
        if isinstance(one, PathCollection):
            if one.get_offset_transform() == axes.transData:
                yield np.asarray(one.get_offsets(), float)
        else:
            yield from (np.asarray(path.vertices, float) for path in one.get_paths())
    for patch in axes.patches:
        if patch.get_transform().contains_branch(axes.transData):
            yield axes.transData.inverted().transform(patch.get_window_extent().get_points())


def assert_nothing_is_cut(picture: Picture) -> None:
    """Every axis holds all of its data, and the picture all of its words."""
    picture.figure.draw_without_rendering()
    for axes in picture.figure.axes:
        for points in data_of(axes):
            for values, (low, high) in zip(points.T, (axes.get_xlim(), axes.get_ylim()), strict=True):
                low, high = min(low, high), max(low, high)
                slack = 1e-6 * (high - low)
                assert low - slack <= values.min(), (values.min(), low)
                assert values.max() <= high + slack, (values.max(), high)
    whole = picture.figure.bbox
    for text in visible(picture):
        box = text.get_window_extent()
        assert -2 <= box.x0 <= box.x1 <= whole.width + 2, text
        assert -2 <= box.y0 <= box.y1 <= whole.height + 2, text


def assert_words_keep_apart(picture: Picture) -> None:
    picture.figure.draw_without_rendering()
    boxes = [(text.get_text(), text.get_window_extent().padded(-1)) for text in visible(picture)]
    for (one, box), (other, beside) in itertools.combinations(boxes, 2):
        assert not box.overlaps(beside), (one, other)


def visible(picture: Picture) -> list[Text]:
    """All but the ticks that matplotlib holds in reserve beyond the ends of an axis."""
    held = set()
    for axes in picture.figure.axes:
        for axis, (low, high) in ((axes.xaxis, sorted(axes.get_xlim())), (axes.yaxis, sorted(axes.get_ylim()))):
            held |= {tick.label1 for tick in axis.get_major_ticks() if not low <= tick.get_loc() <= high}
    return [
        text for text in picture.figure.findobj(Text) if text.get_text() and text.get_visible() and text not in held
    ]


def words_of(picture: Picture) -> list[str]:
    picture.figure.draw_without_rendering()
    return [text.get_text() for text in visible(picture)]


def notes_of(artist: Artist) -> list[str]:
    told = artist.get_gid() or ""
    found = json.loads(told.removeprefix(NOTE)) if told.startswith(NOTE) else []
    return [found] if isinstance(found, str) else found


def all_notes(picture: Picture) -> list[str]:
    return [note for artist in picture.figure.findobj() for note in notes_of(artist)]


def titles_of(svg: str) -> list[str]:
    return [title.text or "" for title in ET.fromstring(svg).iter(f"{SVG}title")]


def drawn(name: str) -> Picture:
    """Some picture."""
    series = [Series(label="bare", points=[Point(x=0, y=0), Point(x=1, y=1)], thing="orange")]
    picture = lines(series, x=Axis(label="generation"), y=Axis(label="error (%)"), about="some lines")
    return dataclasses.replace(picture, name=name)
