"""`python evaluate.py` as it is typed: reports of players that know nothing, an arena, and bad input."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
import torch
from tests.e2e.ready import python
from tests.network.shapes import SMALL
from tests.ui.own_opponents import LOWEST

from c4.games import game_spec
from c4.network.tower import Tower
from c4.network.weights import load_player, save_player
from c4.run.folder import RunFolder
from c4.run.kept import keep_audit

ROOT = Path(__file__).parents[2]
QUICK = ("inference=torch", "evaluation=quick", "evaluation.simulations=[0,8]", "evaluation.duel_simulations=0")


def evaluate(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return python([str(ROOT / "evaluate.py"), *words], folder=folder)


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As a run leaves it: a folder with the best player and the last."""
    folder = tmp_path_factory.mktemp("run")
    (folder / "checkpoints").mkdir()
    for seed, name in enumerate(("best", "last")):
        torch.manual_seed(seed)
        spec = game_spec("connect4")
        state = Tower(spec, SMALL).state_dict()
        save_player(folder / "checkpoints" / f"{name}.safetensors", spec=spec, design=SMALL, state=state, card={})
    return folder


@pytest.mark.slow
def test_a_report_of_a_run_is_json_alone_on_stdout(run_folder: Path, tmp_path: Path) -> None:
    ended = evaluate(f"checkpoint={run_folder}", *QUICK, "output=json", folder=tmp_path)
    assert ended.returncode == 0, ended.stderr
    (report,) = json.loads(ended.stdout)["reports"]
    assert report["game"] == "connect4"
    text = json.dumps(report)
    for figure in ("value_preserving", "distance_optimal", "moves_left_mae", "value_ece"):
        assert figure in text


@pytest.mark.slow
def test_positions_of_a_file_and_two_players_side_by_side(run_folder: Path, tmp_path: Path) -> None:
    line = {"moves": "4455", "scores": [-4, -2, 18, None, 15, 18, 15], "plies": [2, 3, 3, None, 3, 3, 3]}
    (tmp_path / "some.jsonl").write_text(json.dumps(line) + "\n" + "{broken\n")
    players = ",".join(f"{run_folder}/checkpoints/{name}.safetensors" for name in ("best", "last"))
    ended = evaluate(f"checkpoint=[{players}]", *QUICK, "positions=some.jsonl", folder=tmp_path)
    assert ended.returncode == 2
    assert "line" in ended.stderr
    assert "Traceback" not in ended.stderr
    report = tmp_path / "report.html"
    ended = evaluate(f"checkpoint=[{players}]", *QUICK, "output=html", f"file={report}", folder=tmp_path)
    assert ended.returncode == 0, ended.stderr
    page = report.read_text()
    assert "best" in page
    assert "last" in page
    assert "<script src" not in page


@pytest.mark.slow
def test_an_arena_keeps_a_record(run_folder: Path, tmp_path: Path) -> None:
    player = f"{run_folder}/checkpoints/best.safetensors@4"
    words = (f"arena.players=[{player},random]", "arena.record=games.txt", "arena.pairs=2", "inference=torch")
    ended = evaluate("mode=arena", *words, "output=json", folder=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout)
    assert (tmp_path / "games.txt").read_text().count("random") >= 4


