"""The run's own table of metrics as a logger of Lightning's."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from typing import Any

from pytorch_lightning.loggers.logger import Logger
from typing_extensions import override

from c4.run.folder import RunFolder
from c4.run.metrics import Rows, write_metrics


class MetricsCsv(Logger):
    """Rows by step; what is logged several times for a step becomes one row."""

    def __init__(self, folder: RunFolder) -> None:
        super().__init__()
        self._folder = folder
        self._rows: dict[int, dict[str, float]] = {}

    def restore(self, rows: Rows) -> None:
        """Takes over the rows of the generations that a resumed run goes on from: the others it makes again."""
        self._rows = {step: dict(row) for step, row in rows.items()}
        self.save()

    @property
    def rows(self) -> tuple[dict[str, float], ...]:
        """Every generation's metrics, oldest first."""
        return tuple(self._rows[step] for step in sorted(self._rows))

    @property
    def by_generation(self) -> dict[int, dict[str, float]]:
        return {step: dict(self._rows[step]) for step in sorted(self._rows)}

    @property
    @override
    def name(self) -> str:
        return "csv"

    @property
    @override
    def version(self) -> str:
        return ""

    @property
    @override
    def save_dir(self) -> str:
        return str(self._folder.path)

    @override
    def log_hyperparams(self, params: dict[str, Any] | Namespace, *args: Any, **kwargs: Any) -> None:
        """The run's folder has them."""

    @override
    def log_metrics(self, metrics: Mapping[str, float], step: int | None = None) -> None:
        if step is None:
            raise ValueError("metrics are logged by generation: log them with a step")
        row = self._rows.setdefault(int(step), {})
        row.update({name: float(value) for name, value in metrics.items() if name != "epoch"})
        self.save()

    @override
    def save(self) -> None:
        """Lightning ends every logger, that of a run that was refused too: what stands there then stays."""
        if self._rows:
            write_metrics(self._folder, self._rows)
