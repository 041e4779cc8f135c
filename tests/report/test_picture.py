"""A picture as SVG and as pixels: themed, noted, self-contained, and the same file each time."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import numpy as np
from tests.report.drawn import titles_of

from c4.report.chart import Axis, Point, Series, lines
from c4.report.picture import Picture
from c4.report.style import COLOURS


def picture(*, weights: tuple[float, float] = (0.0, 0.0)) -> Picture:
    points = [
        Point(x=x, y=x, low=x - 1, high=x + 1, note=f"<{x}> & co", weight=weight) for x, weight in enumerate(weights)
    ]
    series = [Series(label="bare & <b>", points=points, thing="orange")]
    return lines(series, x=Axis(label="plies"), y=Axis(label="error (%)"), about="two & points")


def test_it_asks_nobody_and_is_read_out() -> None:
    for text in (picture().svg(), picture().file()):
        root = ET.fromstring(text)
        assert root.get("aria-label") == "two & points"
        assert not re.search(r"(src|href)=.[^#]|@import|<script|<!DOCTYPE|<.xml", text)
        assert not re.findall(r"https?://(?!www\.w3\.org/2000/svg)", text)


def test_every_colour_is_a_variable_that_follows_the_theme() -> None:
    text = picture().svg()
    assert not re.search(r"#[0-9a-f]{6}\b", re.sub(r'(id|href)="[^"]*"', "", text))
    assert set(re.findall(r"var\(--(\w+)\)", text)) <= set(COLOURS)
    assert "prefers-color-scheme: dark" in picture().file()
    assert "prefers-color-scheme" not in text  # its page brings them


def test_notes_are_titles_of_their_own_marks() -> None:
    for weights in ((0.0, 0.0), (0.1, 0.9)):  # marks of one size are drawn otherwise than of several
        assert titles_of(picture(weights=weights).svg()) == ["<0> & co", "<1> & co"]


def test_the_same_picture_is_the_same_file() -> None:
    assert picture().file() == picture().file()
    assert picture().svg() == picture().svg()


def test_words_stay_words() -> None:
    words = ["".join(one.itertext()) for one in ET.fromstring(picture().svg()).iter("{http://www.w3.org/2000/svg}text")]
    assert "bare & <b>" in words
    assert "error (%)" in words


def test_pixels_have_the_size_of_a_sharp_screen_and_something_on_them() -> None:
    drawn = picture().pixels()
    width, height = picture().figure.get_size_inches() * 72
    assert drawn.shape == (2 * round(height), 2 * round(width), 3)
    assert drawn.dtype == np.uint8
    assert len(np.unique(drawn.reshape(-1, 3), axis=0)) > 10
