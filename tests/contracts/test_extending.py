"""docs/EXTENDING.md works as it stands: its files, written outside of the package, are used by its commands.

And what is not the program's own comes in only when it is asked for: a file of a stranger's names it in vain.
"""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
import safetensors.torch
import torch
from omegaconf import OmegaConf
from tests.e2e import ready
from tests.e2e.training_kit import ROOT, UNGRADED

from c4.games import game_spec
from c4.network.weights import load_player, player_header
from c4.params.target import Target
from c4.run.folder import RunFolder
from c4.run.metrics import read_metrics

PAGE = (ROOT / "docs/EXTENDING.md").read_text(encoding="utf-8")
FILE = re.compile(r"^`([\w/.]+)`\n\n```(?:python|yaml)\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)
SHELL = re.compile(r"^```bash\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)
SECTIONS = {
    title: [line for block in SHELL.findall(text) for line in block.splitlines()]
    for title, _, text in (section.partition("\n") for section in PAGE.split("\n## ")[1:])
}
# What makes a command of the page one of seconds, and one that waits for nobody.
TRAINING = tuple(word for word in UNGRADED if not word.startswith("experiment="))
QUICKLY = {
    "train.py": (*TRAINING, "callbacks.progress.live=false", "paths.runs=runs"),
    "play.py": ("me=none", "ui=text", "truth=false", "simulations=8", "inference=torch"),
    "evaluate.py": ("inference=torch",),
}
SMALL = "experiment=tiny"


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder with all the files of the page, and nothing else."""
    for name, text in FILE.findall(PAGE):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def said(line: str, *, folder: Path, code: int = 0) -> str:
    """What a command of the page says, RUN being the newest run."""
    python, program, *words = shlex.split(line)
    assert python == "python"
    if "RUN" in line:
        words = [word.replace("RUN", str(runs(folder)[-1])) for word in words]
    elif program == "train.py" and not any(word.startswith("experiment=") for word in words):
        words.append(SMALL)
    elif program == "play.py" and not any(word.startswith("checkpoint=") for word in words):
        words += ("game=connect4_4x4", "checkpoint=null")
    elif "mode=arena" in words:
        words.append("game=connect4_4x4")
    done = ready.python([str(ROOT / program), *words, *QUICKLY[program]], folder=folder, merged=True)
    assert done.returncode == code, done.stdout
    return str(done.stdout)


def runs(folder: Path) -> list[Path]:
    return sorted((path.parent for path in folder.glob("runs/*/*/config.yaml")), key=lambda path: path.stat().st_mtime)


def figures(run: Path) -> dict[int, dict[str, float]]:
    return dict(read_metrics(RunFolder(path=run)))


@pytest.fixture
def done(outside: Path, request: pytest.FixtureRequest) -> Path:
    """The folder, when all commands of the section that a test is named after have been typed there."""
    (title,) = [title for title in SECTIONS if title.lower().replace(" ", "_").replace("'", "") in request.node.name]
    (outside / "said").write_text("".join(said(line, folder=outside) for line in SECTIONS[title]))
    return outside


@pytest.mark.slow
def test_a_network_learns_goes_on_is_graded_and_plays(done: Path) -> None:
    (run,) = runs(done)
    assert OmegaConf.load(run / "config.yaml").network == {"_target_": "my_network.Mlp", "hidden": 32}
    assert list(figures(run)) == [1, 2, 3]
    told = (done / "said").read_text()
    assert f"checkpoint={run}/checkpoints/best.safetensors 'trusted=[my_network.Mlp]'" in told
    assert "game over" in told


@pytest.mark.slow
def test_a_folder_of_your_own_has_options_like_any_other(done: Path) -> None:
    first, second = (OmegaConf.load(run / "config.yaml") for run in runs(done))
    assert (first.network.hidden, first.search.cpuct, first.game.name) == (48, 2.5, "connect4_4x4")
    assert second.network == {"_target_": "my_network.Mlp", "hidden": 16}


@pytest.mark.slow
def test_a_callback_logs_what_it_sees(done: Path) -> None:
    rows = figures(runs(done)[0])
    assert rows[2]["longest_game"] >= rows[1]["longest_game"] >= 7
    assert len(runs(done)) == 2


@pytest.mark.slow
def test_a_logger_is_told_what_metrics_csv_is_told(done: Path) -> None:
    (run,) = runs(done)
    settings, *told = map(json.loads, (run / "metrics.jsonl").read_text().splitlines())
    assert settings["seed"] == 1
    rows = figures(run)
    assert [(one["generation"], one["loss/total"]) for one in told] == [
        (generation, pytest.approx(row["loss/total"])) for generation, row in rows.items()
    ]


@pytest.mark.slow
def test_a_metric_is_logged_and_chooses_the_best(done: Path) -> None:
    (run,) = runs(done)
    centre = {generation: row["centre"] for generation, row in figures(run).items()}
    assert all(0.0 <= share <= 1.0 for share in centre.values())
    card = load_player(RunFolder(path=run).player("best")).card
    assert card["metrics"]["centre"] == pytest.approx(max(centre.values()))


@pytest.mark.slow
def test_a_loss_has_a_target_of_its_own_and_joins_the_sum(done: Path) -> None:
    (run,) = runs(done)
    model = OmegaConf.load(run / "config.yaml").model
    for row in figures(run).values():
        ours = sum(model[f"{name}_weight"] * row[f"loss/{name}"] for name in ("policy", "value", "moves_left"))
        assert row["loss/total"] == pytest.approx(ours + 0.2 * row["loss/soon"], rel=1e-4)
        assert row["loss/soon"] > 0.0


@pytest.mark.slow
def test_an_opponent_plays_on_the_board_and_in_the_arena(done: Path) -> None:
    told = (done / "said").read_text()
    assert told.count("game over") == 2
    for luck in (0, 10, 50):
        assert f"lowest with {luck}% luck" in told


@pytest.mark.slow
def test_lightnings_trainer_gets_what_is_no_knob(done: Path) -> None:
    assert "run_training_epoch" in (done / "fit-seconds.txt").read_text()
    limited, trial, _ = runs(done)
    assert [row["total/steps"] for row in figures(limited).values()] == [2, 4]
    assert figures(trial) == {}


MARK = "imported"
STRANGER = f"""
from pathlib import Path
Path(__file__).with_name({MARK!r}).touch()


class Anything:
    def __init__(self, *args, **kwargs): ...
"""
NAMED = "of_a_stranger.Anything"


@pytest.fixture
def strangers(tmp_path: Path) -> Path:
    """A player and a run that somebody else has made, and beside them what they name: it leaves a mark."""
    (tmp_path / "of_a_stranger.py").write_text(STRANGER)
    header = player_header(game_spec("connect4_4x4"), Target(NAMED, {"deep": {"_target_": NAMED}}), card={})
    run = RunFolder(path=tmp_path / "run")
    run.checkpoints.mkdir(parents=True)
    data = safetensors.torch.save({"a": torch.zeros(1)}, metadata={"c4": header})
    run.player("best").write_bytes(data)
    torch.save({"c4_player": header, "state_dict": {"network.a": torch.zeros(1)}}, run.state(1))
    (run.path / ".hydra").mkdir()
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [
        "python play.py checkpoint=run",
        "python play.py checkpoint=run/checkpoints/state_000001.ckpt",
        "python play.py checkpoint=null opponent.checkpoint=run",
        "python evaluate.py checkpoint=run",
        "python evaluate.py mode=arena arena.players=[run@8,random]",
    ],
)
def test_what_a_strangers_player_names_is_not_imported(line: str, strangers: Path) -> None:
    told = said(line, folder=strangers, code=2)
    assert f"{NAMED}: a file names what is not part of this program" in told
    assert not (strangers / MARK).exists()
    said(f"{line} trusted=[{NAMED}]", folder=strangers, code=2)  # it is no network; but now it was asked for
    assert (strangers / MARK).exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    "word",
    [
        f"++network._target_={NAMED}",
        f"+callbacks.mine._target_={NAMED}",
        f"+callbacks.metrics.mine._target_={NAMED}",
        f"+logger.mine._target_={NAMED}",
        f"+model.losses.mine._target_={NAMED}",
        f"+trainer.profiler._target_={NAMED}",
        f"+hydra.callbacks.mine._target_={NAMED}",
        f"trusted=[{NAMED}]",
    ],
)
def test_what_a_strangers_run_names_is_not_imported(word: str, strangers: Path) -> None:
    words = [SMALL, f"+callbacks.other._target_={NAMED}", word]
    OmegaConf.save(OmegaConf.create(words), strangers / "run/.hydra/overrides.yaml")
    told = said("python train.py resume=run", folder=strangers, code=2)
    assert f"{NAMED}: a file names what is not part of this program" in told
    assert not (strangers / MARK).exists()
