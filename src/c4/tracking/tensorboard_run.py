"""A run in TensorBoard: curves, pictures, the network's graph, knobs and what they led to, tables and cards as text."""

from __future__ import annotations

import io
import logging
import warnings
from argparse import Namespace
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import torch
from pytorch_lightning.loggers import TensorBoardLogger
from torch.utils.tensorboard.summary import hparams
from typing_extensions import override

from c4.params.walk import as_typed
from c4.report.picture import Picture
from c4.report.table import Table
from c4.tracking.tracker import Conclusion, Exhibit

log = logging.getLogger(__name__)

FLUSH_SECONDS = 15
"""What a killed process may lose; Loggers.go_on covers more."""

ALWAYS = ("name", "seed")
"""Columns of the hparams tab beside what was typed: with every knob there, nobody finds the one that differs."""

ELSEWHERE = ("callbacks", "evaluation", "hydra", "logger", "paths", "resume", "trusted")
"""What is typed and says nothing of how a run learns."""

REACHED = ("truth/value_preserving", "truth/distance_optimal", "baseline/strength", "loss/total", "budget/minutes")
"""Curves whose newest value stands beside them, those after simulations too."""


class TensorBoardRun(TensorBoardLogger):
    def __init__(self, *, folder: Path, typed: Sequence[str], reached: Sequence[str]) -> None:
        """`typed` are the run's overrides, `reached` the names of what may be logged."""
        super().__init__(
            save_dir=folder, name="tensorboard", version="", default_hp_metric=False, flush_secs=FLUSH_SECONDS
        )
        self._typed = dict(word.lstrip("+~").partition("=")[::2] for word in typed)
        self._reached = [name for stem in REACHED for name in sorted(reached, key=len) if _is_of(name, stem)]

    @override
    def log_hyperparams(self, params: dict[str, Any] | Namespace, *args: Any, **kwargs: Any) -> None:
        """The whole is kept beside; what is compared goes to the hparams tab, with curves that are logged anyway."""
        settings = params if isinstance(params, dict) else vars(params)
        self.hparams.update(settings)
        compared = {name: settings.get(name) for name in ALWAYS}
        for key, value in self._typed.items():
            if not key.startswith(ELSEWHERE):
                compared[key] = _value_at(settings, key, typed=value)
        compared = {key: one if isinstance(one, bool | int | float) else as_typed(one) for key, one in compared.items()}
        for part in hparams(compared, dict.fromkeys(self._reached, 0.0)):  # type: ignore[no-untyped-call]
            self.experiment._get_file_writer().add_summary(part)

    @override
    def log_graph(self, model: torch.nn.Module, input_array: torch.Tensor | None = None) -> None:
        """A network that cannot be traced has none."""
        planes = input_array if input_array is not None else getattr(model, "example_input_array", None)
        if planes is None:
            return
        network = getattr(model, "network", model)
        was_training = network.training
        try:
            with warnings.catch_warnings(), redirect_stdout(io.StringIO()):  # it prints what it raises
                warnings.simplefilter("ignore")
                self.experiment.add_graph(Network(network.eval()), planes.to(next(network.parameters()).device))
        except Exception as error:  # noqa: BLE001 - whatever a tracer meets in a network of somebody's own
            log.info("TensorBoard has no graph of this network: %s", " ".join(str(error).split())[:200])
        finally:
            network.train(was_training)

    def log_steps(self, figures: Mapping[str, float], *, step: int) -> None:
        for name, value in figures.items():
            self.experiment.add_scalar(f"steps/{name}", value, step)

    def show(self, exhibits: Sequence[Exhibit], *, step: int) -> None:
        for exhibit in exhibits:
            if isinstance(exhibit, Table):
                self.experiment.add_text(exhibit.name, exhibit.markdown(), step)
            elif isinstance(exhibit, Picture):
                self.experiment.add_image(exhibit.name, exhibit.pixels(), step, dataformats="HWC")

    def conclude(self, conclusion: Conclusion) -> None:
        if conclusion.player is not None:
            self.experiment.add_text("card", conclusion.card)
        self.finalize("failed" if conclusion.failed else "success")
        self.experiment.close()


class Network(torch.nn.Module):
    """A network as a tracer wants it: tensors in, tensors out."""

    def __init__(self, network: torch.nn.Module) -> None:
        super().__init__()
        self.network = network

    @override
    def forward(self, planes: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return tuple(one for one in self.network(planes) if isinstance(one, torch.Tensor))


def _is_of(name: str, stem: str) -> bool:
    return name == stem or name.removeprefix(f"{stem}_").isdigit()


def _value_at(settings: Mapping[str, Any], key: str, *, typed: str) -> Any:
    """As it is used; of a group the option that was typed."""
    found: Any = settings
    for part in key.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return typed if found is None or isinstance(found, Mapping) else found
