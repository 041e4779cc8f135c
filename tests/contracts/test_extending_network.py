"""A network and a loss in a file outside of the package: trained, graded, played, resumed, exported as they are typed.

The network is no convolution and has a head of its own; what that learns is derived from what a batch has.
"""

from __future__ import annotations

import csv
import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import safetensors
import torch
from safetensors.torch import load_file
from tests.e2e.ready import python
from tests.e2e.training_kit import ROOT, UNGRADED, only_run, paused, train

from c4 import load_agent
from c4.params.target import forget

pytestmark = pytest.mark.slow

MINE = """
from pathlib import Path

import torch
from torch import nn

from c4.losses import weighted_mean

Path(__file__).with_suffix(".mark").touch()


class Mlp(nn.Module):
    def __init__(self, spec, *, hidden=8):
        super().__init__()
        cells = spec.planes * spec.height * spec.width
        self.body = nn.Sequential(nn.Flatten(), nn.Linear(cells, hidden), nn.LayerNorm(hidden), nn.ReLU())
        self.policy = nn.Linear(hidden, spec.actions)
        self.value = nn.Linear(hidden, 3)
        self.moves_left = nn.Linear(hidden, spec.max_plies + 1)
        self.long = nn.Linear(hidden, 1)

    def forward(self, planes):
        seen = self.body(planes)
        return self.policy(seen), self.value(seen), self.moves_left(seen), {"long": self.long(seen)[:, 0]}


class Short(Mlp):
    def forward(self, planes):
        return super().forward(planes)[:2]


def long(output, batch, context):
    wanted = (batch["plies_left"] > 8).float()
    each = nn.functional.binary_cross_entropy_with_logits(output.extra["long"], wanted, reduction="none")
    right = (output.extra["long"] > 0) == (wanted > 0)
    return weighted_mean(each, batch["weight"]), {"right": weighted_mean(right.float(), batch["weight"])}


long.weight = 0.5
"""
TYPED = (*UNGRADED, "network={_target_:my_nets.Mlp,hidden:12}", "model.losses.long._target_=my_nets.long", "seed=5")
TRUSTED = "trusted=[my_nets.Mlp]"
BOTH = "trusted=[my_nets.Mlp,my_nets.long]"
REFUSED = "a file names what is not part of this program; nothing is imported that was not asked for"


def write_mine(folder: Path) -> Path:
    """The folder that commands are typed in; my_nets.mark stands there once somebody has imported it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "my_nets.py").write_text(MINE)
    return folder


def type_in(folder: Path, script: str, *words: str) -> subprocess.CompletedProcess[str]:
    (folder / "my_nets.mark").unlink(missing_ok=True)
    return python([*script.split(), *words], folder=folder)


@pytest.fixture(scope="module")
def mine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that was trained; its own is in there."""
    folder = write_mine(tmp_path_factory.mktemp("mine"))
    train(*TYPED, runs=folder)
    return folder


def test_it_trains_and_its_loss_is_logged(mine: Path) -> None:
    run = only_run(mine)
    with (run / "metrics.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2
    whole = sum(
        weight * float(rows[-1][f"loss/{name}"])
        for name, weight in (("policy", 1.0), ("value", 1.0), ("moves_left", 0.1), ("long", 0.5))
    )
    assert float(rows[-1]["loss/total"]) == pytest.approx(whole, rel=1e-4)
    assert 0.0 <= float(rows[-1]["long/right"]) <= 1.0


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("evaluate.py", ("inference=torch", "evaluation=quick", "output=json", "evaluation.duel_simulations=0")),
        ("evaluate.py", ("inference=openvino", "evaluation=quick", "output=json", "evaluation.duel_simulations=0")),
        ("play.py", ("inference=torch", "me=none", "ui=text", "truth=false", "simulations=4")),
        ("-m c4.export onnx", ("output=network.onnx",)),
    ],
    ids=["torch", "openvino", "play", "onnx"],
)
def test_its_player_is_used_once_its_class_is_trusted(mine: Path, script: str, words: tuple[str, ...]) -> None:
    if "inference=openvino" in words:
        pytest.importorskip("openvino")
    if "onnx" in script:
        pytest.importorskip("onnxscript")
    script = script if script.startswith("-m") else str(ROOT / script)
    words = (f"checkpoint={only_run(mine)}", *words)
    ended = type_in(mine, script, *words)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert REFUSED in ended.stderr
    assert TRUSTED in ended.stderr
    assert not (mine / "my_nets.mark").exists()
    ended = type_in(mine, script, *words, TRUSTED)
    assert ended.returncode == 0, ended.stderr
    if "output=json" in words:
        (report,) = json.loads(ended.stdout)["reports"]
        assert report["game"] == "connect4_4x4"


def test_an_agent_plays_with_it_once_its_class_is_trusted(mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(mine)
    monkeypatch.setattr(sys, "path", [*sys.path])
    forget()
    with pytest.raises(ValueError, match="nothing is imported that was not asked for"):
        load_agent(only_run(mine), "inference=torch", "simulations=4")
    agent = load_agent(only_run(mine), "inference=torch", "simulations=4", TRUSTED)
    assert agent.act("12") in range(4)
    agent.close()
    forget()


def test_a_run_that_was_killed_goes_on_bit_for_bit_once_it_is_trusted(mine: Path, tmp_path: Path) -> None:
    folder = write_mine(tmp_path)
    process = paused(TYPED, runs=folder, after="state_000001.ckpt")
    process.send_signal(signal.SIGKILL)
    process.communicate()
    run = only_run(folder)
    (folder / "my_nets.mark").unlink()
    said = train(f"resume={run}", runs=folder, code=2)
    assert REFUSED in said
    assert not (folder / "my_nets.mark").exists()
    train(f"resume={run}", BOTH, runs=folder)
    paths = [one / "checkpoints" / "last.safetensors" for one in (only_run(mine), run)]
    expected, found = (load_file(path) for path in paths)
    assert [name for name in expected if not torch.equal(expected[name], found[name])] == []


def test_it_is_an_option_of_the_group_in_a_folder_of_ones_own(tmp_path: Path) -> None:
    folder = write_mine(tmp_path)
    (folder / "own" / "network").mkdir(parents=True)
    (folder / "own" / "network" / "mine.yaml").write_text("_target_: my_nets.Mlp\n")
    train("--config-dir", "own", *UNGRADED, "network=mine", "budget.generations=1", runs=folder)
    with safetensors.safe_open(only_run(folder) / "checkpoints" / "last.safetensors", framework="pt") as file:
        assert json.loads(file.metadata()["c4"])["network"] == {"_target_": "my_nets.Mlp"}


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("{_target_:my_nets.Short}", "network my_nets.Short does not fit connect4_4x4: forward returns tuple, not a"),
        ("{_target_:my_nets.Mlp,hiden:3}", "it has no argument hiden (it takes spec, hidden); did you mean hidden?"),
        ("{_target_:my_nets.Mpl}", "there is no Mpl in my_nets; did you mean Mlp?"),
    ],
)
def test_what_is_wrong_with_it_is_one_sentence_before_anything_starts(
    tmp_path: Path, typed: str, sentence: str
) -> None:
    folder = write_mine(tmp_path)
    said = train(*UNGRADED, f"network={typed}", runs=folder, code=2)
    assert sentence in said
    assert "Traceback" not in said
