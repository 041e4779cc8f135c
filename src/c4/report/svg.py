"""SVG elements as text. Knows no plots."""

from __future__ import annotations

from html import escape


def element(name: str, content: str = "", /, **attributes: str | float) -> str:
    """`text_anchor` becomes text-anchor, `class_` class; numbers are rounded to a tenth. `content` is markup."""
    written = "".join(f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"' for key, value in attributes.items())
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def text(words: str, x: float, y: float, *, class_: str, anchor: str = "middle") -> str:
    return element("text", escape(words), class_=class_, x=x, y=y, text_anchor=anchor)


def path(steps: str, *, class_: str, note: str = "") -> str:
    return element("path", title(note), class_=class_, d=steps)


def rect(x: float, y: float, width: float, height: float, *, class_: str, radius: float = 0, note: str = "") -> str:
    return element("rect", title(note), class_=class_, x=x, y=y, width=width, height=height, rx=radius)


def circle(x: float, y: float, radius: float, *, class_: str) -> str:
    return element("circle", class_=class_, cx=x, cy=y, r=radius)


def title(note: str) -> str:
    """What is shown when the pointer rests on the element."""
    return f"<title>{escape(note)}</title>" if note else ""


def polyline(points: list[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def picture(content: str, *, width: float, height: float, about: str, class_: str) -> str:
    """`about` is read out to those who cannot see it."""
    box = f"0 0 {width:g} {height:g}"
    return element("svg", content, class_=class_, viewBox=box, role="img", aria_label=about)


def _value(value: str | float) -> str:
    if isinstance(value, str):
        return escape(value)
    return f"{value:.1f}".removesuffix(".0")
