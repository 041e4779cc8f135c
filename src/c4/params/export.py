"""The whole configuration of `python -m c4.export`, as conf/export.yaml composes it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from enum import Enum

from c4.params.game import GameParams
from c4.params.knob import knob
from c4.params.search import SearchParams
from c4.params.trusted import TrustingConfig

OF_THE_AGENT = (
    "cpuct",
    "fpu_reduction",
    "policy_temperature",
    "mlh_slope",
    "mlh_cap",
    "discount",
    "virtual_loss",
    "leaves_per_batch",
)
"""Knobs of `search` that the Kaggle agent's own search has."""


class ExportFormat(Enum):
    KAGGLE = "kaggle"
    ONNX = "onnx"


@dataclasses.dataclass(frozen=True, kw_only=True)
class ExportConfig(TrustingConfig):
    format: ExportFormat = knob(
        "kaggle: an agent for ConnectX, one file that needs numpy alone. onnx: the network, without a search."
    )
    checkpoint: str = knob("The player: champion, a run's folder, a .safetensors or a .ckpt.")
    output: str | None = knob("The file to write; null: submission.py or network.onnx, where the command is given.")
    seconds: float = knob(
        "Time of a move of the Kaggle agent, which may take 2. Higher: stronger, and nearer to the limit on a slow "
        "machine.",
        low=0.01, high=1.9, unit="seconds",
    )  # fmt: skip
    simulations: int = knob(
        "Most simulations of a move of the Kaggle agent. Higher: stronger where there is time, and more memory.",
        low=1, high=10_000_000,
    )  # fmt: skip
    game: GameParams
    search: SearchParams

    @property
    def in_vain(self) -> Mapping[str, str]:
        if self.format is ExportFormat.ONNX:
            return dict.fromkeys(("search", "seconds", "simulations"), "format=onnx writes a network without a search")
        return {
            f"search.{field.name}": "the agent's own search has no such knob"
            for field in dataclasses.fields(self.search)
            if field.name not in OF_THE_AGENT
        }
