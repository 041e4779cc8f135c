"""A drawn picture, and what becomes of it: SVG that follows the reader's theme, or pixels. Knows no charts.

A note of an artist (`noted`) is shown when the pointer rests on it.
"""

from __future__ import annotations

import dataclasses
import io
import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import numpy as np
from numpy.typing import NDArray

from c4.report.style import COLOURS, FONT, light, theme_css

if TYPE_CHECKING:  # it takes half a second to load, and most programs draw nothing
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure

RC: Any = {  # matplotlib has a type of five hundred literals for it
    "axes.axisbelow": True,
    "axes.edgecolor": light("soft"),
    "axes.facecolor": "none",
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.labelcolor": light("soft"),
    "axes.labelpad": 6,
    "axes.spines.left": False,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.dpi": 72,  # a unit is a point is a pixel of the page
    "figure.facecolor": light("card"),
    "font.family": ["DejaVu Sans"],  # comes along, and is wider than what a page shows in its place
    "font.size": 12,
    "grid.color": light("grid"),
    "lines.linewidth": 2.25,
    "lines.solid_joinstyle": "round",
    "svg.fonttype": "none",
    "svg.hashsalt": "c4",  # the same picture is the same file
    "text.color": light("ink"),
    "text.parse_math": False,
    "xtick.color": light("soft"),
    "xtick.labelsize": 11.5,
    "ytick.color": light("soft"),
    "ytick.labelsize": 11.5,
    "ytick.major.size": 0,
}
SVG, XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
VARIABLES = {pair[0]: f"var(--{name})" for name, pair in COLOURS.items()}
NOTE = "note:"
SHARPNESS = 2  # pixels a unit


@dataclasses.dataclass(frozen=True, kw_only=True)
class Picture:
    figure: Figure
    about: str  # read out to those who cannot see it
    name: str = ""  # for trackers

    def svg(self) -> str:
        """For a page, which brings the colours."""
        root = self._tree()
        del root.attrib["width"], root.attrib["height"]
        return ET.tostring(root, encoding="unicode")

    def file(self) -> str:
        """A file of its own."""
        root = self._tree()
        style = ET.Element(f"{{{SVG}}}style")
        style.text = theme_css("svg")
        root.insert(0, style)
        return ET.tostring(root, encoding="unicode") + "\n"

    def pixels(self) -> NDArray[np.uint8]:
        """Rows, columns, and red, green, blue; on a light ground."""
        import matplotlib as mpl
        from matplotlib.backends.backend_agg import FigureCanvasAgg

        with mpl.rc_context(RC):
            canvas: Any = FigureCanvasAgg(self.figure)
            self.figure.set_dpi(SHARPNESS * RC["figure.dpi"])
            canvas.draw()
            drawn = np.asarray(canvas.buffer_rgba())[..., :3].copy()
            self.figure.set_dpi(RC["figure.dpi"])
        return drawn

    def png(self) -> bytes:
        """A file of pixels; on a light ground."""
        import matplotlib.image

        written, plain = io.BytesIO(), {"Software": ""}
        matplotlib.image.imsave(written, self.pixels(), format="png", metadata=plain)
        return written.getvalue()

    def _tree(self) -> ET.Element:
        import matplotlib as mpl

        written = io.StringIO()
        with mpl.rc_context(RC):
            self.figure.savefig(written, format="svg", transparent=True, metadata={"Date": None})
        for prefix, space in (("", SVG), ("xlink", XLINK)):
            ET.register_namespace(prefix, space)
        root = ET.fromstring(written.getvalue())
        _tidy(root)
        root.attrib |= {"role": "img", "aria-label": self.about, "stroke-linejoin": "round", "font-family": FONT}
        for side in ("width", "height"):
            root.set(side, root.get(side, "").removesuffix("pt"))
        return root


def noted(artist: Artist, notes: str | Sequence[str]) -> None:
    """One note for the whole of it, or one for each of its marks."""
    if any(notes):
        artist.set_gid(NOTE + json.dumps(notes if isinstance(notes, str) else list(notes)))


def _tidy(root: ET.Element) -> None:
    """What a page does not need goes; colours become variables; notes become titles."""
    used = set(re.findall(r"#([\w.]+)", ET.tostring(root, encoding="unicode")))
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag == f"{{{SVG}}}metadata" or (len(child) and child[0].tag == f"{{{SVG}}}style"):
                parent.remove(child)
    for element in list(root.iter()):
        name = element.attrib.pop("id", "")
        if name.startswith(NOTE):
            _title(element, json.loads(name.removeprefix(NOTE)))
        elif name in used:
            element.set("id", name)
        if link := element.attrib.pop(f"{{{XLINK}}}href", None):
            element.set("href", link)
        for key in {"d", "x", "y", "transform"} & element.attrib.keys():
            element.set(key, " ".join(re.sub(r"(\.\d)\d+", r"\1", element.attrib[key]).split()))
        if style := element.get("style"):
            style = re.sub(r" *font-family: [^;]*;?", "", style)
            element.set("style", re.sub(r"#[0-9a-f]{6}", lambda found: VARIABLES.get(found[0], found[0]), style))
        if element.get("transform", "").startswith("rotate(-0 "):
            del element.attrib["transform"]
        element.text, element.tail = (element.text or "").strip() or None, None


def _title(group: ET.Element, notes: str | Sequence[str]) -> None:
    if isinstance(notes, str):
        marks, notes = [group], [notes]
    else:
        inside = {id(one) for defs in group.iter(f"{{{SVG}}}defs") for one in defs.iter()}
        shapes = (f"{{{SVG}}}use", f"{{{SVG}}}path")
        marks = [one for one in group.iter() if one.tag in shapes and id(one) not in inside]
    for mark, note in zip(marks, notes, strict=True):
        title = ET.Element(f"{{{SVG}}}title")
        title.text = note
        mark.insert(0, title)
