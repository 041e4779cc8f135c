"""What a run was made with: read as plain data, whoever wrote it."""

from __future__ import annotations

from pathlib import Path

import pytest

from c4.run.about import (
    RunFileError,
    read_config,
    read_facts,
    read_overrides,
    value_at,
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
