"""inference.engine=auto: times the engines that this machine has, on batches of the size that they will get.

Once: what was found out is kept (choices.py), so that the same question has the same answer whatever a clock says.
"""

from __future__ import annotations

import dataclasses
import hashlib
import importlib.util
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from importlib import metadata
from typing import Any

import numpy as np
import torch
from torch import nn

from c4.games import GameSpec
from c4.invocation import as_typed_here, install
from c4.machine import cores, processor_name
from c4.network.inference.choices import Choices, Kept, choices
from c4.network.inference.engine import EngineUnavailableError, InferenceEngine
from c4.network.inference.factory import make_engine
from c4.network.inference.processor import processor_precision
from c4.params.inference import EngineName, InferenceParams, Precision

ONLY = {Precision.FLOAT16: [EngineName.CUDA], Precision.INT8: [EngineName.OPENVINO]}
CUDA_BUCKETS = (256, 1024)
"""What the buckets of processors lack: a GPU is idle in passes so small."""

WHERE = "python -m c4.engines"
ROUNDS = 5  # engines take turns, so that a busy moment of the machine does not hit one alone; the best round counts

CLOSE = 0.05
"""Of the fastest rate: within it clocks say nothing, and the order of PREFERRED does."""

PREFERRED = ("cuda", "openvino", "torch")  # the rest, which rounds more, after them

PACKAGES = ("c4", "torch", "openvino")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Choice:
    """The knobs with auto replaced: to be kept with a run, which is the same run only under the same engine."""

    params: InferenceParams
    rates: Mapping[str, float]  # evaluations per second; empty when there was nothing to time
    why: str  # empty when nothing was left open

    def __str__(self) -> str:
        taken = f"inference: {self.params.engine.value} in {self.params.precision.value}"
        return f"{taken}, {self.why}" if self.why else taken


def choose(
    params: InferenceParams,
    *,
    spec: GameSpec,
    network: nn.Module,
    rows: int,
    in_flight: int,
    clock: Callable[[], float] = time.perf_counter,
) -> Choice:
    """Names engine and precision. `rows` of a batch and `in_flight` batches at once are what the user will send."""
    candidates = _candidates(params)
    if len(candidates) == 1:
        return Choice(params=candidates[0], rates={}, why=_only_one(candidates[0], wanted=params))
    asked = _question(candidates, spec=spec, network=network, rows=rows, in_flight=in_flight)
    with choices() as book:
        if found := _answer(book, asked, candidates, rows=rows):
            return found
        choice = _timed(candidates, params, spec=spec, network=network, rows=rows, in_flight=in_flight, clock=clock)
        if choice.rates:
            today = datetime.now(UTC).date().isoformat()
            book.keep(Kept(asked=asked, taken=_label(choice.params), rates=choice.rates, date=today))
    return choice


def _timed(
    candidates: Sequence[InferenceParams],
    params: InferenceParams,
    *,
    spec: GameSpec,
    network: nn.Module,
    rows: int,
    in_flight: int,
    clock: Callable[[], float],
) -> Choice:
    planes = np.zeros((rows, spec.planes, spec.height, spec.width), np.uint8)
    planes[:, :, ::2] = 1
    with ExitStack() as opened:
        engines: dict[InferenceParams, InferenceEngine] = {}
        refused: list[EngineUnavailableError] = []
        for one in candidates:
            try:
                engine = opened.enter_context(closing(make_engine(one, spec=spec, network=network)))
                engine.load(network.state_dict())
                engine.evaluate(planes)
            except EngineUnavailableError as error:  # of this network
                refused.append(error)
            else:
                engines[one] = engine
        if len(engines) < 2:
            return _left(engines, refused)
        seconds = params.auto_seconds / (ROUNDS * len(engines))
        rounds = [
            {one: _rate(engine, planes, in_flight=in_flight, seconds=seconds, clock=clock)
             for one, engine in engines.items()}
            for _ in range(ROUNDS)
        ]  # fmt: skip
    rates = {_label(one): max(each[one] for each in rounds) for one in engines}
    taken = _fastest(rates)
    return Choice(
        params=next(one for one in engines if _label(one) == taken),
        rates=rates,
        why="; ".join([f"the fastest at {rows} rows a batch ({_figures(rates)})", *map(str, refused)]),
    )


def _fastest(rates: Mapping[str, float]) -> str:
    close = [label for label, rate in rates.items() if rate >= (1 - CLOSE) * max(rates.values())]
    return next((label for label in PREFERRED if label in close), close[0])


def _figures(rates: Mapping[str, float]) -> str:
    by_speed = sorted(rates.items(), key=lambda item: -item[1])
    return "evaluations/s: " + ", ".join(f"{label} {rate:,.0f}" for label, rate in by_speed)


