"""Trees where the system gives only so much memory (ulimit -d, ulimit -v): in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

START = """
import resource, gc
from tests.native.test_limited_memory import MEGABYTE, size
from tests.differential.trees import PLAIN
from c4.native._core import Searches

def limit(kind, megabytes):
    resource.setrlimit(kind, (megabytes * MEGABYTE,) * 2)

def tree(simulations):
    trees = Searches("gomoku9", 1, PLAIN, cache_megabytes=0.0, num_threads=1)
    trees.think(0, simulations)
    trees.roll_out(1)
    return trees
"""
MEGABYTE = 1 << 20


def size(name: str) -> int:
    """VmData, VmSize or VmRSS of this process, in megabytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:")) // 1024


def run(program: str) -> None:
    done = subprocess.run([sys.executable, "-c", START + program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_small_tree_takes_little_under_a_large_limit() -> None:
    run("""
limit(resource.RLIMIT_AS, 16 * 1024)
before = [size(name) for name in ("VmSize", "VmData", "VmRSS")]
small = tree(1)
grown = [size(name) - old for name, old in zip(("VmSize", "VmData", "VmRSS"), before, strict=True)]
assert grown[0] < 5 * 1024 and grown[1] < 64 and grown[2] < 16, grown
""")


def test_a_tree_that_finds_no_memory_says_so_and_its_memory_is_there_for_others() -> None:
    run("""
first = tree(1)
limit(resource.RLIMIT_DATA, size("VmData") + 128)
try:
    tree(2_000_000)
except MemoryError:
    gc.collect()
else:
    raise AssertionError("it found memory")
second = tree(20_000)
assert second.root(0).visits == 20_000
""")
