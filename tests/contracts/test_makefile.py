"""`make help` names every command, and every command does what its file exists for."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
MAKEFILE = (ROOT / "Makefile").read_text()


def documented() -> set[str]:
    run = subprocess.run(["make", "help"], cwd=ROOT, check=True, capture_output=True, text=True)
    return {line.split()[1] for line in run.stdout.splitlines()}


def test_help_lists_every_command() -> None:
    commands = set(re.findall(r"^\.PHONY: ([a-z-]+)$", MAKEFILE, flags=re.MULTILINE))
    assert commands | {"native-test", "asan", "tsan"} == documented()


def test_every_script_it_calls_is_there() -> None:
    called = set(re.findall(r"(?:scripts|benchmarks|tests)/[\w./]+(?![\w./%])|\b[a-z]+\.py\b", MAKEFILE))
    assert called
    for path in called:
        assert (ROOT / path).exists(), path
