"""What a run bears: killed at random moments, its files damaged, files and folders made to harm.

python benchmarks/faults.py                       an hour: as many kills as fit, 2,000 bit flips, 500 truncations
python benchmarks/faults.py minutes=10            shorter
python benchmarks/faults.py kills=30 flips=2000 truncations=500      counts in place of time
python benchmarks/faults.py kills=300 seed=2      other moments; all other words are overrides of train.py
python benchmarks/faults.py ways=sweep,ray        what is killed: runs alone, sweeps, drivers of Ray; all by turns
python benchmarks/faults.py kills=50 seed=3 more=yes      a part: its figures are added to those of the parts before

A run of experiment=tiny is trained undisturbed, and the same again and again with SIGKILL at random moments: in
start-up, play, training, grading, in the middle of its writes; alone, as a trial of a sweep, and with actors of Ray.
Each must end with the same tensors, and play at most one generation again; a sweep begins at most one trial again. Then
every kind of file that a run writes is damaged, a bit or an end at a time, and read; and so are files and folders that
somebody has made to harm. Ends with 1 if any figure is not what it has to be.
"""

from __future__ import annotations

import dataclasses
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
from importlib.util import find_spec
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
from results import kept, publish
from safetensors.torch import load_file
from words import parted

from c4.run.folder import RunFolder, generation_of
from c4.run.outcome import has_finished

ROOT = Path(__file__).parents[1]
RUN = ("experiment=tiny", "inference=torch", "callbacks.progress.live=false")
IN_WRITES = 0.3  # share of the kills that come in the middle of a write, half of which is on the disk then
TRAIN = str(ROOT / "train.py")
KILLED_AT_A_WRITE = str(Path(__file__).with_name("killed_at_a_write.py"))
WRITES = 40  # of which one is chosen
TRIALS = 3  # of a sweep
OWN = {"minutes": "60", "kills": "", "flips": "2000", "truncations": "500", "seed": "1", "ways": "all", "more": "no"}


@dataclasses.dataclass(frozen=True, kw_only=True)
class Way:
    """Of training that is killed. `measure`: what an undisturbed run is given besides, `words` what a killed one is."""

    name: str
    words: Sequence[str] = ()
    measure: Sequence[str] = ()
    sweeps: bool = False
    longest: float = 1 / 3  # of the undisturbed time, until a kill

    def line(self, words: Sequence[str], *, folder: Path, undisturbed: bool = False) -> list[str]:
        """What is typed after train.py, for the first time or to continue."""
        own = [*words, *(self.measure if undisturbed else self.words)]
        if self.sweeps:
            return ["-m", *own, f"hydra.sweep.dir={folder}"]
        return [f"resume={folder}"] if RunFolder(path=folder).has_begun() else [*own, f"hydra.run.dir={folder}"]

    def runs(self, folder: Path) -> list[RunFolder]:
        """In the order in which they were begun."""
        if not self.sweeps:
            return [RunFolder(path=folder)]
        jobs = [path for path in folder.glob("*/") if path.name.isdigit()]
        return [RunFolder(path=path) for path in sorted(jobs, key=lambda path: int(path.name))]


EXACT = ("selfplay.mode=exact", "selfplay.chunk_games=64")
SEARCH = (
    "hydra/sweeper=optuna", f"hydra.sweeper.trials={TRIALS}", "hydra.sweeper.sampler=random",
    "hydra.sweeper.attempts=1000", "evaluation.grading.time_share=1", "budget.generations=2",
    "model.learning_rate=tag(log,interval(1e-3,1e-2))",
)  # fmt: skip
WAYS = {
    way.name: way
    for way in (
        Way(name="alone"),
        Way(name="sweep", words=SEARCH, measure=SEARCH, sweeps=True, longest=1.0),
        Way(name="ray", words=(*EXACT, "selfplay=ray"), measure=EXACT),  # one process is its measure
    )
}
TURNS = ("alone", "alone", "sweep", "alone", "ray")


def trained(way: Way, words: Sequence[str], *, folder: Path, undisturbed: bool = False) -> float:
    """To its end; the seconds that took."""
    began = time.monotonic()
    line = [sys.executable, TRAIN, *way.line(words, folder=folder, undisturbed=undisturbed)]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"train.py ended with {done.returncode}:\n{done.stderr}")
    return time.monotonic() - began


