"""A player of somebody's own, outside of the package, and configurations that name it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from c4.command_line import check
from c4.params.play import PlayConfig
from c4.params.walk import build
from c4.sources import opened

CONF = Path(__file__).parents[2] / "conf"
LOWEST = """
class Lowest:
    title, called = "The lowest move", "the lowest move"

    def __init__(self, *, game, skip=0):
        self.name, self.skip = f"lowest of {game}", skip

    def begin(self, slots):
        pass

    def choose(self, positions):
        return {slot: position.legal[self.skip] for slot, position in positions.items()}
"""
MINE = "_target_: of_somebody.Lowest\nskip: 2\n"


def written(folder: Path) -> None:
    """The class, and a file in the group of players."""
    (folder / "of_somebody.py").write_text(LOWEST)
    (folder / "player").mkdir()
    (folder / "player" / "mine.yaml").write_text(MINE)


@contextmanager
def asked(*words: str, config_dir: Path | None = None) -> Iterator[PlayConfig]:
    """As play.py asks for it."""
    with opened(conf=CONF, name="play", config_dir=None if config_dir is None else str(config_dir)) as sources:
        line = check(words, sources=sources, schema=PlayConfig, multirun=False)
        yield build(PlayConfig, sources.compose(line.words))
