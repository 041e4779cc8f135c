"""Files and folders that somebody has made to do harm, and what c4 makes of each: a sentence, soon, in little memory,
and nothing that they name is run. For benchmarks/faults.py.
"""

from __future__ import annotations

import dataclasses
import gzip
import io
import json
import os
import pickle
import shutil
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from fault_files import book_file, positions_file

from c4.run.folder import RunFolder

GAME = "connect4_4x4"
TRAP = "it-ran"


class Trap:
    """What unpickles it makes a folder."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self._path),)


Make = Callable[[RunFolder], Any]
"""Changes a whole run."""
Read = Callable[[Path], Any]
"""Reads one as a command does."""
Place = Callable[[RunFolder], Path]
"""Tells where a file of it lies."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Hostile:
    name: str
    make: Make
    read: Read
    may_pass: bool = False  # it may say as much as before: what is hostile in it is passed over


# ---- how each is read: as the commands do


def as_player(folder: Path) -> Any:
    from c4.network.weights import load_player

    return load_player(RunFolder(path=folder).player("last")).state


def as_checkpoint(folder: Path) -> Any:
    from c4.network.weights import load_player

    return load_player(RunFolder(path=folder).states()[0]).state


def as_card(folder: Path) -> Any:
    from c4.network.weights import read_card

    return read_card(RunFolder(path=folder).player("last"))


def as_run(folder: Path) -> Any:
    """What resume=FOLDER reads before anything begins."""
    from c4.run.about import read_config, read_facts, read_overrides
    from c4.run.finding import run_named
    from c4.run.kept import read_games
    from c4.run.lock import check_alone
    from c4.run.metrics import read_metrics
    from c4.run.outcome import read_outcome

    run, _ = run_named(str(folder))
    check_alone(run)
    said = [read_overrides(run), read_config(run), read_facts(run), read_metrics(run), repr(read_outcome(run))]
    return [*said, read_games(run), _newest(run)]


def _newest(run: RunFolder) -> Any:
    from c4.run.folder import StateError
    from c4.run.state import newest_whole

    state = newest_whole(run, upto=None)
    if state.problems:  # it steps back to the one before, and says this
        raise StateError(state.problems[0])
    return state.header


def as_watched(folder: Path) -> Any:
    """What the page that watches runs reads of one."""
    from c4.ui.web.runs import Runs

    return [[repr((run.glance, run.setup, run.ending, run.origin())) for run in Runs(folder.parent).all()]]


def as_positions(folder: Path) -> Any:
    from c4.evaluation.labels import read_labelled

    return read_labelled(positions_file(RunFolder(path=folder)), game=GAME).moves


def as_book(folder: Path) -> Any:
    from c4.evaluation.failures import read_openings

    return read_openings(book_file(RunFolder(path=folder)), game=GAME)


# ---- what is made of files


def tensors(header: dict[str, Any], *, metadata: dict[str, Any] | None = None, data: bytes = b"\0" * 64) -> bytes:
    """A safetensors file that says of itself what it likes."""
    text = json.dumps({"__metadata__": metadata or {}} | header).encode()
    return len(text).to_bytes(8, "little") + text + data


def renamed(run: RunFolder, change: Callable[[dict[str, Any]], None]) -> None:
    """The player with another header of ours: its weights, their checksum and all else as they were."""
    path = run.player("last")
    data = path.read_bytes()
    end = 8 + int.from_bytes(data[:8], "little")
    outer = json.loads(data[8:end])
    ours = json.loads(outer["__metadata__"]["c4"])
    change(ours)
    outer["__metadata__"]["c4"] = json.dumps(ours)
    text = json.dumps(outer).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + data[end:])


def spoiled(run: RunFolder, value: float) -> None:
    import torch

    from c4.network.weights import load_player, save_player

    player = load_player(run.player("last"))
    state = {name: tensor.clone(memory_format=torch.contiguous_format) for name, tensor in player.state.items()}
    next(tensor for tensor in state.values() if tensor.is_floating_point()).view(-1)[0] = value
    save_player(run.player("last"), spec=player.spec, design=player.design, state=state, card=player.card)


