"""From what a person writes for a network to its file: a path, a run's folder, or the champion that comes with c4."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from c4.invocation import as_typed_here
from c4.network.weights import PlayerFileError
from c4.run.finding import player_in

CHAMPION = "champion"


class NoChampionError(PlayerFileError):
    """The package carries no player of this game."""


def player_file(name: str, *, game: str) -> Path:
    """The file of `champion` (of this game), of a run's folder, or of a path. Raises PlayerFileError."""
    if name == CHAMPION:
        return _champion(game)
    path = Path(name).expanduser()
    if not path.exists():
        raise PlayerFileError(f"checkpoint={name}: there is no such file or folder")
    if path.is_file():
        return path
    found = player_in(path)
    if found is None:
        raise PlayerFileError(f"checkpoint={name}: this folder holds no player: no best.safetensors, no *.ckpt")
    return found


def _champion(game: str) -> Path:
    path = Path(str(resources.files("c4"))) / CHAMPION / f"{game}.safetensors"
    if not path.is_file():
        recipe = resources.files("c4") / "conf" / "experiment" / f"{game}.yaml"
        words = f"experiment={game}" if recipe.is_file() else f"game={game}"
        raise NoChampionError(
            f"no champion of {game} is installed: train one ({as_typed_here(f'python train.py {words}')}) "
            "and give checkpoint=PATH, or play opponent=rollout"
        )
    return path
