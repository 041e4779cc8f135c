"""What lies in a run's folder is spelt by its one owner: whoever reads or writes it asks there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
OWNER = ROOT / "src/c4/run"
NAMES = re.compile(
    r"(config\.yaml|facts\.json|outcome\.json|metrics\.csv|overrides\.yaml|train\.log|(games|mistakes)\.jsonl"
    r"|selfplay_audit|state_(?!dict)|(best|last|generation_\w*)\.safetensors|(^|/)(checkpoints|samples)/)"
)


def spelt(source: str) -> set[str]:
    """Texts of a program that name such a file; what is said to people, with blanks in it, names what it likes."""
    tree = ast.parse(source)
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told
        if " " not in node.value and NAMES.search(node.value)
    }


def programs() -> Iterator[Path]:
    yield from ROOT.glob("*.py")
    for folder in ("src", "benchmarks", "scripts"):
        yield from (ROOT / folder).rglob("*.py")


def test_the_names_of_a_runs_files_stand_in_one_room() -> None:
    strangers = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in programs()
        if OWNER not in path.parents
        for name in spelt(path.read_text(encoding="utf-8"))
    }
    assert strangers == set()


def test_they_are_seen_there() -> None:
    owned = {name for path in OWNER.glob("*.py") for name in spelt(path.read_text(encoding="utf-8"))}
    assert {"config.yaml", "outcome.json", "metrics.csv", "state_", ".hydra/overrides.yaml"} <= owned


def test_a_name_in_a_path_is_seen_and_one_in_a_sentence_is_not() -> None:
    source = '"""config.yaml"""\na = folder / "checkpoints/x"\nb = f"state_{n}"\nc = "of metrics.csv"\nd = "state_dict"'
    assert spelt(source) == {"checkpoints/x", "state_"}
