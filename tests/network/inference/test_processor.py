"""Which number format training takes by itself, and what a run that is resumed keeps."""

from __future__ import annotations

import dataclasses
from contextlib import nullcontext

import pytest
import torch

from c4.network.inference import processor
from c4.params.errors import ConfigError
from c4.params.trainer import Accelerator, Precision, TrainerParams


def params(precision: Precision) -> TrainerParams:
    return TrainerParams(
        accelerator=Accelerator.CPU, precision=precision, threads=1, deterministic=True, devices=1, strategy="auto"
    )


@pytest.mark.parametrize(("able", "expected"), [(True, "bf16-mixed"), (False, "32-true")])
def test_auto_mixes_bf16_only_where_the_processor_has_it(
    able: bool, expected: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(processor, "multiplies_bfloat16", lambda: able)
    with caplog.at_level("INFO"):
        assert processor.training_format(params(Precision.AUTO), kept=None) == expected
    assert f"training in {expected}: this processor has " in caplog.text


@pytest.mark.parametrize(("able", "expected"), [(True, "bf16-mixed"), (False, "32-true")])
def test_auto_asks_the_card_where_training_takes_one(
    able: bool, expected: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda *, including_emulation: able or including_emulation)
    monkeypatch.setattr(processor, "multiplies_bfloat16", lambda: not able)
    wanted = dataclasses.replace(params(Precision.AUTO), accelerator=Accelerator.AUTO)
    with caplog.at_level("INFO"):
        assert processor.training_format(wanted, kept=None) == expected
    assert f"training in {expected}: this graphics card has " in caplog.text


@pytest.mark.parametrize("kept", ["32-true", "bf16-mixed"])
def test_a_run_keeps_its_format_on_any_processor(kept: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for able in (True, False):
        monkeypatch.setattr(processor, "multiplies_bfloat16", lambda able=able: able)
        assert processor.training_format(params(Precision.AUTO), kept=kept) == kept


def test_a_format_that_is_asked_for_is_taken() -> None:
    assert processor.training_format(params(Precision.FLOAT32), kept="bf16-mixed") == "32-true"


@pytest.mark.parametrize("card", [False, True])
def test_a_gpu_that_is_not_there_is_told_before_anything_starts(card: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: card)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    processor.check_accelerator(Accelerator.AUTO)
    processor.check_accelerator(Accelerator.CPU)
    with nullcontext() if card else pytest.raises(ConfigError, match=r"trainer\.accelerator=gpu: torch finds no GPU"):
        processor.check_accelerator(Accelerator.GPU)
