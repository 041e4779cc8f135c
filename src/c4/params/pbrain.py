"""The whole configuration of `python -m c4.adapters.pbrain`, as conf/pbrain.yaml composes it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from c4.params.inference import InferenceParams
from c4.params.knob import knob
from c4.params.search import SearchParams, vain_in_play
from c4.params.trusted import TrustingConfig


@dataclasses.dataclass(frozen=True, kw_only=True)
class PbrainConfig(TrustingConfig):
    checkpoint: str = knob(
        "The player: a run's folder, a .safetensors or a .ckpt; champion: the one that comes with c4 for the size of "
        "board that the manager asks for."
    )
    seconds: float = knob(
        "Time of a move until the manager names another (INFO timeout_turn).", low=0.01, high=3600.0, unit="seconds"
    )
    margin: float = knob(
        "Of each limit, what is kept for all that is no search. Higher: no loss on time on a slow or busy machine; "
        "lower: longer searches.",
        low=0.0, high=60.0, unit="seconds",
    )  # fmt: skip
    simulations: int | None = knob(
        "Most simulations of a move, in whole chunks of 64, however much time there is; null: as many as there is "
        "time for.",
        low=1, high=10_000_000,
    )  # fmt: skip
    as_trained: bool = knob("Whether the player searches as it was trained to, as its run or its file says.")
    seed: int = knob("Seed of all chance.", low=0, high=(1 << 31) - 1)
    cache_megabytes: float = knob(
        "Memory for the evaluations of positions that are kept, as selfplay.cache_megabytes.",
        low=0.0, high=1e6, unit="MiB",
    )  # fmt: skip
    search: SearchParams
    inference: InferenceParams

    @property
    def in_vain(self) -> Mapping[str, str]:
        return vain_in_play("search", budget="simulations", as_trained=self.as_trained)
