"""What goes over the network, as bytes: what a chunk brought, and weights. Everything comes back bit for bit.

Columns are sent by the bytes of their numbers, all first bytes first, which compresses well. Nothing is pickled here.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from c4.replay.samples import columns, from_columns
from c4.selfplay.chunks import Chunk, Played

LEVEL = 1  # of zlib: what more would save costs more time than it is worth on one core
PER_GAME = {"game_id": np.int64, "weights_version": np.int32, "result": np.int8}
PER_PLY = {"actions": np.uint8, "best": np.int16, "flags": np.uint8, "root_values": np.float32}

Arrays = dict[str, NDArray[Any]]


def pack(played: Played) -> bytes:
    games = played.games
    arrays: Arrays = {f"sample.{name}": column for name, column in columns(played.samples).items()}
    arrays |= {name: np.array([game[name] for game in games], kind) for name, kind in PER_GAME.items()}
    arrays["plies"] = np.array([len(game["actions"]) for game in games], np.int16)
    for name, kind in PER_PLY.items():
        arrays[name] = np.array([one for game in games for one in game[name]], kind)
    about = {"first": played.chunk.first, "games": played.chunk.games, "counters": dict(played.counters)}
    return _frame(arrays, about=about)


def unpack(frame: bytes, *, game: str) -> Played:
    """Raises ValueError for bytes that are nothing of the kind."""
    arrays, about = _unframe(frame)
    prefix = "sample."
    samples = {name.removeprefix(prefix): one for name, one in arrays.items() if name.startswith(prefix)}
    ends = np.cumsum(arrays["plies"], dtype=np.int64)
    games: list[dict[str, Any]] = []
    for place, end in enumerate(ends):
        plies = slice(int(end) - int(arrays["plies"][place]), int(end))
        one: dict[str, Any] = {name: int(arrays[name][place]) for name in PER_GAME}
        games.append(one | {name: arrays[name][plies].tolist() for name in PER_PLY})
    return Played(
        chunk=Chunk(first=about["first"], games=about["games"]),
        samples=from_columns(samples, game=game),
        games=games,
        counters=about["counters"],
    )


def pack_weights(weights: Mapping[str, Tensor], *, half: torch.dtype | None = None) -> dict[str, NDArray[Any]]:
    """By name. `half`: what has two dimensions or more goes in this format of 16 bits, for engines that work in it."""
    packed = {}
    for name, tensor in weights.items():
        tensor = tensor.detach().cpu().contiguous()
        if half is not None and tensor.dtype is torch.float32 and tensor.dim() > 1:
            tensor = tensor.to(half)
        packed[name] = (tensor.view(torch.int16) if tensor.dtype is torch.bfloat16 else tensor).numpy()
    return packed


def unpack_weights(packed: Mapping[str, NDArray[Any]]) -> dict[str, Tensor]:
    weights = {}
    for name, array in packed.items():
        tensor = torch.from_numpy(array.copy())  # the object store's own memory cannot be written to
        tensor = tensor.view(torch.bfloat16) if array.dtype == np.int16 else tensor
        weights[name] = tensor.float() if tensor.dtype in (torch.bfloat16, torch.float16) else tensor
    return weights


def _frame(arrays: Arrays, *, about: Mapping[str, Any]) -> bytes:
    layout = [[name, one.dtype.str, list(one.shape)] for name, one in arrays.items()]
    head = json.dumps({"about": about, "layout": layout}).encode()
    body = b"".join(_shuffled(one) for one in arrays.values())
    return zlib.compress(struct.pack("<I", len(head)) + head + body, LEVEL)


def _unframe(frame: bytes) -> tuple[Arrays, dict[str, Any]]:
    try:
        data = zlib.decompress(frame)
    except zlib.error as error:
        raise ValueError(f"what an actor sent is damaged: {error}") from None
    (length,) = struct.unpack_from("<I", data)
    head = json.loads(data[4 : 4 + length])
    arrays, place = {}, 4 + length
    for name, kind, shape in head["layout"]:
        dtype, count = np.dtype(kind), int(np.prod(shape, dtype=np.int64))
        raw = np.frombuffer(data, np.uint8, count * dtype.itemsize, place)
        place += raw.size
        arrays[name] = np.ascontiguousarray(raw.reshape(dtype.itemsize, count).T).view(dtype).reshape(shape)
    return arrays, dict(head["about"])


def _shuffled(array: NDArray[Any]) -> bytes:
    flat = np.ascontiguousarray(array).reshape(-1)
    return flat.view(np.uint8).reshape(len(flat), array.dtype.itemsize).T.tobytes()


def size_of(packed: Mapping[str, NDArray[Any]]) -> int:
    return sum(array.nbytes for array in packed.values())


__all__: Sequence[str] = ["pack", "pack_weights", "size_of", "unpack", "unpack_weights"]
