"""`c4 COMMAND ...`: every command is found, listed and completed, and what is none has its sentence."""

from __future__ import annotations

import sys

import pytest

from c4 import __main__, invocation, programs


@pytest.fixture(autouse=True)
def _nothing_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(invocation.COMMAND, "")


def c4(*words: str, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(sys, "argv", ["/somewhere/bin/c4", *words])
    return __main__.main()


def completed(line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> list[str]:
    monkeypatch.setenv("COMP_LINE", line)
    assert c4("-sc", "query=bash", monkeypatch=monkeypatch) == 0
    return capsys.readouterr().out.split()


@pytest.mark.parametrize("words", [[], ["--help"], ["help"]])
def test_help_lists_every_command(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert c4(*words, monkeypatch=monkeypatch) == 0
    said = capsys.readouterr().out
    assert [line.split()[1] for line in said.splitlines()[2 : 2 + len(__main__.COMMANDS)]] == [*__main__.COMMANDS]
    assert all(callable(getattr(programs, command)) for command in __main__.COMMANDS)


def test_what_is_no_command_has_its_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert c4("trian", "seed=1", monkeypatch=monkeypatch) == 2
    said = capsys.readouterr().err
    assert said.startswith(
        "error: c4 trian: there is no such command; did you mean train? The commands are: train, play"
    )


@pytest.mark.parametrize(
    ("typed", "command", "words"),
    [
        (["train", "seed=2"], "train", ["seed=2"]),
        (["sweep", "seed=1,2"], "train", ["--multirun", "seed=1,2"]),
        (["sweep", "train", "seed=1,2"], "train", ["--multirun", "seed=1,2"]),
        (["sweep", "evaluate", "search.cpuct=1,2"], "evaluate", ["--multirun", "search.cpuct=1,2"]),
    ],
)
def test_a_command_gets_the_words_behind_it(
    typed: list[str], command: str, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[list[str]] = []
    monkeypatch.setattr(programs, command, lambda: seen.append(sys.argv[1:]) or 7)
    assert c4(*typed, monkeypatch=monkeypatch) == 7
    assert seen == [words]


def test_sweep_alone_says_what_it_is_for(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert c4("sweep", monkeypatch=monkeypatch) == 2
    said = capsys.readouterr().err
    assert "\nc4 sweep seed=1,2,3 experiment=quick  " in said
    assert "python -m" not in said


def test_help_of_a_command_speaks_of_that_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert c4("evaluate", "--help", monkeypatch=monkeypatch) == 0
    said = capsys.readouterr().out
    assert "\nc4 evaluate checkpoint=a.safetensors output=html  " in said
    assert ".py " not in said


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("c4 ", [*__main__.COMMANDS]),
        ("c4 ex", ["export"]),
        ("c4 train experiment=ti", ["experiment=tiny"]),
        ("c4 train experiment=tiny network=sm", ["network=small"]),
        ("c4 play search.cpu", ["search.cpuct="]),
        ("c4 sweep evaluate hparams_search=play", ["hparams_search=play_knobs"]),
        ("c4 sweep rep", ["report"]),
        ("c4 sweep experiment=ti", ["experiment=tiny"]),
        ("c4 export ka", ["kaggle"]),
        ("c4 export onnx search=gu", ["search=gumbel"]),
    ],
)
def test_a_shell_completes(
    line: str, words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert completed(line, monkeypatch, capsys) == words


def test_a_shell_is_told_whom_to_ask(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert c4("-sc", "install=bash", monkeypatch=monkeypatch) == 0
    assert capsys.readouterr().out.rstrip().endswith("-F hydra_bash_completion c4")
