"""What a run made beyond the state that it goes on from is kept, and is this run's no longer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.network.shapes import CONNECT4, SMALL, trained_like
from tests.replay.made_up import made_up

from c4.network.weights import save_player
from c4.run.aside import set_aside
from c4.run.folder import RunFolder
from c4.run.kept import keep_audit, keep_games, keep_mistakes, read_audits, read_games, read_mistakes
from c4.run.metrics import read_metrics, write_metrics
from c4.run.outcome import Ending, write_outcome

AUDIT = {"games": 1, "positions": 2, "plies": []}
MISTAKE: dict[str, Any] = {"moves": "4453", "simulations": 32, "played": 3, "scores": [1, None], "board": [[0]]}


def game(number: int) -> dict[str, Any]:
    return {"game_id": number, "actions": [3, 3], "best": [-1, 3], "flags": [1, 2], "result": 1}


def save(folder: RunFolder, which: str | int, *, generation: int) -> None:
    state = trained_like(CONNECT4, SMALL).state_dict()
    save_player(folder.player(which), spec=CONNECT4, design=SMALL, state=state, card={"generation": generation})


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    """A finished run of five generations, whose best was the third."""
    folder = RunFolder(path=tmp_path / "run")
    folder.checkpoints.mkdir(parents=True)
    for number in range(1, 6):
        folder.state(number).touch()
        folder.clock(folder.state(number)).touch()
        folder.archive.write(number - 1, made_up(2))
        keep_games(folder, [game(number)], generation=number, most=9)
        keep_audit(folder, AUDIT, generation=number)
    write_metrics(folder, {number: {"a": number / 2} for number in range(1, 6)})
    keep_mistakes(folder, [MISTAKE], generation=4)
    for which, generation in (("best", 3), ("last", 5), (2, 2), (4, 4)):
        save(folder, which, generation=generation)
    write_outcome(folder, ending=Ending.FINISHED, reason="", metrics={})
    return folder


def names(path: Path) -> set[str]:
    return {each.relative_to(path).as_posix() for each in path.rglob("*") if each.is_file()}


def test_what_is_newer_is_moved_and_nothing_is_lost(folder: RunFolder) -> None:
    everything = names(folder.path)
    place = set_aside(folder, after=3)
    assert place == folder.path / "discarded_after_3"
    assert names(place) == {
        "state_000004.ckpt", "state_000005.ckpt", "state_000004.json", "state_000005.json",
        "last.safetensors", "generation_000004.safetensors",
        "samples/generation_000003.safetensors", "samples/generation_000004.safetensors",
        "metrics.csv", "games.jsonl", "mistakes.jsonl", "selfplay_audit.jsonl", "outcome.json",
    }  # fmt: skip
    assert [path.name for path in folder.players()] == ["best.safetensors", "generation_000002.safetensors"]
    assert len(folder.states()) == 3
    assert [one["generation"] for one in read_games(folder)] == list(read_audits(folder)) == [1, 2, 3]
    assert read_mistakes(folder) == []
    old = RunFolder(path=place)
    assert [one["generation"] for one in read_games(old)] == list(read_metrics(old)) == [1, 2, 3, 4, 5]
    assert {Path(name).name for name in names(folder.path)} >= {Path(name).name for name in everything}
    assert set_aside(folder, after=2) == folder.path / "discarded_after_2"
    save(folder, "best", generation=3)
    assert set_aside(folder, after=2) == folder.path / "discarded_after_2_2"


def test_a_run_that_was_killed_in_a_generation_leaves_nothing_aside(folder: RunFolder) -> None:
    keep_games(folder, [game(6)], generation=6, most=9)
    folder.archive.write(5, made_up(2))
    before = names(folder.path)
    assert set_aside(folder, after=5) is None
    assert names(folder.path) == before


@pytest.mark.parametrize("generation", [3, "x", None])
def test_a_player_counts_by_what_it_says_it_is_of(folder: RunFolder, generation: Any) -> None:
    save(folder, "best", generation=generation)
    set_aside(folder, after=3)
    assert folder.player("best").exists()
    folder.player("best").write_bytes(b"no player")
    assert set_aside(folder, after=3) is None or folder.player("best").exists()
