"""A player or samples, as anybody may hand them over. What begins like JSON is the header of a player whose tensors and
checksums are right, for nothing that is behind a checksum would ever be reached by chance; all else is a whole file.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import torch
from tests.network.shapes import SMALL, trained_like

from c4.files import with_checksum
from c4.games import game_spec
from c4.network.weights import PlayerFileError, load_player, read_card, save_player
from c4.run.archive import Archive, ArchiveError

GAME = game_spec("tictactoe")
PLACE = tempfile.TemporaryDirectory(prefix="c4fuzz")
PLAYER, AGAIN = Path(PLACE.name) / "player.safetensors", Path(PLACE.name) / "again.safetensors"
ARCHIVE = Archive(folder=Path(PLACE.name))


def whole_player() -> bytes:
    torch.manual_seed(0)
    save_player(PLAYER, spec=GAME, design=SMALL, state=trained_like(GAME, SMALL).state_dict(), card={"a": 1})
    return PLAYER.read_bytes()


def parted(data: bytes) -> tuple[bytes, bytes]:
    """Header and tensors."""
    end = 8 + int.from_bytes(data[:8], "little")
    return data[8:end], data[end:]


_, TENSORS = parted(whole_player())


def file_of(data: bytes) -> bytes:
    """What lies on the disk."""
    if not data.startswith(b"{"):
        return data
    plain = len(data).to_bytes(8, "little") + data + TENSORS
    try:
        header = json.loads(data)
        said = header["__metadata__"]
        return with_checksum(lambda metadata: _file(header, metadata), said)
    except (ValueError, KeyError, TypeError, RecursionError):
        return plain


def _file(header: Mapping[str, Any], metadata: Mapping[str, str]) -> bytes:
    text = json.dumps({**header, "__metadata__": dict(metadata)}, ensure_ascii=False).encode()
    return len(text).to_bytes(8, "little") + text + TENSORS


def run(data: bytes) -> None:
    content = file_of(data)
    PLAYER.write_bytes(content)
    with suppress(PlayerFileError):
        assert isinstance(read_card(PLAYER), Mapping)
    with suppress(PlayerFileError):
        player = load_player(PLAYER)
        save_player(AGAIN, spec=player.spec, design=player.design, state=player.state, card=player.card)
        assert load_player(AGAIN).design == player.design
    ARCHIVE.path(0).write_bytes(content)
    with suppress(ArchiveError):
        ARCHIVE.read(0, game=GAME.name)
