"""Which engine judges the positions of self-play. Knows no game's course and no samples."""

from __future__ import annotations

import dataclasses
import logging

from torch import nn

from c4.games import game_spec
from c4.network.inference.auto import choose, precise
from c4.network.inference.engine import InferenceEngine
from c4.network.inference.factory import make_engine
from c4.params.inference import EngineName, InferenceParams, Precision
from c4.params.train import TrainConfig

log = logging.getLogger(__name__)


def chosen_engine(config: TrainConfig, *, network: nn.Module, kept: InferenceParams | None = None) -> InferenceParams:
    """The knobs with auto replaced. A run that is resumed has `kept` its engine: engines round differently."""
    wanted, selfplay = config.inference, config.selfplay
    if kept is not None and wanted.engine in {EngineName.AUTO, kept.engine}:
        is_open = wanted.precision in {Precision.AUTO, Precision.FASTEST}
        same = precise(wanted, kept.engine)
        wanted = dataclasses.replace(same, precision=kept.precision) if is_open else same
    choice = choose(
        wanted,
        spec=game_spec(config.game.name),
        network=network,
        rows=selfplay.games_per_group * config.search.leaves_per_batch,
        in_flight=selfplay.groups,
    )
    log.info("%s", choice)
    return choice.params


def selfplay_engine(config: TrainConfig, inference: InferenceParams, *, network: nn.Module) -> InferenceEngine:
    """Without weights. It sees each position once: to average its symmetries is for grading and play."""
    one_image = dataclasses.replace(inference, average_symmetries=False)
    return make_engine(one_image, spec=game_spec(config.game.name), network=network)
