"""The screens of the terminal are as they were kept. Where a change is meant: look at it, then `make screens`."""

from __future__ import annotations

import pytest

pytest.importorskip("textual", reason="the board is an extra: pip install -e '.[ui]'")

from tests.ui.terminal.scenes import DRAWN_BY, SCENES, SIZES, draw, kept, libraries


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", SCENES)
def test_a_screen_is_as_it_was_kept(name: str, size: tuple[int, int]) -> None:
    if libraries() != DRAWN_BY.read_text(encoding="utf-8").strip():
        pytest.skip(f"the kept screens were drawn by {DRAWN_BY.read_text(encoding='utf-8').strip()}")
    path = kept(name, size)
    same = draw(name, size) == path.read_text(encoding="utf-8")
    assert same, f"{path.name} looks different: make screens, look at it, and keep it if it is meant"
