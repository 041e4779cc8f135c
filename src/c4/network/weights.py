"""Players as files: the weights that play, and what they are weights of. Nothing in a file is ever run.

A player is a safetensors file whose metadata holds a JSON header. A run's checkpoint, which Lightning writes, carries
the same header, and can be loaded as a player too.
"""

from __future__ import annotations

import dataclasses
import json
import pickle
import zipfile
from collections.abc import Mapping
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any

import safetensors
import safetensors.torch
import torch
from torch import Tensor, nn

from c4.files import check_plain, is_as_written, with_checksum, write_beside
from c4.games import GameSpec, UnknownGameError, game_spec
from c4.network.loaded import load_data
from c4.network.network import design_of, make_network
from c4.network.tower import Tower
from c4.params.errors import ConfigError
from c4.params.network import NetworkDesign, NetworkParams
from c4.params.plain import as_plain

FORMAT = 1  # of the header
PLANES = 1  # of the encoding of positions: own stones, opponent's stones, ones if the first player is to move
SEARCH_OF_RUN = "selfplay_search"  # where a card has the knobs of the search that it was trained with
CHECKPOINT_KEY = "c4_player"  # where a run's checkpoint has the header
TRAINED, AVERAGED = "network.", "average."  # how its names of weights begin; the average plays where there is one
_HEADER = "c4"
MOST_HEADER = 100_000_000  # bytes, of safetensors' own


class PlayerFileError(ValueError):
    """A file is no player for this program; the text says why."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class PlayerFile:
    """A network with its weights, ready for evaluation, and all that is needed to write it down again."""

    spec: GameSpec
    design: NetworkDesign
    network: nn.Module
    version: str  # of the program that wrote it
    card: Mapping[str, Any]  # how it came about: plain values, for people

    @property
    def state(self) -> dict[str, Tensor]:
        return self.network.state_dict()


def player_header(spec: GameSpec, design: NetworkDesign, *, card: Mapping[str, Any]) -> str:
    """All but the weights, as JSON."""
    shape = {"name": spec.name} | _shape(spec)
    header = {"format": FORMAT, "planes": PLANES, "game": shape, "network": as_plain(design)}
    return json.dumps(header | {"version": metadata.version("c4"), "card": dict(card)})


def save_player(
    path: Path, *, spec: GameSpec, design: NetworkDesign, state: Mapping[str, Tensor], card: Mapping[str, Any]
) -> None:
    """Writes beside and renames: a reader sees the old file or the new one. Raises OSError."""
    tensors = {name: tensor.detach().cpu().contiguous() for name, tensor in state.items()}
    header = {_HEADER: player_header(spec, design, card=card)}
    write_beside(path, with_checksum(partial(safetensors.torch.save, tensors), header))


def load_player(path: Path, *, game: str | None = None) -> PlayerFile:
    """Reads a player, or the one in a run's checkpoint; `game` says which game is wanted. Raises PlayerFileError."""
    header, state = _checkpoint(path) if is_checkpoint(path) else _safetensors(path)
    player = _player(path, header=header, state=state)
    if game is not None and player.spec.name != game:
        raise PlayerFileError(f"{path} plays {player.spec.name}, not {game}")
    return player


