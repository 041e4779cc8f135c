"""Every kind of file that a run writes and c4 reads again, damaged: what is made of it, how long that takes, and in how
much memory. Each is read in a process of its own, which may hang or die.
"""

from __future__ import annotations

import dataclasses
import hashlib
import multiprocessing
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any

from c4.run.folder import RunFolder

PATIENCE, BEGINS = 120.0, 600.0  # seconds until a reader is said to hang, and until it has loaded what it needs
MOST_SECONDS, MOST_MEGABYTES = 1.0, 200.0


class Made(StrEnum):
    """Of a damaged file."""

    REFUSED = "refused"  # in a sentence
    SAME = "same"  # nothing that is said by it has changed
    OTHER = "other content"
    TRACEBACK = "traceback"
    HUNG = "hung or died"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Kind:
    name: str
    file: Callable[[RunFolder], Path]
    read: Callable[[RunFolder], Any]  # what the file says, as plain data and tensors
    checked: bool = True  # by a checksum; else text for people, of which a changed digit is a changed digit


@dataclasses.dataclass(frozen=True, kw_only=True)
class Verdict:
    made: Made
    seconds: float  # of the processor: others may be busy too
    megabytes: float  # beyond what the process had before
    said: str


def _state(run: RunFolder) -> Any:
    import torch

    from c4.run.folder import StateError
    from c4.run.state import newest_whole

    state = newest_whole(run, upto=None)
    if state.problems:  # it steps back to the one before, and says this
        raise StateError(state.problems[0])
    whole = torch.load(state.path, map_location="cpu", weights_only=True)
    return [state.header, state.ledger, whole]


def _clock(run: RunFolder) -> Any:
    from c4.run.clock import read_clock

    return read_clock(run.clock(run.states()[0]))


def _player(path: Path) -> Any:
    from c4.network.weights import load_player

    player = load_player(path)
    return [player.spec.name, repr(player.design), player.version, player.card, player.state]


def _samples(run: RunFolder) -> Any:
    from c4.replay.samples import columns

    return dict(columns(run.archive.read(0, game="connect4_4x4")))


def _positions(run: RunFolder) -> Any:
    from c4.evaluation.labels import read_labelled

    labelled = read_labelled(positions_file(run), game="connect4_4x4")
    return [labelled.moves, labelled.scores]


def _book(run: RunFolder) -> Any:
    from c4.evaluation.failures import read_openings

    return read_openings(book_file(run), game="connect4_4x4")


def _config(run: RunFolder) -> Any:
    from c4.run.about import read_config

    return read_config(run)


def _overrides(run: RunFolder) -> Any:
    from c4.run.about import read_overrides

    return read_overrides(run)


def _metrics(run: RunFolder) -> Any:
    from c4.run.metrics import read_metrics

    return read_metrics(run)


def _outcome(run: RunFolder) -> Any:
    from c4.run.outcome import read_outcome

    return repr(read_outcome(run))


def _facts(run: RunFolder) -> Any:
    from c4.run.about import read_facts

    return read_facts(run)


def _games(run: RunFolder) -> Any:
    from c4.run.kept import read_games

    return read_games(run)


def _mistakes(run: RunFolder) -> Any:
    from c4.run.kept import read_mistakes

    return read_mistakes(run)


def positions_file(run: RunFolder) -> Path:
    return run.path / "positions.jsonl.gz"


def book_file(run: RunFolder) -> Path:
    return run.path / "book.jsonl"


KINDS = {
    kind.name: kind
    for kind in (
        Kind(name="state", file=lambda run: run.states()[0], read=_state),
        Kind(name="clock beside a state", file=lambda run: run.clock(run.states()[0]), read=_clock),
        Kind(name="player", file=lambda run: run.player("last"), read=lambda run: _player(run.player("last"))),
        Kind(name="state as player", file=lambda run: run.states()[0], read=lambda run: _player(run.states()[0])),
        Kind(name="samples", file=lambda run: run.archive.path(0), read=_samples),
        Kind(name="positions", file=positions_file, read=_positions),
        Kind(name="configuration", file=lambda run: run.config, read=_config),
        Kind(name="words typed", file=lambda run: run.overrides, read=_overrides),
        Kind(name="book of openings", file=book_file, read=_book, checked=False),
        Kind(name="metrics", file=lambda run: run.metrics, read=_metrics, checked=False),
        Kind(name="outcome", file=lambda run: run.outcome, read=_outcome, checked=False),
        Kind(name="facts", file=lambda run: run.facts, read=_facts, checked=False),
        Kind(name="games", file=lambda run: run.games, read=_games, checked=False),
        Kind(name="mistakes", file=lambda run: run.mistakes, read=_mistakes, checked=False),
    )
}