def saved(run: RunFolder, change: Callable[[dict[str, Any]], Any]) -> None:
    """The newest state with other content, whole as a file; older ones are gone."""
    import torch

    newest, *older = run.states()
    whole = torch.load(newest, weights_only=True)
    change(whole)
    torch.save(whole, newest)
    for path in older:
        path.unlink()


def said_by_clock(run: RunFolder, said: Mapping[str, Any]) -> None:
    """Another clock beside the newest state, with its checksum."""
    from c4.run.clock import read_clock, write_clock

    write_clock(clock(run), {**read_clock(clock(run)), **said})


def only(run: RunFolder, data: bytes) -> None:
    newest, *older = run.states()
    newest.write_bytes(data)
    for path in older:
        path.unlink()


def zip_of(name: str, data: bytes, *, times: int = 1) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as parts:
        for number in range(times):
            parts.writestr(name.format(number), data)
    return file.getvalue()


def trapped(run: RunFolder) -> bytes:
    import torch

    file = io.BytesIO()
    torch.save({"c4": Trap(run.path / TRAP), "state_dict": {}}, file)
    return file.getvalue()


def instead(path: Path, *, kind: str) -> None:
    """A pipe, a device, a folder, a link to itself, or a sparse file of a terabyte, in place of a file."""
    shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    elif kind == "folder":
        path.mkdir()
    elif kind == "loop":
        path.symlink_to(path)
    elif kind == "terabyte":
        with path.open("wb") as file:
            file.truncate(2**40)
    else:
        path.write_bytes(b"")


ALIASES = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join([f'*{chr(97 + n)}'] * 9)}]\n" for n in range(12)
)
DEEP = "[" * 100_000
ZEROS = b"\0" * 2**20


def _of(name: str, read: Read, makes: Mapping[str, Make], *, may_pass: bool | tuple[str, ...] = False) -> list[Hostile]:
    """One for each; those that `may_pass`, or all."""
    return [
        Hostile(
            name=f"{name}: {what}", make=make, read=read,
            may_pass=may_pass if isinstance(may_pass, bool) else what in may_pass,
        )
        for what, make in makes.items()
    ]  # fmt: skip


def _written(of: Place, data: bytes | Callable[[RunFolder], bytes]) -> Make:
    return lambda run: of(run).write_bytes(data if isinstance(data, bytes) else data(run))


def _placed(of: Place) -> dict[str, Make]:
    kinds = ("pipe", "device", "folder", "loop", "terabyte", "empty")

    def placing(kind: str) -> Make:
        return lambda run: instead(of(run), kind=kind)

    return {kind: placing(kind) for kind in kinds}


def _texts(of: Place) -> dict[str, Make]:
    texts = {
        "nested": DEEP.encode(),
        "no text": b"\xff\xfe",
        "one long line": b"1" * 4_000_000,
        "escapes": b'"\x1b[2J"',
    }
    return {kind: _written(of, text) for kind, text in texts.items()}


def _wide(header: dict[str, Any]) -> None:
    header["network"] |= {"width": 1024, "depth": 64}


def _named(header: dict[str, Any]) -> None:
    header["network"] = {"_target_": "os.system", "command": "touch it-ran"}


def last(run: RunFolder) -> Path:
    return run.player("last")


def newest(run: RunFolder) -> Path:
    return run.states()[0]


def clock(run: RunFolder) -> Path:
    return run.clock(newest(run))


def _at(name: str) -> Place:
    return lambda run: Path(getattr(run, name))


CONFIG, OVERRIDES, METRICS = _at("config"), _at("overrides"), _at("metrics")


def samples_of(run: RunFolder) -> Path:
    return run.archive.path(0)