@pytest.mark.slow
def test_two_runs_meet_with_the_searches_that_trained_them(run_folder: Path, tmp_path: Path) -> None:
    for name, slope in (("calm", 0.01), ("hasty", 0.06)):
        shutil.copytree(run_folder, tmp_path / name)
        (tmp_path / name / "config.yaml").write_text(json.dumps({"search": {"mlh_slope": slope, "cpuct": 2.5}}))
    words = ("mode=arena", "arena.players=[calm@4,hasty@4]", "arena.pairs=1", "inference=torch", "search.cpuct=9")
    ended = evaluate(*words, "search=run", folder=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert "search.cpuct has no effect here: each player searches as it was trained to" in ended.stderr
    known = "fpu_reduction=0.04 policy_temperature=1.0 root_policy_temperature=1.0"
    rest = "mlh_cap=0.12 proven_results=true"
    assert [line for line in ended.stderr.splitlines() if line.startswith("search of")] == [
        f"search of calm: cpuct=2.5 {known} mlh_slope=0.01 {rest} proof_nodes=0",
        f"search of hasty: cpuct=2.5 {known} mlh_slope=0.06 {rest} proof_nodes=0",
    ]
    ended = evaluate(*words, folder=tmp_path)
    assert ended.stderr.splitlines()[0] == (
        "search of calm, hasty: cpuct=9.0 fpu_reduction=0.04 policy_temperature=1.3 root_policy_temperature=2.0 "
        f"mlh_slope=0.04 {rest} proof_nodes=100; "
        "search=run takes what it was trained with"
    )
    (tmp_path / "hasty" / "config.yaml").unlink()
    ended = evaluate(*words, "search=run", folder=tmp_path)
    assert ended.returncode == 2
    assert ended.stderr.splitlines()[-1].startswith("error: hasty: nothing records the search it was trained with")


@pytest.mark.slow
def test_a_player_of_ones_own_meets_others(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(LOWEST)
    words = ("mode=arena", "game=tictactoe", "arena.pairs=1", "arena.opening_plies=0", "output=json")
    ended = evaluate(*words, "arena.players=[mine:Lowest,{_target_:mine.Lowest,skip:1},rollouts@9]", folder=tmp_path)
    assert ended.returncode == 0, ended.stderr
    names = [player["name"] for player in json.loads(ended.stdout)["players"]]
    assert names == ["lowest of tictactoe", "lowest of tictactoe #2", "rollouts@9"]
    ended = evaluate(*words, "arena.players=[mine:Lowst,random]", folder=tmp_path)
    assert (ended.returncode, ended.stderr) == (
        2,
        "error: mine:Lowst: _target_=mine.Lowst: there is no Lowst in mine; did you mean Lowest?\n",
    )


@pytest.mark.slow
def test_the_search_of_known_positions_is_looked_at_as_text_and_as_a_picture(run_folder: Path, tmp_path: Path) -> None:
    ended = evaluate("mode=check", "inference=torch", "simulations=20", folder=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert "2. 112233: a win at once\nX to move plays 4 after " in ended.stdout
    assert ended.stdout.splitlines()[-1].startswith("of 8 moves ")
    words = ("mode=tree", f"checkpoint={run_folder}", "inference=torch", "position=4453", "simulations=30")
    for file, start in (("tree.svg", b"<svg"), ("tree.png", b"\x89PNG")):
        ended = evaluate(*words, f"file={file}", folder=tmp_path)
        assert ended.returncode == 0, ended.stderr
        assert (tmp_path / file).read_bytes().startswith(start)
        assert "X to move plays " in ended.stdout
    ended = evaluate(*words, folder=tmp_path)
    sentence = "error: file=report.html: mode=tree writes .svg or .png, such as file=tree.svg\n"
    assert (ended.returncode, ended.stderr) == (2, sentence)


@pytest.mark.slow
def test_the_games_that_a_run_plays_against_itself_are_audited(run_folder: Path, tmp_path: Path) -> None:
    best = run_folder / "checkpoints" / "best.safetensors"
    words = (f"checkpoint={best}", "mode=audit", "evaluation.audit_games=3", "inference=torch", "output=json")
    ended = evaluate(*words, folder=tmp_path)
    assert ended.returncode == 0, ended.stderr
    audit = json.loads(ended.stdout)["audits"]["best"]["played"]
    assert "settings that train.py has today" in audit["about"]
    assert "best: 3 games against itself, searched with cpuct=2.0 fpu_reduction=0.4 policy_temp" in ended.stderr
    assert "search of" not in ended.stderr  # grading's
    nothing = evaluate(words[0], "mode=audit", "evaluation.audit_games=0", folder=tmp_path)
    assert nothing.returncode == 2
    assert "none of these runs has kept an audit" in nothing.stderr
    # As an older run has it: knobs that came later are missing.
    kept = {
        "search": {"num_simulations": 8},
        "selfplay": {"random_opening_probability": 0.0},
        "callbacks": {"health": {"opening_plies": 4}},
    }
    run = tmp_path / "run"
    shutil.copytree(run_folder, run)
    (run / "config.yaml").write_text(json.dumps(kept))
    ended = evaluate(f"checkpoint={run}", *words[1:], folder=tmp_path)
    assert ended.returncode == 0, ended.stderr
    audit = json.loads(ended.stdout)["audits"]["run"]["played"]
    assert audit["games"] == audit["plies"][0]["games"] == 3
    assert all(row["throws"]["opening"] == 0 for row in audit["plies"])
    assert sum(row["games"] for row in audit["plies"]) == audit["positions"] > 21
    keep_audit(RunFolder(path=run), {name: value for name, value in audit.items() if name != "about"}, generation=7)
    ended = evaluate(f"checkpoint={run}", "mode=audit", "evaluation.audit_games=0", folder=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert "3 games of its run, audited in generations 7 to 7." in ended.stdout
    page = tmp_path / "audit.html"
    shown = (f"checkpoint={run}", "mode=audit", "evaluation.audit_games=0", "output=html", f"file={page}")
    ended = evaluate(*shown, folder=tmp_path)
    assert (ended.returncode, ended.stdout) == (0, ""), ended.stderr
    assert "3 games of its run, audited in generations 7 to 7." in page.read_text()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("checkpoint=nowhere",), "no such file or folder"),
        ((), "checkpoint="),
        (("checkpoint=.",), "holds no player"),
        (("evaluation.simulatons=[1]",), "did you mean evaluation.simulations?"),
        (("output=html", "file=nowhere/report.html"), "file=nowhere/report.html: there is no folder nowhere"),
        (("mode=arena", "arena.record=."), "arena.record=.: this is a folder"),
        (
            ("mode=arena", "arena.elo_low=30", "arena.elo_high=0"),
            "arena.elo_low=30 is not allowed: below arena.elo_hi",
        ),
        (("mode=arena", "arena.players=[rollouts@0,random]"), "rollouts@0: player.rollouts=0 is not allowed"),
        (("evaluation.simulations=[]",), "evaluation.simulations=[] is not allowed: at least one budget"),
        (("output=champion",), "file=report.html: the champion and its card go to a folder"),
        (("evaluation.failures=.",), "Is a directory"),
        (("mode=arena", "output=html"), "mode=arena has no output=html: it has table, json"),
        (("mode=audit", "output=champion"), "mode=audit has no output=champion: it has table, json, html"),
    ],
)
def test_bad_input_is_one_sentence(words: tuple[str, ...], sentence: str, tmp_path: Path) -> None:
    ended = evaluate(*words, folder=tmp_path)
    assert ended.returncode == 2
    (line,) = ended.stderr.strip().splitlines()
    assert sentence in line


@pytest.mark.slow
def test_a_champion_is_written_with_its_figures_and_its_origin(run_folder: Path, tmp_path: Path) -> None:
    line = {"moves": "4455", "scores": [-4, -2, 18, -3, 15, 18, 15]}
    sets = tmp_path / "sets"
    sets.mkdir()
    for name in ("one", "two"):
        (sets / f"{name}.jsonl").write_text(json.dumps(line) + "\n")
    run = tmp_path / "run"
    shutil.copytree(run_folder, run)
    (run / "config.yaml").write_text("")
    (run / "facts.json").write_text(json.dumps({"seed": 7, "command": "train.py seed=7", "commit": "abc"}))
    words = (f"checkpoint={run}", *QUICK, "output=champion", f"file={tmp_path / 'made'}")
    ended = evaluate(*words, f"positions={tmp_path}", folder=tmp_path)
    assert ended.returncode == 2
    assert "no *.jsonl" in ended.stderr
    ended = evaluate(*words, f"positions={sets}", folder=tmp_path)
    assert ended.returncode == 0, ended.stderr
    player = load_player(tmp_path / "made" / "connect4.safetensors", game="connect4")
    assert player.card["origin"] == {"seed": 7, "command": "python train.py seed=7", "commit": "abc"}
    assert player.card["value_preserving"].keys() == {"one", "two"}
    text = (tmp_path / "made" / "connect4.md").read_text()
    assert "`python train.py seed=7`" in text
    assert "| one |" in text
