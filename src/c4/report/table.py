"""Tables: rows of cells, and how they are written for a terminal, in markdown, on a page, for a tracker."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from html import escape

Value = str | int | float | None


@dataclasses.dataclass(frozen=True, kw_only=True)
class Table:
    """Plain values, for trackers."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]

    def markdown(self) -> str:
        return markdown_table(self.columns, [[value_text(value) for value in row] for row in self.rows])


@dataclasses.dataclass(frozen=True, kw_only=True)
class Bars:
    """Figures side by side, for trackers that draw them themselves."""

    name: str
    about: str
    label: str  # what the bars stand for
    value: str
    bars: tuple[tuple[str, float], ...]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Cell:
    """A figure of a page."""

    text: str
    small: str = ""  # below it: its interval
    shade: float | None = None  # 0 to 1: how bad that is


Row = Sequence[str]


def value_text(value: Value) -> str:
    return "–" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)


def columns(rows: Sequence[Row]) -> str:
    """For a terminal: the first column to the left, the others to the right; a rule below the first row."""
    widths = [max(len(row[index]) for row in rows) for index in range(len(rows[0]))]
    lines = []
    for first, *others in rows:
        cells = [cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)]
        lines.append("  ".join([first.ljust(widths[0]), *cells]).rstrip())
    rule = "-" * (sum(widths) + 2 * (len(widths) - 1))
    return "\n".join([lines[0], rule, *lines[1:]])


def markdown_table(head: Sequence[str], rows: Sequence[Row], *, texts: int | None = None) -> str:
    """Only the first `texts` columns are flush left, the others hold numbers; None: all are."""
    rule = ["---" if texts is None or column < texts else "---:" for column in range(len(head))]
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, rule, *rows])


def html_table(
    head: Sequence[str | Cell], rows: Sequence[Sequence[str | Cell]], *, names: int = 1, marked: Sequence[bool] = ()
) -> str:
    """The first `names` cells of a row say what it is about; `marked` rows stand out."""
    lines = []
    for number, row in enumerate(rows):
        cells = "".join(_html(cell, "td", name=column < names) for column, cell in enumerate(row))
        lines.append(f"<tr class='marked'>{cells}</tr>" if marked and marked[number] else f"<tr>{cells}</tr>")
    titles = "".join(_html(cell, "th", name=False) for cell in head)
    return f"<div class='scroll'><table><thead><tr>{titles}</tr></thead><tbody>{''.join(lines)}</tbody></table></div>"


def _html(cell: str | Cell, tag: str, *, name: bool) -> str:
    one = cell if isinstance(cell, Cell) else Cell(text=cell)
    told = {"class": "name" if name else "", "style": "" if one.shade is None else f"--shade:{one.shade:.2f}"}
    attributes = "".join(f" {key}='{escape(value)}'" for key, value in told.items() if value)
    text = escape(one.text) if name or cell is not one else f"<b>{escape(one.text)}</b>"
    return f"<{tag}{attributes}>{text}{f'<small>{escape(one.small)}</small>' if one.small else ''}</{tag}>"
