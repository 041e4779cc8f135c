"""A page: a self-contained document of cards. No script, style, font or picture comes from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path

from c4.report.picture import Picture
from c4.report.style import FONT, theme_css

STYLE = Path(__file__).parent / "data" / "page.css"


def sheet(title: str, *, kicker: str, parts: Iterable[str], facts: Mapping[str, str], notes: str = "") -> str:
    """A whole document. `facts` say where it comes from: report/provenance.py."""
    body = "\n".join(part for part in parts if part)
    style = theme_css(":root") + f"body, svg text {{ font-family: {FONT}; }}\n" + STYLE.read_text(encoding="utf-8")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style></head>\n"
        f"<body><main>\n<header><p class='kicker'>{escape(kicker)}</p><h1>{escape(title)}</h1></header>\n{body}\n"
        f"<footer>{notes}{_told(facts)}</footer>\n</main></body></html>\n"
    )


def card(title: str, *content: Picture | str, note: str = "", wide: bool = False) -> str:
    """`note` is plain text, `content` pictures or markup."""
    inside = "".join(one.svg() if isinstance(one, Picture) else one for one in content)
    head = f"<h3>{escape(title)}</h3>" if title else ""
    return f"<section class='card{' wide' if wide else ''}'>{head}{_note(note)}{inside}</section>"


def tile(title: str, content: str, *lines: str, note: str = "") -> str:
    """Stands above the cards, over the whole width."""
    said = f"<p class='line'>{escape(' '.join(lines))}</p>" if any(lines) else ""
    head = f"<h2>{escape(title)}</h2>{_note(note)}" if title else _note(note)
    return f"<section class='card tile wide'>{head}{content}{said}</section>"


def heading(words: str) -> str:
    return f"<h2 class='subject'>{escape(words)}</h2>"


def numbers(figures: Iterable[tuple[str, str, str]]) -> str:
    """Large ones: (figure, what it is, its interval or what it is of)."""
    told = (
        f"<div class='number'><b>{escape(figure)}</b><span>{escape(what)}</span><small>{escape(of)}</small></div>"
        for figure, what, of in figures
    )
    return f"<div class='numbers'>{''.join(told)}</div>"


def gallery(
    pictures: Iterable[tuple[Picture, Sequence[str]]], *, links: Sequence[str] = (), broad: bool = False
) -> str:
    """Pictures with what is said below each; the first words stand out, the last lead to its link."""
    shown = []
    for number, (picture, (first, *rest)) in enumerate(pictures):
        lines = [f"<b>{escape(first)}</b>", *map(escape, rest)]
        if links:
            lines[-1] = f"<a href='{escape(links[number])}'>{lines[-1]}</a>"
        caption = "<br>".join(lines)
        shown.append(f"<figure>{picture.svg()}<figcaption>{caption}</figcaption></figure>")
    return f"<div class='gallery{' broad' if broad else ''}'>{''.join(shown)}</div>"


def command(text: str) -> str:
    """To be typed."""
    return f"<code class='command'>{escape(text)}</code>"


def folded(summary: str, content: str) -> str:
    return f"<details><summary>{escape(summary)}</summary>{content}</details>"


def legend(parts: Iterable[tuple[str, str, str]]) -> str:
    """(figure, what it is, colour)"""
    items = (
        f"<li style='--mark:var(--{colour})'><b>{escape(figure)}</b> {escape(what)}</li>"
        for figure, what, colour in parts
    )
    return f"<ul class='legend'>{''.join(items)}</ul>"


def _note(words: str) -> str:
    return f"<p class='note'>{escape(words)}</p>" if words else ""


def _told(facts: Mapping[str, str]) -> str:
    """Those that are known."""
    items = "".join(f"<dt>{escape(name)}</dt><dd>{escape(fact)}</dd>" for name, fact in facts.items() if fact)
    return f"<dl class='facts'>{items}</dl>" if items else ""
