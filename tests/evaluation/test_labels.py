"""Files of positions: what is read, and the sentence for everything that can be wrong with one."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest

from c4.evaluation import labels
from c4.evaluation.labels import LabelError, parse_labelled, read_labelled, to_lines
from c4.evaluation.sets import labelled_set

GOOD = {"moves": "4455", "scores": [-4, -3, 18, 2, 2, 18, -3]}


def _parse(*lines: object) -> None:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    parse_labelled(texts, game="connect4", name="set", source="set.jsonl")


def test_known_positions_are_read(tmp_path: Path) -> None:
    path = tmp_path / "two.jsonl"
    path.write_text(json.dumps(GOOD) + '\n\n{"moves":"","scores":[-2,-1,0,1,0,-1,-2],"best":1,"more":"ignored"}\n')
    labels = read_labelled(path, game="connect4")
    assert (labels.name, len(labels)) == ("two", 2)
    assert labels.moves == ((3, 3, 4, 4), ())
    assert labels.best.tolist() == [18, 1]
    assert labels.moves_left.tolist() == [3, 41]  # wins with the seventh stone; the empty board is won at ply 41
    assert labels.text(0) == "4455"


def test_a_set_survives_writing_and_reading(tmp_path: Path) -> None:
    dev = labelled_set("dev", game="connect4").take(range(0, 2000, 97))
    path = tmp_path / "dev.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(to_lines(dev)).encode()))
    again = read_labelled(path, game="connect4")
    assert again.moves == dev.moves
    assert (again.scores == dev.scores).all()


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("{nonsense", "set.jsonl, line 2: not JSON"),
        ("[1, 2]", 'line 2: expected an object with "moves"'),
        ({"scores": GOOD["scores"]}, 'line 2: expected an object with "moves"'),
        (GOOD | {"moves": "4444444"}, "line 2: ply 7: column 4 is full"),
        (GOOD | {"moves": "44x"}, "line 2: ply 3: 'x' is no column"),
        (GOOD | {"moves": "12121212"}, "line 2: ply 8: the game was over after ply 7"),
        (GOOD | {"moves": "1212121"}, "line 2: the game is over after ply 7: nothing is left to judge"),
        (GOOD | {"scores": [1, 2, 3]}, "line 2: 3 scores, but connect4 has 7 actions"),
        (GOOD | {"scores": None}, "line 2: no scores, but connect4 has 7 actions"),
        (GOOD | {"scores": [None, -3, 18, 2, 2, 18, -3]}, "line 2: ply 5: action 1 has no score although it is legal"),
        (
            {"moves": "444444", "scores": [0, 0, 0, 0, 0, 0, 0]},
            "line 2: ply 7: action 4 has a score although it cannot be played",
        ),
        (GOOD | {"scores": [0.5, -3, 18, 2, 2, 18, -3]}, "line 2: action 1: score 0.5 is no whole number"),
        (GOOD | {"scores": [99, -3, 18, 2, 2, 18, -3]}, "line 2: action 1: score 99 is no whole number from -22 to 22"),
        (GOOD | {"best": 3}, "line 2: best is 3, but the best of the scores is 18"),
        (GOOD | {"game": "gomoku9"}, "line 2: a position of gomoku9, but the game is connect4"),
    ],
)
def test_what_is_wrong_with_a_line_is_said_in_one_sentence(line: object, sentence: str) -> None:
    with pytest.raises(LabelError) as error:
        _parse(GOOD, line)
    assert sentence in str(error.value)
    assert "\n" not in str(error.value)


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(LabelError, match="there is no such file"):
        read_labelled(tmp_path / "missing.jsonl", game="connect4")
    (tmp_path / "empty.jsonl").write_text("\n")
    with pytest.raises(LabelError, match="no positions in it"):
        read_labelled(tmp_path / "empty.jsonl", game="connect4")
    (tmp_path / "binary.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(LabelError, match="not a readable file of positions"):
        read_labelled(tmp_path / "binary.jsonl", game="connect4")
    (tmp_path / "half.jsonl.gz").write_bytes(gzip.compress(b"x" * 10_000)[:20])
    with pytest.raises(LabelError, match="not a readable file of positions"):
        read_labelled(tmp_path / "half.jsonl.gz", game="connect4")


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("bomb.jsonl.gz", gzip.compress(bytes(labels.MOST + 1)), "larger than 64 MB"),
        (
            "flipped.jsonl.gz",
            gzip.compress(bytes(range(256)) * 9)[:-40] + bytes(40),
            "not a readable file of positions",
        ),
        ("deep.jsonl", b"[" * 100_000, "line 1: not a position: nested too deeply"),
        ("long.jsonl", json.dumps({"moves": "4" * 100_000, "scores": [0] * 7}).encode(), "line 1: ply 7"),
        ("digits.jsonl", b"9" * 100_000, "line 1"),
    ],
)
def test_files_that_mean_harm(tmp_path: Path, name: str, content: bytes, sentence: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(LabelError, match=sentence) as refused:
        read_labelled(tmp_path / name, game="connect4")
    assert len(str(refused.value)) < 500


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    with pytest.raises(LabelError, match="not a regular file"):
        read_labelled(tmp_path / "pipe.jsonl", game="connect4")