def complete(run: RunFolder) -> None:
    """Adds what a person has beside a run: positions with the truth, and a book to begin games from."""
    import gzip
    import json
    import random as chance

    from c4.evaluation.labels import to_lines
    from c4.evaluation.sets import small_set, subset
    from c4.files import write_beside

    known = subset(small_set("connect4_4x4", cache=run.path), count=200)
    write_beside(positions_file(run), gzip.compress("\n".join(to_lines(known)).encode(), mtime=0))
    texts = [known.text(row) for row in chance.Random(1).sample(range(len(known)), 40)]
    lines = (json.dumps({"game": "connect4_4x4", "moves": text, "played": 0, "simulations": 1}) for text in texts)
    write_beside(book_file(run), "\n".join(lines).encode())


def flipped(data: bytes, *, chance: random.Random) -> bytes:
    """One bit is another."""
    changed = bytearray(data)
    changed[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def cut(data: bytes, *, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data))]


Damage = Callable[..., bytes]


def damaged(run: RunFolder, kind: Kind, *, damage: Damage, times: int, seed: int) -> Iterator[bytes]:
    """The file of this kind, whole again after each; while it is yielded it lies there damaged."""
    path, chance = kind.file(run), random.Random(f"{kind.name} {seed}")
    whole = path.read_bytes()
    try:
        for _ in range(times):
            changed = damage(whole, chance=chance)
            path.write_bytes(changed)
            yield changed
    finally:
        path.write_bytes(whole)


class Reader:
    """A process that reads, as long as it lives; a new one in place of one that hangs or dies."""

    def __init__(self) -> None:
        self._context = multiprocessing.get_context("spawn")
        self._begin()

    def _begin(self) -> None:
        self._ours, theirs = self._context.Pipe()
        self._process = self._context.Process(target=_serve, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()
        if not self._ours.poll(BEGINS):
            raise TimeoutError("a process that reads did not begin")
        self._ours.recv()

    def says(self, read: Callable[..., Any], *arguments: Any) -> tuple[Verdict, str]:
        """What a function that a process can import makes of its arguments, and the digest of its answer."""
        self._ours.send((read, arguments))
        try:
            if self._ours.poll(PATIENCE):
                made, seconds, megabytes, said, digest = self._ours.recv()
                return Verdict(made=Made(made), seconds=seconds, megabytes=megabytes, said=said), digest
        except EOFError:
            pass
        self.close()
        self._begin()
        return Verdict(made=Made.HUNG, seconds=PATIENCE, megabytes=0.0, said=""), ""

    def close(self) -> None:
        self._process.kill()
        self._process.join()
        self._ours.close()


def read_kind(name: str, folder: Path) -> Any:
    return KINDS[name].read(RunFolder(path=folder))


def judged(verdict: Verdict, *, digest: str, whole: str) -> Verdict:
    return dataclasses.replace(verdict, made=Made.OTHER) if verdict.made is Made.SAME and digest != whole else verdict


def _serve(pipe: Any) -> None:
    import torch

    torch.set_num_threads(1)
    pipe.send("ready")
    while True:
        read, arguments = pipe.recv()
        before, began = _resident(reset=True), time.process_time()
        digest = ""
        try:
            digest = fingerprint(read(*arguments))
            made, said = Made.SAME, ""
        except BaseException as error:  # noqa: BLE001 - whatever it is, it is what is looked for
            made, said = (Made.REFUSED if is_a_sentence(error) else Made.TRACEBACK), f"{type(error).__name__}: {error}"
        pipe.send((made.value, time.process_time() - began, (_resident() - before), said, digest))


def is_a_sentence(error: BaseException) -> bool:
    """Of an error that c4 foresees: commands say it as it is."""
    from c4.evaluation.failures import BookError
    from c4.evaluation.labels import LabelError
    from c4.network.weights import PlayerFileError
    from c4.params.errors import ConfigError
    from c4.run.about import RunFileError
    from c4.run.archive import ArchiveError
    from c4.run.folder import StateError
    from c4.run.kept import AuditError

    foreseen = (ArchiveError, AuditError, BookError, ConfigError, LabelError, PlayerFileError, RunFileError, StateError)
    return isinstance(error, (*foreseen, OSError))


def fingerprint(said: Any) -> str:
    digest = hashlib.sha256()
    _add(digest, said)
    return digest.hexdigest()


def _add(digest: Any, said: Any) -> None:
    if isinstance(said, Mapping):
        for key in sorted(said, key=repr):
            digest.update(repr(key).encode())
            _add(digest, said[key])
    elif isinstance(said, str | bytes) or (not isinstance(said, Sequence) and not hasattr(said, "dtype")):
        digest.update(repr(said).encode())
    elif hasattr(said, "dtype"):
        import numpy as np

        array = np.asarray(said.detach().float() if str(said.dtype) == "torch.bfloat16" else said)
        digest.update(f"{array.dtype}{array.shape}".encode() + array.tobytes())
    else:
        for one in said:
            _add(digest, one)
        digest.update(f"[{len(said)}]".encode())


def _resident(*, reset: bool = False) -> float:
    """Megabytes: the most since the last reset."""
    if reset:
        Path("/proc/self/clear_refs").write_text("5")
    told = Path("/proc/self/status").read_text()
    line = next(line for line in told.splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) / 1024
