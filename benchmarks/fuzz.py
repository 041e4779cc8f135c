"""Fuzzing by coverage: every target of tests/fuzz under libFuzzer, or atheris for Python, from what it has found.

make fuzz-coverage FUZZ_RUNS=100000000             builds the targets and calls this
python benchmarks/fuzz.py runs=1000000             of all targets together, each its share; may be stopped
python benchmarks/fuzz.py runs=1000000 targets=search,state jobs=2        these alone, two at once
python benchmarks/fuzz.py keep=yes                 writes what covers most with least into tests/fuzz/corpus

Inputs are collected in build/coverage/corpus, and what was run is added up in build/coverage/totals.json, so that the
same line again goes on. Ends with 1 when an input breaks a target; it lies in build/coverage/found then.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from results import publish
from words import parted

ROOT = Path(__file__).parents[1]
BUILD, KEPT = ROOT / "build" / "coverage", ROOT / "tests" / "fuzz" / "kept.py"
OWN = {"runs": "100000", "targets": "", "jobs": "1", "keep": "no", "seed": "0"}  # seed 0: another each time
SHARES = {  # of the runs: about what each makes in the same time
    "game": 0.12,
    "position": 0.4,
    "search": 0.1,
    "generator": 0.1,
    "state": 0.26,
    "positions_file": 0.018,
    "safetensors_file": 0.002,
}
LONGEST = {  # bytes of an input: longer sequences are slower, and no other
    "game": 200,
    "position": 300,
    "search": 128,
    "generator": 128,
    "state": 3000,
    "positions_file": 600,
    "safetensors_file": 4000,
}
PYTHON = ("positions_file", "safetensors_file")
LIBFUZZER = (
    "-print_final_stats=1", "-timeout=60", "-report_slow_units=60", "-rss_limit_mb=2048",
    "-entropic=0",  # whose bookkeeping takes more time than the targets do
)  # fmt: skip
FEWEST = ("-use_counters=0", "-use_cmp=0")  # of what is kept: each line reached, and not how often


def command(target: str) -> list[str]:
    if target in PYTHON:
        return [sys.executable, str(ROOT / "tests" / "fuzz" / "by_coverage.py"), target]
    return [str(BUILD / target)]


def environment() -> dict[str, str]:
    paths = [str(BUILD / "atheris"), str(ROOT), str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]
    asan = "quarantine_size_mb=16:malloc_context_size=6:detect_leaks=0"  # leaks are looked for by `make fuzz`
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        "ASAN_OPTIONS": asan,
        "OMP_NUM_THREADS": "1",
    }


def folder(what: str, target: str) -> Path:
    made = BUILD / what / target
    made.mkdir(parents=True, exist_ok=True)
    return made


def unpacked(target: str) -> Path:
    place = folder("kept", target)
    subprocess.run([sys.executable, str(KEPT), "unpack", target, str(place)], check=True)
    return place


def fuzzed(target: str, *, runs: int, seed: int) -> dict[str, Any]:
    """What libFuzzer says at the end of so many runs, or of fewer when it is stopped or has found something."""
    log, found = BUILD / f"{target}.log", folder("found", target)
    line = [
        *command(target), f"-runs={runs}", f"-max_len={LONGEST[target]}", f"-seed={seed}",
        f"-artifact_prefix={found}/", *LIBFUZZER, str(folder("corpus", target)), str(unpacked(target)),
    ]  # fmt: skip
    began = time.monotonic()
    with log.open("w") as file:
        process = subprocess.Popen(line, stdout=file, stderr=subprocess.STDOUT, cwd=ROOT, env=environment())
        try:
            code = process.wait()
        except KeyboardInterrupt:  # it has been asked to stop too
            code = process.wait()
    said = log.read_text(errors="replace")
    done = re.search(r"number_of_executed_units: (\d+)", said)
    edges = re.findall(r"cov: (\d+)", said)
    return {
        "executions": int(done[1]) if done else 0,
        "seconds": time.monotonic() - began,
        "edges": int(edges[-1]) if edges else 0,
        "found": sorted(path.name for path in found.iterdir()),
        "ended": "well" if code == 0 or "run interrupted" in said else f"with {code}, see {log}",
    }


def added(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    return {**now, **{name: before.get(name, 0) + now[name] for name in ("executions", "seconds")}}


def keep(targets: Sequence[str]) -> None:
    for target in targets:
        least = folder("least", target)
        for path in least.iterdir():
            path.unlink()
        sources = [str(unpacked(target)), str(folder("corpus", target))]
        line = [*command(target), "-merge=1", *FEWEST, f"-max_len={LONGEST[target]}", str(least), *sources]
        subprocess.run(line, check=True, cwd=ROOT, env=environment(), capture_output=True)
        subprocess.run([sys.executable, str(KEPT), "keep", target, str(least)], check=True)
        print(f"{target}: {len(list(least.iterdir()))} inputs are kept")


def main(words: Sequence[str]) -> int:
    own, rest = parted(words, own=OWN)
    targets = own["targets"].replace(",", " ").split() or list(SHARES)
    if unknown := [*rest, *(set(targets) - SHARES.keys())]:
        raise SystemExit(f"{unknown[0]}: no word of this benchmark, and no target; those are {', '.join(SHARES)}")
    if own["keep"] == "yes":
        keep(targets)
        return 0
    kept = BUILD / "totals.json"
    totals = json.loads(kept.read_text()) if kept.exists() else {}
    whole = sum(SHARES[target] for target in targets)

    def one(target: str) -> None:
        runs = max(1, round(int(own["runs"]) * SHARES[target] / whole))
        print(f"{target}: {runs:,} runs", flush=True)
        totals[target] = added(totals.get(target, {}), fuzzed(target, runs=runs, seed=int(own["seed"])))
        kept.write_text(json.dumps(totals, indent=2) + "\n")

    with ThreadPoolExecutor(max_workers=int(own["jobs"])) as pool:
        list(pool.map(one, targets))
    rows = [
        {"target": name, **row, "a second": row["executions"] / max(row["seconds"], 1e-9), "found": len(row["found"])}
        for name, row in totals.items()
    ]
    publish("fuzz_coverage", rows)
    print(f"\n{sum(row['executions'] for row in rows):,} executions in all, {sum(row['found'] for row in rows)} found")
    return 1 if any(row["found"] or row["ended"] != "well" for row in totals.values()) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
