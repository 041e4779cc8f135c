"""Checks who may include whom in src/c4/native; Python's layers are import-linter's (pyproject.toml).

A room may include itself and the rooms listed for it here, and only bindings/ may include pybind11 or Python.
"""

import re
import sys
from pathlib import Path

NATIVE = Path(__file__).parent.parent / "src/c4/native"

# Files directly in native/ are rooms of their own, named without the ending.
MAY_INCLUDE: dict[str, set[str]] = {
    "value": set(),
    "rng": set(),
    "game": {"value"},
    "games": {"game", "value", "rng"},
    "search": {"game", "value", "rng"},
    "selfplay": {"search", "game", "value", "rng"},
    "solve": {"games", "rng"},
    "registry": {"selfplay", "search", "games", "game", "value", "rng"},
    "bindings": {"registry", "solve", "selfplay", "search", "games", "game", "value", "rng"},
}
INCLUDE = re.compile(r'^\s*#\s*include\s+(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)


def room_of(path: Path) -> str:
    """The folder below native/, or the name of a file that lies directly in it."""
    return path.parts[0] if len(path.parts) > 1 else path.stem


def violations(native: Path) -> list[str]:
    """One sentence for each include that is not allowed."""
    found = []
    for file in sorted([*native.rglob("*.h"), *native.rglob("*.cc")]):
        where = file.relative_to(native)
        room = room_of(where)
        if room not in MAY_INCLUDE:
            found.append(f"{where}: {room} is no room that scripts/check_includes.py knows")
            continue
        for quoted, bracketed in INCLUDE.findall(file.read_text()):
            if bracketed.startswith(("pybind11", "Python.h")) and room != "bindings":
                found.append(f"{where}: <{bracketed}> belongs to bindings only")
            if not quoted:
                continue
            if not (native / quoted).exists():
                found.append(f'{where}: "{quoted}" is not a path below native/')
            elif room_of(Path(quoted)) not in {room, *MAY_INCLUDE[room]}:
                found.append(f"{where}: {room} may not include {quoted}")
    return found


if __name__ == "__main__":
    found = violations(NATIVE)
    print("\n".join(found) or "C++ includes: every room includes only what it may")
    sys.exit(1 if found else 0)
