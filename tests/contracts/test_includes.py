"""The script that watches over the C++ includes: the tree keeps its rules, and a broken rule is named."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import check_includes  # noqa: E402


def test_every_room_includes_only_what_it_may() -> None:
    assert check_includes.violations(ROOT / "src/c4/native") == []


@pytest.mark.parametrize(
    ("file", "line", "complaint"),
    [
        ("search/search.h", '#include "games/connect4.h"', "search may not include games/connect4.h"),
        ("games/connect4.h", '#include "search/node.h"', "games may not include search/node.h"),
        ("search/search.h", '#include "selfplay/slot.h"', "search may not include selfplay/slot.h"),
        ("value.h", '#include "game.h"', "value may not include game.h"),
        ("search/search.h", "#include <pybind11/pybind11.h>", "belongs to bindings only"),
        ("selfplay/slot.h", '#  include "bindings/module.h"', "selfplay may not include bindings/module.h"),
        ("search/search.h", '#include "node.h"', "is not a path below native/"),
        ("attic/old.h", "", "attic is no room"),
    ],
)
def test_a_broken_rule_is_named(tmp_path: Path, file: str, line: str, complaint: str) -> None:
    for name in ("games/connect4.h", "search/node.h", "selfplay/slot.h", "bindings/module.h", "game.h", file):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    (tmp_path / file).write_text(f"{line}\n")
    found = check_includes.violations(tmp_path)
    assert len(found) == 1
    assert found[0].startswith(file)
    assert complaint in found[0]
