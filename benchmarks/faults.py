"""What a run bears: killed at random moments, its files damaged, files and folders made to harm.

python benchmarks/faults.py                       an hour: as many kills as fit, 2,000 bit flips, 500 truncations
python benchmarks/faults.py minutes=10            shorter
python benchmarks/faults.py kills=30 flips=2000 truncations=500      counts in place of time
python benchmarks/faults.py kills=300 seed=2      other moments; all other words are overrides of train.py

A run of experiment=tiny is trained undisturbed, and the same again and again with SIGKILL at random moments: in
start-up, play, training, grading, and in the middle of its writes. Each must end with the same tensors, and play at
most one generation again. Then every kind of file that a run writes is damaged, a bit or an end at a time, and read;
and so are files and folders that somebody has made to harm. Ends with 1 if any figure is not what it has to be.
"""

from __future__ import annotations

import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from fault_files import (
    KINDS,
    MOST_MEGABYTES,
    MOST_SECONDS,
    Made,
    Reader,
    Verdict,
    complete,
    cut,
    damaged,
    flipped,
    judged,
    read_kind,
)
from hostile import TRAP, cases
from results import publish
from safetensors.torch import load_file

from c4.run.folder import RunFolder, generation_of
from c4.run.outcome import has_finished

ROOT = Path(__file__).parents[1]
RUN = ("experiment=tiny", "inference=torch", "callbacks.progress.live=false")
IN_WRITES = 0.3  # share of the kills that come in the middle of a write, half of which is on the disk then
KILLED_AT_A_WRITE = """
import os, runpy, signal, sys
left, whole = int(sys.argv[1]), os.fsync
def fsync(descriptor):
    global left
    left -= 1
    if left == 0:
        path = os.readlink(f"/proc/self/fd/{descriptor}")
        os.truncate(path, os.path.getsize(path) // 2)
        os.kill(os.getpid(), signal.SIGKILL)
    whole(descriptor)
os.fsync = fsync
del sys.argv[1]
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""
WRITES = 40  # of which one is chosen
LONGEST = 1 / 3  # of the undisturbed run's time, until a kill


def command(words: Sequence[str], *, folder: Path, at_write: int = 0) -> list[str]:
    go_on = RunFolder(path=folder).has_begun()
    train = [str(ROOT / "train.py"), *([f"resume={folder}"] if go_on else [*words, f"hydra.run.dir={folder}"])]
    return [sys.executable, *(["-c", KILLED_AT_A_WRITE, str(at_write)] if at_write else []), *train]


def trained(words: Sequence[str], *, folder: Path) -> float:
    """To its end; the seconds that took."""
    began = time.monotonic()
    done = subprocess.run(command(words, folder=folder), capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"train.py ended with {done.returncode}:\n{done.stderr}")
    return time.monotonic() - began


def killed(words: Sequence[str], *, folder: Path, seconds: float, at_write: int) -> str | None:
    """Where the run was when it was killed; None when it came to its end before."""
    process = subprocess.Popen(
        command(words, folder=folder, at_write=at_write), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    try:
        process.communicate(timeout=None if at_write else seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
    if process.returncode == 0:
        return None
    if process.returncode != -signal.SIGKILL:
        raise SystemExit(f"train.py ended with {process.returncode}; see {RunFolder(path=folder).log}")
    return "in a write" if at_write else moment(RunFolder(path=folder))


def moment(run: RunFolder) -> str:
    """What the run was at, by what is there of it."""
    if not run.has_config():
        return "in start-up"
    if not run.states():
        return "in the first generation"
    newest = generation_of(run.states()[0])
    return "while it trained or was graded" if run.archive.path(newest).exists() else "while it played"


def played_again(run: RunFolder) -> int:
    """Generations that were played to their end and are not in the newest state."""
    done = generation_of(run.states()[0]) if run.states() else 0
    return sum(
        int(found[1]) >= done
        for path in run.samples.glob("generation_*")
        if (found := re.search(r"(\d{6})", path.name))
    )


def differs(run: Path, other: Path) -> list[str]:
    """Names of players and states whose tensors are not the same bit for bit."""
    found = []
    for path in sorted((other / "checkpoints").iterdir()):
        read = load_file if path.suffix == ".safetensors" else _weights
        expected, is_there = read(path), (run / "checkpoints" / path.name).exists()
        made = read(run / "checkpoints" / path.name) if is_there else {}
        if expected.keys() != made.keys() or not all(torch.equal(expected[key], made[key]) for key in expected):
            found.append(path.name)
    return found


def _weights(path: Path) -> Mapping[str, torch.Tensor]:
    weights: Mapping[str, torch.Tensor] = torch.load(path, map_location="cpu", weights_only=True)["state_dict"]
    return weights


def kills(
    words: Sequence[str], *, folder: Path, most: int, until: float, chance: random.Random
) -> tuple[list[dict[str, Any]], bool]:
    """Kills until there were `most` or the time is over; every run comes to its end. Returns the table, and whether all
    is well."""
    whole = folder / "undisturbed"
    seconds = trained(words, folder=whole)
    print(f"undisturbed: {seconds:.0f} s", flush=True)
    moments, again, ended, unlike = Counter[str](), Counter[int](), 0, list[str]()
    while sum(moments.values()) < most and time.monotonic() < until:
        run = folder / f"killed_{ended}"
        while not has_finished(RunFolder(path=run)):
            if sum(moments.values()) >= most or time.monotonic() >= until:
                trained(words, folder=run)
                break
            at_write = chance.randint(1, WRITES) if chance.random() < IN_WRITES else 0
            where = killed(words, folder=run, seconds=chance.uniform(0, LONGEST * seconds), at_write=at_write)
            if where is not None:
                moments[where] += 1
                print(f"killed {where}", flush=True)
                again[played_again(RunFolder(path=run))] += 1
        ended += 1
        unlike += differs(run, whole)
        if not unlike:
            shutil.rmtree(run)
        print(f"{sum(moments.values())} kills, {ended} runs came to their end, {len(unlike)} files differ", flush=True)
    rows: list[dict[str, Any]] = [
        *({"what": f"killed {where}", "times": times} for where, times in sorted(moments.items())),
        *({"what": f"generations that were played again: {count}", "times": n} for count, n in sorted(again.items())),
        {"what": "runs that came to their end", "times": ended},
        {"what": "players and states that differ", "times": len(unlike)},
    ]
    return rows, not unlike and max(again, default=0) <= 1


def damages(
    run: RunFolder, *, flips: int, truncations: int, seed: int, reader: Reader
) -> tuple[list[dict[str, Any]], bool]:
    """So many of each, shared by the kinds of files."""
    rows, well = list[dict[str, Any]](), True
    for name, kind in KINDS.items():
        whole, digest = reader.says(read_kind, name, run.path)
        if whole.made is not Made.SAME:
            raise SystemExit(f"{name} cannot be read as it was written: {whole.said}")
        for what, damage, all_times in (("a bit", flipped, flips), ("cut", cut, truncations)):
            verdicts = list[Verdict]()
            for _ in damaged(run, kind, damage=damage, times=-(-all_times // len(KINDS)), seed=seed):
                verdict, found = reader.says(read_kind, name, run.path)
                verdicts.append(judged(verdict, digest=found, whole=digest))
            rows.append({"file": name, "damage": what, "checksum": "yes" if kind.checked else "no", **table(verdicts)})
            well = well and all(is_well(verdict, checked=kind.checked) for verdict in verdicts)
    return rows, well


def hostilities(run: RunFolder, *, folder: Path, reader: Reader, only: str = "") -> tuple[list[dict[str, Any]], bool]:
    """Each made of a copy of the run, read once."""
    rows, well = list[dict[str, Any]](), True
    for name in KINDS:  # what is imported late is no part of what a file costs
        reader.says(read_kind, name, run.path)
    for number, case in enumerate(case for case in cases() if only in case.name):
        copy = folder / f"hostile_{number}" / "run"
        shutil.copytree(run.path, copy)
        case.make(RunFolder(path=copy))
        verdict, _ = reader.says(case.read, copy)
        ran = (copy / TRAP).exists() or Path(TRAP).exists()
        passed = verdict.made is Made.REFUSED or (case.may_pass and verdict.made is Made.SAME)
        bad = ran or not passed or verdict.seconds > MOST_SECONDS or verdict.megabytes > MOST_MEGABYTES
        rows.append(
            {
                "case": case.name,
                "made": "IT RAN" if ran else verdict.made.value,
                "seconds": verdict.seconds,
                "MB": verdict.megabytes,
                "": "<-" if bad else "",
            }
        )
        if bad:
            said = f"{verdict.made} in {verdict.seconds:.2f} s, {verdict.megabytes:.0f} MB: {verdict.said[:200]}"
            print(f"{case.name}: {said}", flush=True)
        well = well and not bad
        shutil.rmtree(copy.parent, ignore_errors=True)
    return rows, well


def table(verdicts: Sequence[Verdict]) -> dict[str, Any]:
    counted = Counter(verdict.made for verdict in verdicts)
    most = {
        "slowest s": max((verdict.seconds for verdict in verdicts), default=0.0),
        "most MB": max((verdict.megabytes for verdict in verdicts), default=0.0),
    }
    return {"files": len(verdicts), **{made.value: counted[made] for made in Made}, **most}


def is_well(verdict: Verdict, *, checked: bool) -> bool:
    allowed = {Made.REFUSED, Made.SAME} if checked else {Made.REFUSED, Made.SAME, Made.OTHER}
    return verdict.made in allowed and verdict.seconds <= MOST_SECONDS and verdict.megabytes <= MOST_MEGABYTES


def main(words: Sequence[str]) -> int:
    own = {"minutes": "60", "kills": "", "flips": "2000", "truncations": "500", "seed": "1"}
    rest = list(RUN)
    for word in words:
        name, _, value = word.partition("=")
        if name in own:
            own[name] = value
        else:
            rest.append(word)
    began, chance = time.monotonic(), random.Random(int(own["seed"]))
    until = began + 60 * float(own["minutes"]) if not own["kills"] else float("inf")
    most = int(own["kills"] or 10**6)
    folder = Path(tempfile.mkdtemp(prefix="c4faults"))
    rows, is_same = kills(rest, folder=folder, most=most, until=until - 300, chance=chance)
    run, reader = RunFolder(path=folder / "undisturbed"), Reader()
    complete(run)
    damage, noticed = damages(
        run, flips=int(own["flips"]), truncations=int(own["truncations"]), seed=int(own["seed"]), reader=reader
    )
    hostile, held = hostilities(run, folder=folder, reader=reader)
    reader.close()
    publish("faults_kills", rows)
    publish("faults_files", damage)
    publish("faults_hostile", hostile)
    print(f"\n{(time.monotonic() - began) / 60:.0f} minutes; killed runs end the same: {is_same}; ", end="")
    print(f"what is damaged is noticed: {noticed}; what is made to harm is refused: {held}")
    if is_same and noticed and held:
        shutil.rmtree(folder)
        return 0
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
