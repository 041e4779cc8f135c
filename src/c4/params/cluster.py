"""The knobs of work that a Ray cluster does: of self-play and of arenas, which stand in groups of their own."""

from __future__ import annotations

import dataclasses

from c4.params.knob import Params, knob

ON_RAY = {"actors": "not null"}
CLIENT = "ray://"


@dataclasses.dataclass(frozen=True, kw_only=True)
class ClusterParams(Params):
    actors: int | None = knob(
        "Processes of Ray that play. Those for which the cluster has no room yet are waited for beside the game: they "
        "join when there is some. null: this process plays, without Ray.",
        low=1, high=100_000,
    )  # fmt: skip
    address: str | None = knob(
        "The cluster: HOST:PORT of its head, auto for the one that this machine belongs to, ray://HOST:PORT for a "
        "client's connection, over which self-play goes, and no task; null: a cluster of its own on this machine, "
        "which ends with this program.",
        needs=ON_RAY,
    )
    actor_cpus: float = knob("Processors of each, its engine's threads too.", low=0.0, high=1024.0, needs=ON_RAY)
    actor_gpus: float = knob(
        "Share of a GPU that each takes; its engine is what inference says.", low=0.0, high=64.0, needs=ON_RAY
    )
    patience: float = knob(
        "How long the cluster, and the least that must begin on it, are waited for before it is said what is missing.",
        low=1.0, high=86_400.0, unit="seconds", needs=ON_RAY,
    )  # fmt: skip

    @property
    def by_client(self) -> bool:
        """Whether the connection is one of Ray's clients: a process of the cluster does what it asks for."""
        return self.actors is not None and self.address is not None and self.address.startswith(CLIENT)

    def check_tasks(self) -> None:
        """Raises ValueError where Ray would give no tasks."""
        if self.by_client:
            raise ValueError(
                f"{self.group}.address={self.address} is not allowed here: a client's connection brings nothing of "
                "what tasks say; HOST:PORT of the head, or auto"
            )
