"""A run in TensorBoard: curves, pictures, and tables and cards as text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pytorch_lightning.loggers import TensorBoardLogger

from c4.report.picture import Picture
from c4.report.table import Table
from c4.tracking.tracker import Conclusion

FLUSH_SECONDS = 15
"""What a killed process may lose; Loggers.go_on covers more."""


class TensorBoardRun(TensorBoardLogger):
    def __init__(self, *, folder: Path) -> None:
        super().__init__(
            save_dir=folder, name="tensorboard", version="", default_hp_metric=False, flush_secs=FLUSH_SECONDS
        )

    def show(self, exhibits: Sequence[Table | Picture], *, step: int) -> None:
        for exhibit in exhibits:
            if isinstance(exhibit, Table):
                self.experiment.add_text(exhibit.name, exhibit.markdown(), step)
            else:
                self.experiment.add_image(exhibit.name, exhibit.pixels(), step, dataformats="HWC")

    def conclude(self, conclusion: Conclusion) -> None:
        if conclusion.player is not None:
            self.experiment.add_text("card", conclusion.card)
        self.finalize("failed" if conclusion.failed else "success")
        self.experiment.close()
