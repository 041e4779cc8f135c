"""CUDA without a GPU: streams and graphs that do nothing until they are waited for, so that who reads, overwrites or
publishes too early is found out."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import ClassVar

import pytest
import torch

from c4.network.inference import cuda_engine


class Stream:
    """A CUDA stream as unhurried as may be: what is put on it is done when somebody waits for it, not before."""

    all: ClassVar[list[Stream]] = []
    current = threading.local()
    lock = threading.RLock()

    def __init__(self, *_: object) -> None:
        self.work: list[Callable[[], None]] = []
        self.done = 0
        self.all.append(self)

    def finish(self, until: int) -> None:
        with self.lock, torch.no_grad():
            while self.done < until:
                self.work[self.done]()
                self.done += 1


class Current:
    """torch.cuda.stream"""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream

    def __enter__(self) -> None:
        Stream.current.stream = self.stream

    def __exit__(self, *_: object) -> None:
        del Stream.current.stream


class Event:
    def record(self) -> None:
        self.stream: Stream = Stream.current.stream
        self.until = len(self.stream.work)

    def synchronize(self) -> None:
        self.stream.finish(self.until)


def captured(work: Callable[[], None], *, stream: Stream) -> Callable[[], None]:
    def replay() -> None:
        assert Stream.current.stream is stream, "a graph runs on its own lane's stream"
        stream.work.append(work)

    return replay


def synchronize(_: torch.device) -> None:
    for stream in Stream.all:
        stream.finish(len(stream.work))


def without_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # which the engine would leave behind
    monkeypatch.setattr(Stream, "all", [])
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "synchronize", synchronize)
    monkeypatch.setattr(torch.cuda, "stream", Current)
    monkeypatch.setattr(cuda_engine, "_stream", Stream)
    monkeypatch.setattr(cuda_engine, "_event", Event)
    monkeypatch.setattr(cuda_engine, "_pinned", lambda shape, dtype: torch.zeros(shape, dtype=dtype))
    monkeypatch.setattr(cuda_engine, "_captured", captured)
    real = cuda_engine.CudaEngine
    monkeypatch.setattr(cuda_engine, "CudaEngine", lambda **knobs: real(**(knobs | {"device": torch.device("cpu")})))
