"""What `python -m c4.export` does with its configuration: loads a player, writes it in another program's form."""

from __future__ import annotations

from pathlib import Path

from omegaconf import DictConfig

from c4 import printed
from c4.adapters.kaggle import submission
from c4.adapters.onnx_model import onnx_model
from c4.files import write_beside
from c4.games import UnknownGameError, game_spec
from c4.invocation import install
from c4.network.weights import PlayerFile, PlayerFileError, load_player
from c4.params.errors import ConfigError
from c4.params.export import ExportConfig, ExportFormat
from c4.params.walk import build
from c4.players.checkpoints import player_file

USUAL = {ExportFormat.KAGGLE: "submission.py", ExportFormat.ONNX: "network.onnx"}


def export(composed: DictConfig) -> None:
    """Raises ConfigError, with one sentence, for anything that was asked wrongly."""
    config = build(ExportConfig, composed)
    path = Path(config.output or USUAL[config.format]).expanduser()
    if not path.parent.is_dir() or path.is_dir():
        raise ConfigError(f"output={config.output}: a file in a folder that exists is needed")
    try:
        player = load_player(player_file(config.checkpoint, game=game_spec(config.game.name).name))
        data = _written(player, config)
    except (PlayerFileError, UnknownGameError) as error:
        raise ConfigError(str(error)) from error
    except ImportError as error:
        raise ConfigError(f"format={config.format.value} needs {error.name}: {install('onnx')}") from error
    write_beside(path, data)
    printed.out(f"{path}: {player.spec.title}, {config.format.value}, {len(data) / 1e6:.1f} MB\n")


def _written(player: PlayerFile, config: ExportConfig) -> bytes:
    if config.format is ExportFormat.ONNX:
        return onnx_model(player)
    text = submission(player, search=config.search, seconds=config.seconds, simulations=config.simulations)
    return text.encode()
