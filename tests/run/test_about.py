"""What a run was made with: read as plain data, whoever wrote it."""

from __future__ import annotations

import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from c4.run.about import (
    RunFileError,
    git_commit,
    read_config,
    read_facts,
    read_overrides,
    value_at,
    with_earlier,
    write_about,
    write_overrides,
)
from c4.run.folder import RunFolder


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    return RunFolder(path=tmp_path)


def test_what_is_written_is_read(folder: RunFolder) -> None:
    assert (read_config(folder), read_facts(folder), read_overrides(folder)) == ({}, {}, [])
    write_about(folder, config={"a": {"b": [1, 0.5, None]}}, facts={"seed": 3})
    write_overrides(folder, ["a.b=1", "c='d e'"])
    assert read_config(folder) == {"a": {"b": [1, 0.5, None]}}
    assert read_facts(folder) == {"seed": 3}
    assert read_overrides(folder) == ["a.b=1", "c='d e'"]


def test_what_decides_how_a_run_goes_on_is_noticed_when_it_has_changed(folder: RunFolder) -> None:
    write_about(folder, config={"seed": 3}, facts={})
    write_overrides(folder, ["seed=3"])
    for path, read in ((folder.config, read_config), (folder.overrides, read_overrides)):
        whole, said = path.read_bytes(), read(folder)
        for place in range(len(whole)):
            for bit in range(8):
                path.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << bit]) + whole[place + 1 :])
                with suppress(RunFileError):
                    assert read(folder) == said  # as where the word crc32 is another
            path.write_bytes(whole[:place])
            with pytest.raises(RunFileError, match=path.name):
                read(folder)
        path.write_bytes(whole.replace(b"3\n", b"4\n"))
        with pytest.raises(RunFileError, match="has changed since .* who meant to change it removes its first line"):
            read(folder)
        path.write_bytes(path.read_bytes().partition(b"\n")[2])
        assert "4" in str(read(folder))


def test_nothing_is_looked_up(folder: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "1234")
    folder.config.write_text('a: ${oc.env:SECRET}\nb: ["${a}"]\n')
    assert read_config(folder) == {"a": "${oc.env:SECRET}", "b": ["${a}"]}


@pytest.mark.parametrize("text", ["{", "a: [", "\x00", "a: ${", "a: !!python/object/apply:os.getcwd []", "- 3"])
def test_a_configuration_that_cannot_be_read_is_named(folder: RunFolder, text: str) -> None:
    folder.config.write_text(text)
    with pytest.raises(RunFileError, match=r"config\.yaml"):
        read_config(folder)


@pytest.mark.parametrize("text", ["{", "a: 3", "x", "\x00"])
def test_overrides_that_cannot_be_read_are_named(folder: RunFolder, text: str) -> None:
    folder.overrides.parent.mkdir()
    folder.overrides.write_text(text)
    with pytest.raises(RunFileError, match=r"overrides\.yaml"):
        read_overrides(folder)


@pytest.mark.parametrize("text", ["", "{", "[]", "3", "\xff"])
def test_facts_that_cannot_be_read_say_nothing(folder: RunFolder, text: str) -> None:
    folder.facts.write_text(text, encoding="latin-1")
    assert read_facts(folder) == {}


def test_a_value_is_found_whatever_stands_in_its_place() -> None:
    config = {"a": {"b": {"c": 3}}, "d": [1]}
    assert value_at(config, "a.b.c") == 3
    assert [value_at(config, key) for key in ("a.b.x", "a.b.c.d", "d.e", "x")] == [None] * 4


def test_a_run_that_is_gone_on_with_keeps_its_first_facts() -> None:
    first = {"seed": 3, "commit": "abc", "cores": 2}
    second = with_earlier({"seed": 3, "commit": "def"}, before=first, generation=4)
    assert second == {"seed": 3, "commit": "def", "earlier": [{**first, "until": 4}]}
    third = with_earlier({"commit": "ghi"}, before=second, generation=6)
    assert third["commit"] == "ghi"
    assert [(one["commit"], one["until"]) for one in third["earlier"]] == [("abc", 4), ("def", 6)]
    assert with_earlier({}, before=third, generation=3)["earlier"] == [{**first, "until": 3}]
    assert with_earlier({}, before={"earlier": "x", "commit": "?"}, generation=1)["earlier"][0]["commit"] == "?"


def git(folder: Path, *words: str) -> None:
    who = ("-c", "user.name=x", "-c", "user.email=x@y")
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    tree = tmp_path / "c4"
    (tree / "conf" / "local").mkdir(parents=True)
    (tree / "train.py").touch()
    (tree / ".gitignore").write_text("conf/local/\nruns/\n")
    git(tree, "init", "-q")
    git(tree, "add", "-A")
    git(tree, "commit", "-q", "-m", "all")
    return tree


def test_a_commit_is_marked_where_what_is_used_differs_from_it(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit = git_commit(tree=checkout)
    assert len(commit) == 40
    (checkout / "runs").mkdir()
    for harmless in ("notes.txt", "runs/config.yaml"):
        (checkout / harmless).touch()
        assert git_commit(tree=checkout) == commit
    for telling in ("conf/mine.yaml", "conf/local/default.yaml", "mine.yaml", "network.py"):
        (checkout / telling).touch()
        assert git_commit(tree=checkout) == f"{commit}+", telling
        (checkout / telling).unlink()
    (checkout / "train.py").write_text("changed")
    assert git_commit(tree=checkout) == f"{commit}+"
    monkeypatch.setenv("GIT_DIR", str(checkout / "elsewhere"))  # as git sets it for a hook
    assert git_commit(tree=checkout) == f"{commit}+"


def test_a_strangers_commit_is_never_told(checkout: Path) -> None:
    inside = checkout / "vendored" / "c4"
    inside.mkdir(parents=True)
    assert git_commit(tree=inside) == "unknown", "installed"
    (inside / "train.py").touch()
    assert git_commit(tree=inside) == "unknown", "a copy of the sources"


BOMB = ["a0: !!seq &a0 [x, x, x]", *(f"a{i}: !!seq &a{i} [*a{i - 1}, *a{i - 1}, *a{i - 1}]" for i in range(1, 60))]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("\n".join(BOMB), "repeats itself"),
        ("a: &b 1\nc: *b", "repeats itself"),
        ("seed: !!binary aGVsbG8=", "holds what no configuration does: bytes"),
        (f"seed: 0x{'f' * 100_000}", "holds what no configuration does: a number of 400000 bits"),
    ],
    ids=["aliases of tagged lists", "an alias", "bytes", "a number"],
)
def test_what_no_configuration_holds_is_refused(folder: RunFolder, text: str, sentence: str) -> None:
    folder.config.write_text(text)
    with pytest.raises(RunFileError, match=sentence):
        read_config(folder)


def test_empty_lines_and_stars_are_read_at_once(folder: RunFolder) -> None:
    folder.config.write_text("name: a*b" + "\n" * 250_000)  # which a search for aliases may go through again for each
    assert read_config(folder) == {"name": "a*b"}