def read_card(path: Path) -> Mapping[str, Any]:
    """How a player came about, without its weights. Raises PlayerFileError."""
    try:
        check_plain(path)
        with safetensors.safe_open(path, framework="pt") as file:
            card = json.loads((file.metadata() or {})[_HEADER])["card"]
    except (safetensors.SafetensorError, OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise PlayerFileError(f"{path} is incomplete, or not a player") from error
    return card if isinstance(card, dict) else {}


def _safetensors(path: Path) -> tuple[str, dict[str, Tensor]]:
    try:
        with safetensors.safe_open(path, framework="pt") as file:
            header = (file.metadata() or {}).get(_HEADER)
            state = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (safetensors.SafetensorError, OSError) as error:
        if _begins_as_pickle(path):
            raise PlayerFileError(f"{path} is refused: it is a pickle, which could run anything") from error
        raise PlayerFileError(f"{path} is incomplete, or not a player") from error
    if header is None:
        raise PlayerFileError(f"{path} is not a player of c4: its header names no game")
    if not is_as_written(path.read_bytes()):
        raise PlayerFileError(f"{path} is broken: it has changed since it was written")
    return header, state


def _begins_as_pickle(path: Path) -> bool:
    """By the protocol in its second byte; but the first eight may be a length that a header has, of a cut player."""
    with path.open("rb") as file:
        start = file.read(8)
    is_length = int.from_bytes(start, "little") <= MOST_HEADER
    return start[:1] == b"\x80" and 2 <= int.from_bytes(start[1:2]) <= pickle.HIGHEST_PROTOCOL and not is_length


def read_checkpoint(path: Path) -> dict[str, Any]:
    """All that Lightning has written, as data: nothing in it is run. Raises PlayerFileError."""
    try:
        if (whole := load_data(path)) is not None:
            return whole
    except pickle.UnpicklingError as error:
        sentence = "it holds more than data, and could run anything, or take any memory"
        raise PlayerFileError(f"{path} is refused: {sentence}") from error
    except (OSError, RuntimeError, EOFError, LookupError, TypeError, ValueError, zipfile.BadZipFile) as error:
        raise PlayerFileError(f"{path} is incomplete, or not a checkpoint") from error
    raise PlayerFileError(f"{path} is broken: it has changed since it was written")


def is_checkpoint(path: Path) -> bool:
    """Whether it was written by Lightning, to go by how it begins. Raises PlayerFileError."""
    try:
        check_plain(path)
        with path.open("rb") as file:
            return file.read(4) == b"PK\x03\x04"
    except OSError as error:
        raise PlayerFileError(f"{path} cannot be read: {error.strerror}") from error


def _checkpoint(path: Path) -> tuple[str, dict[str, Tensor]]:
    whole = read_checkpoint(path)
    try:
        header, weights = whole[CHECKPOINT_KEY], whole["state_dict"]
        names = [name for name in weights if name.startswith(AVERAGED)]
        names = names or [name for name in weights if name.startswith(TRAINED)]
        return str(header), {name.partition(".")[2]: weights[name] for name in names}
    except (KeyError, TypeError, AttributeError) as error:
        raise PlayerFileError(f"{path} is not a checkpoint of c4: it names no game and no network") from error


def _player(path: Path, *, header: str, state: Mapping[str, Tensor]) -> PlayerFile:
    try:
        said = json.loads(header)
        if (said["format"], said["planes"]) != (FORMAT, PLANES):
            raise PlayerFileError(
                f"{path} has format {said['format']} and planes {said['planes']}, this program reads format {FORMAT} "
                f"and planes {PLANES}: it was written by version {said.get('version')} of c4"
            )
        spec = game_spec(said["game"]["name"])
        if said["game"] != {"name": spec.name} | _shape(spec):
            raise PlayerFileError(f"{path} was made for another board that was also called {spec.name}")
        design = design_of(said["network"])
        if isinstance(design, NetworkParams):  # one of a person's own was trusted by name
            _check_shapes(spec, design, state)
        network = make_network(spec, design)
        network.load_state_dict(state)
        endless = any(bool(torch.isinf(weights).any()) for weights in network.parameters())  # as a mask may well be
        if endless or any(bool(torch.isnan(tensor).any()) for tensor in state.values()):
            raise PlayerFileError(f"{path} is broken: some of its weights are not numbers")
        player = PlayerFile(
            spec=spec, design=design, network=network.eval(), version=str(said["version"]), card=said["card"]
        )
    except (KeyError, TypeError, AttributeError, RecursionError, json.JSONDecodeError) as error:
        raise PlayerFileError(f"{path} is not a player of c4: its header is broken") from error
    except (UnknownGameError, ConfigError) as error:
        raise PlayerFileError(f"{path} cannot be used: {error}") from error
    except RuntimeError as error:
        raise PlayerFileError(f"{path} is broken: its weights do not fit the network that it names") from error
    return player


def _check_shapes(spec: GameSpec, design: NetworkParams, state: Mapping[str, Tensor]) -> None:
    """Before there is a network: one that a small file names may take any memory. Raises RuntimeError."""
    with torch.device("meta"):
        named = Tower(spec, design).state_dict()
    if {name: tensor.shape for name, tensor in state.items()} != {name: like.shape for name, like in named.items()}:
        raise RuntimeError("other shapes")


def _shape(spec: GameSpec) -> dict[str, int]:
    names = ("planes", "height", "width", "actions", "max_plies")
    return {name: getattr(spec, name) for name in names}
