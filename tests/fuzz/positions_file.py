"""A file of positions, as anybody may hand it over: with the truth about each move, packed or not, or a book of
openings. The first byte says of which game.
"""

from __future__ import annotations

import tempfile
from contextlib import suppress
from pathlib import Path

import numpy as np

from c4.evaluation.failures import BookError, read_openings
from c4.evaluation.labels import LabelError, parse_labelled, read_labelled, to_lines
from c4.native import _core
from c4.native._core import Position

GAMES = _core.game_names()
PACKED = b"\x1f\x8b"  # how gzip begins
PLACE = tempfile.TemporaryDirectory(prefix="c4fuzz")


def run(data: bytes) -> None:
    if not data:
        return
    game, content = GAMES[data[0] % len(GAMES)], data[1:]
    path = Path(PLACE.name) / ("positions.jsonl.gz" if content.startswith(PACKED) else "positions.jsonl")
    path.write_bytes(content)
    with suppress(LabelError):
        labelled = read_labelled(path, game=game)
        again = parse_labelled(to_lines(labelled), game=game, name="again", source="again")
        assert again.moves == labelled.moves
        assert np.array_equal(again.scores, labelled.scores)
    with suppress(BookError):
        for opening in read_openings(path, game=game):
            assert not Position.from_actions(game, opening).is_terminal