def cases() -> list[Hostile]:
    bomb = zip_of("archive/data/{}", ZEROS, times=1024)
    endless = {"w": {"dtype": "F32", "shape": [2**40], "data_offsets": [0, 2**42]}}
    players: dict[str, Make] = {
        "a pickle": _written(last, lambda run: pickle.dumps(Trap(run.path / TRAP))),
        "a pickle in a zip": _written(last, trapped),
        "a header of exabytes": _written(last, b"\xff" * 64),
        "a nested header": _written(last, len(DEEP).to_bytes(8, "little") + DEEP.encode()),
        "tensors beyond the file": _written(last, tensors(endless)),
        "nothing of ours": _written(last, tensors({}, data=b"")),
        "width 1024, depth 64": lambda run: renamed(run, _wide),
        "names os.system": lambda run: renamed(run, _named),
        "another game": lambda run: renamed(run, lambda header: header["game"].update(name="chess")),
        "not a number": lambda run: spoiled(run, float("nan")),
        "infinite": lambda run: spoiled(run, float("inf")),
    }
    checkpoints: dict[str, Make] = {
        "a pickle in a zip": lambda run: only(run, trapped(run)),
        "a bare pickle": lambda run: only(run, pickle.dumps(Trap(run.path / TRAP))),
        "a gigabyte in a megabyte": lambda run: only(run, bomb),
        "no header": lambda run: saved(run, lambda whole: [whole.pop(name) for name in ("c4", "c4_player")]),
    }
    states: dict[str, Make] = {
        "a header that is a list": lambda run: saved(run, lambda whole: whole.update(c4=[1])),
        "another version": lambda run: saved(run, lambda whole: whole["c4"].update(format=99)),
        "a window of 10^12": lambda run: saved(run, lambda whole: whole["C4DataModule"].update(window=[0, 10**12])),
        "a window of words": lambda run: saved(run, lambda whole: whole["C4DataModule"].update(window=["a", "b"])),
    }
    clocks = {
        what: lambda run, said=said: said_by_clock(run, said)
        for what, said in {
            "no number": {"ledger": {"elapsed": float("nan"), "seconds": {}}},
            "a list": {"ledger": []},
            "words": {"metrics": {"budget/minutes": "many"}},
            "seconds of no phase": {"ledger": {"elapsed": 1.0, "seconds": {"LUNCH": 1.0}}},
        }.items()
    }
    configs: dict[str, Make] = {
        "aliases of aliases": _written(CONFIG, ALIASES.encode()),
        "a Python object": _written(CONFIG, b"a: !!python/object/apply:os.mkdir [it-ran]\n"),
    }
    positions: dict[str, Make] = {
        "a gigabyte in a megabyte": _written(positions_file, gzip.compress(ZEROS) * 1024),
        "not gzip": _written(positions_file, b"\x1f\x8b\x08" + b"\xff" * 60),
        "100,000 digits": _written(
            positions_file, gzip.compress(b'{"moves": "' + b"1" * 100_000 + b'", "scores": [1]}')
        ),
        "nested": _written(positions_file, gzip.compress(DEEP.encode())),
        "numbers without end": _written(positions_file, gzip.compress(b'{"moves": "1", "scores": [' + b"9" * 100_000)),
    }
    passing = {"metrics": METRICS, "outcome": _at("outcome"), "facts": _at("facts"), "games": _at("games")}
    return [
        *_of("player", as_player, players | _placed(last)),
        *_of("card", as_card, {"a list": lambda run: renamed(run, lambda says: says.update(card=[1]))}, may_pass=True),
        *_of("state", as_run, checkpoints | states | _placed(newest)),
        *_of("clock", as_run, clocks | _placed(clock) | _texts(clock)),
        *_of("checkpoint", as_checkpoint, checkpoints),
        *_of("samples", as_run, {"a terabyte, it says": _written(samples_of, tensors(endless))} | _placed(samples_of)),
        *_of("positions", as_positions, positions | _placed(positions_file)),
        *_of("book", as_book, _placed(book_file) | _texts(book_file), may_pass=("empty",)),
        *_of("config", as_run, configs | _placed(CONFIG) | _texts(CONFIG)),
        *_of("config", as_run, {"the environment": _written(CONFIG, b"name: ${oc.env:PATH}\n")}, may_pass=True),
        *_of("overrides", as_run, _placed(OVERRIDES) | _texts(OVERRIDES)),
        *(case for name, of in passing.items() for case in _of(name, as_run, _placed(of) | _texts(of), may_pass=True)),
        *_of("lock", as_run, _placed(_at("lock")), may_pass=True),
        *_of("watched config", as_watched, _placed(CONFIG), may_pass=True),
        *_of("watched metrics", as_watched, _placed(METRICS), may_pass=True),
        *_of("watched player", as_watched, _placed(lambda run: run.player("best")), may_pass=True),
    ]  # fmt: skip
