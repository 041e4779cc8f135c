"""Loggers by knob: the table always, the others when asked for, and only then imported."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from pathlib import Path

import pytest

from c4.callbacks.loggers import close_loggers, has_wandb_key, log_settings, make_loggers
from c4.params.logger import LoggerParams, WandbMode, WandbParams

WANDB = WandbParams(
    enabled=False, mode=WandbMode.AUTO, project="c4", entity=None, run_group=None, tags=(), artifact=True
)
CSV = LoggerParams(tensorboard=False, wandb=WANDB)


@pytest.fixture(autouse=True)
def no_account(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("WANDB_API_KEY", "WANDB_MODE", "WANDB_BASE_URL", "NETRC"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))


def test_the_table_is_always_there(tmp_path: Path) -> None:
    (table,), hints = make_loggers(CSV, folder=tmp_path, name="x", run_id="1", first_step=1)
    table.log_metrics({"a": 1.0}, step=1)
    assert (tmp_path / "metrics.csv").exists()
    assert hints == []


def test_tensorboard_has_the_settings_and_the_curves(tmp_path: Path) -> None:
    params = dataclasses.replace(CSV, tensorboard=True)
    loggers, hints = make_loggers(params, folder=tmp_path, name="x", run_id="1", first_step=1)
    log_settings(loggers, {"search": {"cpuct": 2.0}})
    loggers[1].log_metrics({"a": 1.0}, step=1)
    close_loggers(loggers, failed=False, player=None)
    assert list((tmp_path / "tensorboard").glob("events.*"))
    assert "tensorboard --logdir" in hints[0]


def test_a_key_is_found_where_its_login_leaves_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not has_wandb_key()
    (tmp_path / ".netrc").write_text("machine api.wandb.ai login user password secret\n")
    (tmp_path / ".netrc").chmod(0o600)
    assert has_wandb_key()
    (tmp_path / ".netrc").unlink()
    monkeypatch.setenv("WANDB_API_KEY", "secret")
    assert has_wandb_key()


def test_what_is_not_asked_for_is_not_imported() -> None:
    code = (
        "import sys, c4.training; print([name for name in ('wandb', 'openvino', 'onnxruntime') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=100)
    assert done.stdout.strip() == "[]"
