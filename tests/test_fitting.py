"""A run that two devices share: each plays and learns a part, all have the same weights, and the first alone speaks."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from tests.e2e.ready import python
from tests.e2e.training_kit import UNGRADED, command
from tests.test_lightning_module import FAST, Generations, batch_of, module_of, trainer_of
from typing_extensions import override

from c4.others import Others
from c4.ranks import Ranks
from c4.run.folder import RunFolder
from c4.run.metrics import read_metrics

pytestmark = pytest.mark.slow

WITNESS = """
import hashlib, json, os, signal
from pathlib import Path
from pytorch_lightning import Callback

class Witness(Callback):
    def __init__(self, stop=0, kill=0):
        self.stop, self.kill = stop, kill

    def on_train_epoch_start(self, trainer, pl_module):
        once = Path("stopped")
        if trainer.current_epoch + 1 == self.stop and trainer.global_rank == 0 and not once.exists():
            once.touch()
            os.kill(os.getpid(), signal.SIGINT)
        if trainer.current_epoch + 1 == self.kill and trainer.global_rank == 1:
            os.kill(os.getpid(), signal.SIGKILL)

    def on_train_epoch_end(self, trainer, pl_module):
        def sha(parts):
            return hashlib.sha256(b"".join(part.tobytes() for part in parts)).hexdigest()
        data = trainer.datamodule
        weights = [tensor.numpy() for tensor in pl_module.state_dict().values()]
        window = [data.window.samples[name] for name in data.window.samples.dtype.names]
        logged, rate = trainer.callback_metrics["loss/total"], trainer.optimizers[0].param_groups[0]["lr"]
        line = {"weights": sha(weights), "window": sha(window), "rate": rate, "logged": float(logged)}
        line["own"] = sha([data.source.state()["generator"].numpy()])
        with Path(f"rank{trainer.global_rank}.jsonl").open("a") as file:
            file.write(json.dumps(line) + "\\n")
"""
GENERATIONS = 3
WORDS = (
    *UNGRADED, f"budget.generations={GENERATIONS}", "model.ema_decay=0.9", "trainer.devices=2",
    "trainer.strategy=ddp", "trainer.accelerator=cpu", "callbacks.witness._target_=witness.Witness",
    "callbacks.progress.live=false",
)  # fmt: skip


def shared(*words: str, folder: Path, code: int = 0) -> str:
    folder.mkdir(exist_ok=True)
    (folder / "witness.py").write_text(WITNESS)
    done = python(command(words, runs=folder / "runs")[1:], folder=folder, merged=True)
    assert done.returncode == code, done.stdout
    return str(done.stdout)


def run_in(folder: Path) -> RunFolder:
    (path,) = {path.parent for path in folder.glob("runs/*/*/config.yaml")}
    return RunFolder(path=path)


def seen(folder: Path, rank: int) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / f"rank{rank}.jsonl").read_text().splitlines()]


def test_all_learn_the_same_from_games_of_their_own_and_are_stopped_and_gone_on_with(tmp_path: Path) -> None:
    whole, halves = tmp_path / "whole", tmp_path / "halves"
    told = shared(*WORDS, folder=whole)
    first, second = seen(whole, 0), seen(whole, 1)
    assert len({str(line["weights"]) for line in first}) == len(first) == len(second) == GENERATIONS
    for one, other in zip(first, second, strict=True):
        assert one.pop("own") != other.pop("own")
        assert one == other

    run = run_in(whole)  # the first alone has written it
    rows = read_metrics(run)
    assert list(rows) == [1, 2, 3]
    assert sum(len(run.archive.read(number, game="connect4_4x4")) for number in range(3)) == rows[3]["total/samples"]
    assert told.count("generation 2 |") == 1
    assert sorted(path.name for path in run.checkpoints.iterdir()) == [
        "best.safetensors", "last.safetensors", "state_000002.ckpt", "state_000002.json", "state_000003.ckpt",
        "state_000003.json",
    ]  # fmt: skip

    told = shared(*WORDS, "callbacks.witness.stop=3", folder=halves, code=130)
    assert "stopped by SIGINT: saved up to generation 2" in told
    resume = f"resume={run_in(halves).path}", "trusted=[witness.Witness]"
    told = shared(*resume, "trainer.devices=1", folder=halves, code=1)
    assert "this was saved on 2 devices, and each has games in play: trainer.devices=2" in told
    shared(*resume, folder=halves)
    expected, found = (load_file(run_in(folder).player("last")) for folder in (whole, halves))
    assert [name for name in expected if not torch.equal(expected[name], found[name])] == []


def test_when_one_is_killed_none_waits_for_it(tmp_path: Path) -> None:
    told = shared(*WORDS, "callbacks.witness.kill=2", folder=tmp_path, code=1)
    assert "error: process 2 of the 2 of this run ended by signal 9; saved up to generation 1; to continue:" in told


class Halves(Generations):
    """The same batches, of which each rank has a part."""

    @override
    def on_after_batch_transfer(self, batch: dict[str, torch.Tensor], dataloader_idx: int) -> dict[str, torch.Tensor]:
        part = Ranks.here().part(len(batch["weight"]))
        return {name: rows[part] for name, rows in batch.items()}


def learned(path: Path) -> dict[str, float]:
    module = module_of(FAST)
    trainer = trainer_of(2, devices=2, strategy="ddp", use_distributed_sampler=False)
    trainer.fit(module, datamodule=Halves())
    if trainer.is_global_zero:
        torch.save(module.state_dict(), path)
    return {name: float(value) for name, value in trainer.callback_metrics.items()}


def follow(path: Path) -> None:
    learned(path)


@pytest.mark.filterwarnings("ignore")
def test_they_learn_what_one_learns_from_the_whole_batch(tmp_path: Path) -> None:
    with Others(1).at_work(follow, tmp_path / "weights"):
        found = learned(tmp_path / "weights")
    alone = module_of(FAST, workers=2)  # its batch statistics are of halves too
    trainer = trainer_of(2)
    trainer.fit(alone, datamodule=Generations())
    expected = {name: float(value) for name, value in trainer.callback_metrics.items()}
    assert found == pytest.approx(expected, rel=1e-4, abs=1e-6)
    torch.testing.assert_close(torch.load(tmp_path / "weights"), alone.state_dict(), rtol=1e-4, atol=1e-5)
    assert float(batch_of(1)["weight"][:24].mean()) != pytest.approx(float(batch_of(1)["weight"][24:].mean()))
    assert "LOCAL_RANK" not in os.environ
