"""Engines of others: what they do right is played, what they do wrong loses one game and has its sentence."""

from __future__ import annotations

import gc
import os
import selectors
import stat
import sys
from pathlib import Path

import pytest
from tests.adapters.kit import player_of
from tests.network.shapes import GOMOKU, SMALL

from c4.evaluation.games import play_pairs, record
from c4.native._core import Position
from c4.network.weights import save_player
from c4.players.chance import RandomPlayer
from c4.players.pbrain import PbrainPlayer
from c4.players.player import Forfeit, ForfeitError, PlayerWordError, chosen
from c4.players.words import Kinds

# Plays the first empty cell from the end, and answers some commands as WRONG says.
ENGINE = """#!{python}
import os, signal, sys
wrong = {wrong!r}
taken, size = set(), 0
def say(text):
    sys.stdout.write(text + "\\r\\n")
    sys.stdout.flush()
for line in sys.stdin:
    command, _, rest = line.strip().partition(" ")
    if command in wrong:
        exec(wrong[command])
    elif command == "START":
        size = int(rest)
        say("MESSAGE a word for people\\r\\n\\r\\nOK")
    elif command == "RESTART":
        say("OK")
    elif command == "BOARD":
        taken = set()
        for line in sys.stdin:
            if line.strip() == "DONE":
                break
            x, y, side = map(int, line.split(","))
            taken.add((x, y))
        say("DEBUG thinking")
        say("%d,%d" % next((x, y) for y in reversed(range(size)) for x in reversed(range(size)) if (x, y) not in taken))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def program(folder: Path, text: str) -> str:
    path = folder / "engine"
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def engine(folder: Path, *, patience: float = 600.0, game: str = "gomoku6", **wrong: str) -> PbrainPlayer:
    text = ENGINE.format(python=sys.executable, wrong=wrong)
    return PbrainPlayer(game=game, engine=program(folder, text), seconds=0.01, patience=patience)


def test_an_engine_plays_all_games_of_an_arena(folder: Path) -> None:
    one, other = RandomPlayer(seed=1), engine(folder)
    games = [game for pair in play_pairs((one, other), [Position("gomoku6")] * 2) for game in pair]
    assert len(games) == 4
    assert not any(game.forfeit for game in games)
    for game in games:
        own = game.actions[game.first != "engine" :: 2]
        assert list(own) == sorted(own, reverse=True)


def test_an_engine_that_cannot_begin_anew_is_started_anew(folder: Path) -> None:
    player = engine(folder, RESTART="say('UNKNOWN command')")
    player.begin(1)
    assert player.choose({0: Position("gomoku6"), 1: Position.from_actions("gomoku6", [35])}) == {0: 35, 1: 34}


@pytest.mark.parametrize(
    ("wrong", "patience", "reason"),
    [
        ("for line in sys.stdin: pass", 0.1, "engine did not answer within 0.11 seconds"),
        ("os.kill(os.getpid(), signal.SIGKILL)", 600.0, "engine ended in the middle of a game"),
        ("say('0,0')", 600.0, "engine played 0,0, where it may not"),
        ("say('6,1')", 600.0, "engine played 6,1, where it may not"),
        ("say('ERROR no idea')", 600.0, "engine answered 'ERROR no idea' in place of a move"),
        ("sys.stdout.write('x' * 9000); sys.stdout.flush()", 600.0, "engine says a line without an end"),
    ],
)
def test_what_an_engine_does_wrong_loses_one_game(wrong: str, patience: float, reason: str, folder: Path) -> None:
    player = engine(folder, patience=patience, BOARD=wrong)
    player.begin(1)
    position = Position.from_actions("gomoku6", [0])
    assert player.choose({0: position, 1: position}) == {0: Forfeit(reason), 1: Forfeit(reason)}
    with pytest.raises(ForfeitError, match=reason.partition("'")[0]):
        chosen(player, position)


def test_a_lost_game_counts_for_the_other_side(folder: Path) -> None:
    one, other = RandomPlayer(seed=1), engine(folder, BOARD="say('-')")
    (games,) = play_pairs((one, other), [Position("gomoku6")])
    assert [game.score("random") for game in games] == [1.0, 1.0]
    assert sorted((game.result, len(game.actions)) for game in games) == [(-1, 0), (1, 1)]
    assert "[Termination \"engine answered '-' in place of a move\"]" in record(games[0], number=1)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"START": "say('ERROR only 20')"}, "engine: refuses a board of 6 x 6 cells: 'ERROR only 20'"),
        ({"START": "sys.exit()"}, "engine: ended in the middle of a game"),
    ],
)
def test_an_engine_that_does_not_begin_is_refused(wrong: dict[str, str], sentence: str, folder: Path) -> None:
    with pytest.raises(PlayerWordError, match=sentence):
        engine(folder, **wrong).begin(1)


def test_what_is_no_engine_is_refused(folder: Path) -> None:
    with pytest.raises(PlayerWordError, match="there is no such program"):
        PbrainPlayer(game="gomoku6", engine=str(folder / "none"), seconds=1.0, patience=1.0)
    with pytest.raises(PlayerWordError, match="stones are put on cells: this is Connect Four"):
        engine(folder, game="connect4")
    kinds = Kinds()
    said = kinds.target("pbrain:/a/b@c", base=kinds.targets["network"])
    assert said.arguments["engine"] == "/a/b@c"
    assert "pbrain" not in kinds.offered(kinds.targets["random"])


@pytest.mark.slow
def test_c4_is_such_an_engine(folder: Path) -> None:
    path = folder / "a.safetensors"
    save_player(path, spec=GOMOKU, design=SMALL, state=player_of(GOMOKU, SMALL).state, card={})
    words = f"checkpoint={path} inference=torch simulations=64"
    text = f"#!/bin/sh\nexec {sys.executable} -m c4.adapters.pbrain {words}\n"
    player = PbrainPlayer(game="gomoku6", engine=program(folder, text), seconds=1.0, patience=600.0)
    (games,) = play_pairs((player, RandomPlayer(seed=1)), [Position("gomoku6")])
    assert [game.forfeit for game in games] == ["", ""]


def test_what_an_engine_has_started_ends_with_it(folder: Path) -> None:
    os.mkfifo(folder / "held")
    other = engine(folder, START="subprocess.Popen(['sleep', '600'], pass_fds=[fd]); os.close(fd); say('OK')")
    script = folder / "engine"
    opened = f"import os, signal, subprocess, sys\nfd = os.open({str(folder / 'held')!r}, os.O_WRONLY)"
    script.write_text(script.read_text().replace("import os, signal, sys", opened))
    held = os.open(folder / "held", os.O_RDONLY | os.O_NONBLOCK)
    other.begin(1)  # who writes there now is the child alone
    del other
    gc.collect()
    with selectors.DefaultSelector() as selector:
        selector.register(held, selectors.EVENT_READ)
        assert selector.select(60.0)  # at once, where nobody is left
    assert os.read(held, 1) == b""
    os.close(held)