def killed(way: Way, words: Sequence[str], *, folder: Path, seconds: float, at_write: int) -> str | None:
    """Where it was when it was killed; None when it came to its end before."""
    deadly = [KILLED_AT_A_WRITE, str(at_write)] if at_write else []
    line = [sys.executable, *deadly, TRAIN, *way.line(words, folder=folder)]
    process = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        process.communicate(timeout=None if at_write else seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
    if process.returncode == 0:
        return None
    if process.returncode != -signal.SIGKILL:
        raise SystemExit(f"train.py ended with {process.returncode}; see train.log in {folder}")
    begun = way.runs(folder)
    where = "in a write" if at_write else moment(begun[-1]) if begun else "in start-up"
    return where if way.name == "alone" else f"{way.name}: {where}"


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
    whole = RunFolder(path=other)
    for path in sorted([*whole.players(), *whole.states()]):
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
    words: Sequence[str], *, ways: Sequence[Way], folder: Path, most: int, until: float, chance: random.Random
) -> tuple[list[dict[str, Any]], bool]:
    """Kills until there were `most` or the time is over; all that was begun comes to its end. Returns the table, and
    whether all is well."""
    seconds = dict[str, float]()
    moments, again, ended, unlike = Counter[str](), Counter[int](), Counter[str](), list[str]()
    while sum(moments.values()) < most and time.monotonic() < until:
        way = ways[ended.total() % len(ways)]
        whole, run = folder / f"undisturbed_{way.name}", folder / f"killed_{ended.total()}"
        if way.name not in seconds:
            seconds[way.name] = trained(way, words, folder=whole, undisturbed=True)
            print(f"undisturbed, {way.name}: {seconds[way.name]:.0f} s", flush=True)
        while True:
            if sum(moments.values()) >= most or time.monotonic() >= until:
                if not all(has_finished(each) for each in way.runs(run)) or len(way.runs(run)) < len(way.runs(whole)):
                    trained(way, words, folder=run)
                break
            in_write = chance.random() < IN_WRITES and not way.sweeps  # a study's journal is only ever added to
            at_write = chance.randint(1, WRITES) if in_write else 0
            patience = chance.uniform(0, way.longest * seconds[way.name])
            where = killed(way, words, folder=run, seconds=patience, at_write=at_write)
            if where is None:
                break
            moments[where] += 1
            print(f"killed {where}", flush=True)
            if not way.sweeps:
                again[played_again(RunFolder(path=run))] += 1
        ended[way.name] += 1
        pairs = zip(way.runs(run), way.runs(whole), strict=True)
        found = [name for one, other in pairs for name in differs(one.path, other.path)]
        unlike += found
        if not found:
            shutil.rmtree(run)
        print(f"{moments.total()} kills, {ended.total()} came to their end, {len(unlike)} files differ", flush=True)
    rows: list[dict[str, Any]] = [
        *({"what": f"killed {where}", "times": times} for where, times in sorted(moments.items())),
        *({"what": f"generations that were played again: {count}", "times": n} for count, n in sorted(again.items())),
        *({"what": f"that came to their end, {name}", "times": times} for name, times in sorted(ended.items())),
        {"what": "players and states that differ", "times": len(unlike)},
    ]
    return rows, not unlike and max(again, default=0) <= 1


def asked(names: str) -> list[Way]:
    """By turns; what is not installed is passed over with a word."""
    turns = TURNS if names == "all" else names.split(",")
    if unknown := set(turns) - WAYS.keys():
        raise SystemExit(f"ways={names}: there is no {min(unknown)}; the ways are {', '.join(WAYS)}")
    if "ray" in turns and find_spec("ray") is None:
        print("ray is not installed: nothing is killed under it")
        turns = [name for name in turns if name != "ray"]
    return [WAYS[name] for name in turns]


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


def added(before: Sequence[Mapping[str, Any]], rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rows about the same thing become one: counts add up, of seconds and megabytes the most counts."""
    found = dict[tuple[str, ...], dict[str, Any]]()
    for row in (*before, *rows):
        names = tuple(str(row[name]) for name in ("what", "file", "damage", "case") if name in row)
        had = found.setdefault(names, {})
        for name, value in row.items():
            is_count, was = type(value) is int, had.get(name, 0)
            had[name] = was + value if is_count else max(was, value) if isinstance(value, float) else value
    return list(found.values())


def is_well(verdict: Verdict, *, checked: bool) -> bool:
    allowed = {Made.REFUSED, Made.SAME} if checked else {Made.REFUSED, Made.SAME, Made.OTHER}
    return verdict.made in allowed and verdict.seconds <= MOST_SECONDS and verdict.megabytes <= MOST_MEGABYTES


def main(words: Sequence[str]) -> int:
    own, typed = parted(words, own=OWN)
    rest = [*RUN, *typed]
    began, chance = time.monotonic(), random.Random(int(own["seed"]))
    until = began + 60 * float(own["minutes"]) if not own["kills"] else float("inf")
    most = int(own["kills"] or 10**6)
    folder = Path(tempfile.mkdtemp(prefix="c4faults"))
    rows, is_same = kills(rest, ways=asked(own["ways"]), folder=folder, most=most, until=until - 300, chance=chance)
    run, reader = RunFolder(path=folder / "undisturbed_alone"), Reader()
    if not run.path.exists():
        trained(WAYS["alone"], rest, folder=run.path)
    complete(run)
    damage, noticed = damages(
        run, flips=int(own["flips"]), truncations=int(own["truncations"]), seed=int(own["seed"]), reader=reader
    )
    hostile, held = hostilities(run, folder=folder, reader=reader)
    reader.close()
    for name, part in (("faults_kills", rows), ("faults_files", damage), ("faults_hostile", hostile)):
        publish(name, added(kept(name), part) if own["more"] == "yes" else part)
    print(f"\n{(time.monotonic() - began) / 60:.0f} minutes; killed runs end the same: {is_same}; ", end="")
    print(f"what is damaged is noticed: {noticed}; what is made to harm is refused: {held}")
    if is_same and noticed and held:
        shutil.rmtree(folder)
        return 0
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
