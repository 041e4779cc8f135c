"""What becomes of a run that an error ends: an outcome, and a sentence that says how to go on."""

from __future__ import annotations

from pathlib import Path
from threading import Event

import pytest

import c4
from c4.cli import RunError
from c4.endings import one_sentence
from c4.machine import lacks_memory
from c4.run.folder import RunFolder
from c4.run.outcome import Ending, read_outcome

OF_TORCH = RuntimeError(
    "[enforce fail at alloc_cpu.cpp:125] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to allocate "
    "4096 bytes. Error code 12 (Cannot allocate memory)"
)


@pytest.mark.parametrize(
    ("error", "lacks"),
    [
        (MemoryError("std::bad_alloc"), True),
        (OF_TORCH, True),
        (OSError(12, "Cannot allocate memory"), True),
        (RuntimeError("can't start new thread"), True),
        (RuntimeError("Exception from src/inference: std::bad_alloc"), True),
        (RuntimeError("mat1 and mat2 shapes cannot be multiplied"), False),
        (OSError(28, "No space left on device"), False),
        (ValueError("out of memory lane"), False),
    ],
)
def test_memory_that_is_missing_is_known_by_whoever_says_so(error: Exception, lacks: bool) -> None:
    assert lacks_memory(error) is lacks
    outer = ValueError("in a thread")
    outer.__cause__ = error
    assert lacks_memory(outer) is lacks


def test_a_run_that_finds_no_memory_has_an_outcome_and_says_how_to_go_on(tmp_path: Path) -> None:
    folder, begun = RunFolder(path=tmp_path), Event()
    begun.set()
    with pytest.raises(RunError) as ended, one_sentence(c4.load_config(), folder=folder, begun=begun):
        raise OF_TORCH
    sentence = str(ended.value)
    assert sentence.startswith("out of memory: ")
    assert "alloc_cpu" not in sentence
    assert f"python train.py resume={tmp_path}" in sentence
    outcome = read_outcome(folder)
    assert outcome is not None
    assert (outcome.ending, ended.value.code) == (Ending.FAILED, 1)
    assert outcome.reason.startswith("out of memory")