def _question(
    candidates: Sequence[InferenceParams], *, spec: GameSpec, network: nn.Module, rows: int, in_flight: int
) -> dict[str, Any]:
    """All that the answer depends on, as plain values."""
    weights = {name: tuple(tensor.shape) for name, tensor in network.state_dict().items()}
    form = repr((type(network).__module__, type(network).__qualname__, str(network), weights))
    count = sum(weight.numel() for weight in network.parameters())
    return {
        "game": spec.name,
        "network": f"{type(network).__name__}, {count:,} weights, {hashlib.sha256(form.encode()).hexdigest()[:8]}",
        "rows": rows,
        "in_flight": in_flight,
        "machine": f"{processor_name()}, {cores()} cores",
        "card": torch.cuda.get_device_name() if torch.cuda.is_available() else "",
        "versions": {name: version for name in PACKAGES if (version := _version(name))},
        "engines": [
            f"{_label(one)} in {one.precision.value}, streams {one.streams}, passes {list(one.buckets)}"
            + (", every symmetry" if one.average_symmetries else "")
            for one in candidates
        ],
    }


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def _answer(
    book: Choices, asked: Mapping[str, Any], candidates: Sequence[InferenceParams], *, rows: int
) -> Choice | None:
    kept = book.kept(asked)
    taken = next((one for one in candidates if kept and _label(one) == kept.taken), None)
    if kept is None or taken is None:
        return None
    figures = _figures(kept.rates)
    by = as_typed_here(WHERE)
    why = f"the fastest at {rows} rows a batch when they were timed on {kept.date} ({figures}; {by} shows and clears)"
    return Choice(params=taken, rates=kept.rates, why=why)


def _left(engines: Iterable[InferenceParams], refused: Sequence[EngineUnavailableError]) -> Choice:
    """When no two engines are there to be timed."""
    for one in engines:
        return Choice(params=one, rates={}, why="; ".join(map(str, refused)))
    raise refused[0]


def available() -> Sequence[EngineName]:
    """Engines that this machine can run. Not torch_compile: to compile takes longer than to choose may."""
    names = [EngineName.TORCH]
    if importlib.util.find_spec("openvino") is not None:
        names.append(EngineName.OPENVINO)
    if torch.cuda.is_available():
        names.append(EngineName.CUDA)
    return names


def _candidates(params: InferenceParams) -> list[InferenceParams]:
    """What the knobs leave to choose from, engine and precision named."""
    names = [params.engine]
    if params.engine is EngineName.AUTO:
        names = list(ONLY.get(params.precision) or available())
    candidates = [precise(params, name) for name in names]
    if params.precision is Precision.FASTEST and EngineName.OPENVINO in names:
        candidates.append(dataclasses.replace(params, engine=EngineName.OPENVINO, precision=Precision.INT8))
    return candidates


def precise(params: InferenceParams, engine: EngineName) -> InferenceParams:
    """What is left open, as this engine takes it."""
    buckets = params.buckets
    if params.engine is EngineName.AUTO and engine is EngineName.CUDA:
        buckets = tuple(sorted({*buckets, *CUDA_BUCKETS}))
    precision: Precision = Precision.AUTO if params.precision is Precision.FASTEST else params.precision
    if engine is EngineName.CUDA:
        precision = Precision.FLOAT16 if precision is Precision.AUTO else precision
    else:
        precision = processor_precision(precision)
    return dataclasses.replace(params, engine=engine, precision=precision, buckets=buckets)


def suited(params: InferenceParams, *, on_gpu: bool) -> InferenceParams:
    """For one of several machines that play together, of which some have a GPU: what `params` names where it can run
    there, else the engine that is usual there.
    """
    is_cuda = params.engine is EngineName.CUDA
    if on_gpu == is_cuda:
        return params
    usual = EngineName.OPENVINO if EngineName.OPENVINO in available() else EngineName.TORCH
    left_open = dataclasses.replace(params, engine=EngineName.AUTO, precision=Precision.AUTO)
    return precise(left_open, EngineName.CUDA if on_gpu else usual)


def _only_one(taken: InferenceParams, *, wanted: InferenceParams) -> str:
    if wanted.engine is not EngineName.AUTO:
        return ""
    if wanted.precision in ONLY:
        return f"the only engine that has {wanted.precision.value}"
    missing = "" if taken.engine is EngineName.OPENVINO else f"; OpenVINO is often faster: {install('openvino')}"
    return f"the only engine on this machine{missing}"


def _label(params: InferenceParams) -> str:
    return f"{params.engine.value}{' int8' if params.precision is Precision.INT8 else ''}"


def _rate(
    engine: InferenceEngine, planes: np.ndarray, *, in_flight: int, seconds: float, clock: Callable[[], float]
) -> float:
    """Evaluations per second with `in_flight` batches at once."""
    start, done = clock(), 0
    handles = [engine.submit(planes) for _ in range(in_flight)]
    while handles:
        handles.pop(0).result()
        done += len(planes)
        if clock() - start < seconds:
            handles.append(engine.submit(planes))
    return done / (clock() - start)
