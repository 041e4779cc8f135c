"""The compiled core: games, search and self-play in C++. It knows nothing of torch, Hydra or Lightning.

A module built for other machines comes in several levels of the x86-64 instruction set; the best that this
processor has is taken, under the one name `c4.native._core`. All of them compute the same, bit for bit.
"""

import os
import sys
from collections.abc import Iterable
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

LEVELS = {  # what a processor must have, as Linux names it
    "v3": frozenset({"abm", "avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe"}),
    "v4": frozenset({"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}),
}


def best_level(built: Iterable[str], *, has: frozenset[str]) -> str | None:
    """The highest level that was built and runs here; None: the plain module."""
    best, needed = None, frozenset[str]()
    for level, flags in LEVELS.items():
        needed |= flags
        if level in built and needed <= has:
            best = level
    return best


def _processor() -> frozenset[str]:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return frozenset()
    return frozenset(next((line for line in lines if line.startswith("flags")), "").partition(":")[2].split())


def _take_best() -> None:
    folder = Path(__file__).parent
    built = {
        level: path
        for level in LEVELS
        for end in EXTENSION_SUFFIXES
        if (path := folder / f"_core_{level}{end}").exists()
    }
    # C4_NATIVE_LEVEL=v3 takes a lower level than the best, "plain" none: to compare them.
    wanted = os.environ.get("C4_NATIVE_LEVEL")
    chosen = {level: path for level, path in built.items() if wanted in (None, level)}
    if not chosen or (level := best_level(chosen, has=_processor())) is None:
        return
    name = f"{__name__}._core"
    spec = spec_from_file_location(name, chosen[level], loader=ExtensionFileLoader(name, str(chosen[level])))
    assert spec is not None
    assert spec.loader is not None
    sys.modules[name] = module = module_from_spec(spec)
    spec.loader.exec_module(module)


_take_best()
