"""Starts the other processes of a run that several share, hears how they end, and sees that none is left.

Lightning would start them by the command line once more, which for Hydra is another run with a folder of its own. Here
each is given what is to be done as a plain value. Knows nothing of training.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

import torch.distributed as dist
from torch.distributed import TCPStore  # type: ignore[attr-defined] # its documents do, its code does not export it

from c4.params.errors import ConfigError
from c4.ranks import Fault

PLACES = (
    "LOCAL_RANK", "NODE_RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT", "TORCHELASTIC_USE_AGENT_STORE",
    "GLOO_SOCKET_IFNAME",
)  # fmt: skip
"""Variables by which Lightning and torch know that somebody else has started the processes, and where they meet."""

LOCALHOST = "127.0.0.1"

PATIENCE = 10.0
"""Seconds for a process whose word is out to end, before it is killed."""


class LostRankError(RuntimeError):
    """Another process of the run has ended without a word."""


def check_launch() -> None:
    """Raises ConfigError where somebody has started several processes already: each would do all of the work."""
    if "LOCAL_RANK" in os.environ:
        raise ConfigError(
            "this was started by torchrun or the like (LOCAL_RANK is set): a run starts the processes that share it "
            "itself, by trainer.devices=2"
        )


class Others:
    """The ranks but the first, which is the process that makes this."""

    def __init__(self, others: int) -> None:
        self._count = others + 1
        self._members: list[tuple[BaseProcess, Connection]] = []

    @contextmanager
    def at_work(self, duty: Callable[[Any], None], order: Any) -> Iterator[None]:
        """Runs duty(order) in each of the others, `order` being a value that can be sent.

        What one of them raises is raised here, if this one failed for the want of it. After it, none is left.
        """
        if self._count == 1:
            yield
            return
        before = {name: os.environ.get(name) for name in PLACES}
        meeting = _meeting_place()
        os.environ |= {
            "NODE_RANK": "0", "WORLD_SIZE": str(self._count),
            "MASTER_ADDR": LOCALHOST, "MASTER_PORT": str(meeting.port), "GLOO_SOCKET_IFNAME": _loopback(),
            "TORCHELASTIC_USE_AGENT_STORE": str(True),
        }  # fmt: skip
        try:
            for rank in range(1, self._count):
                os.environ["LOCAL_RANK"] = str(rank)
                self._start(rank, duty, order)
            os.environ["LOCAL_RANK"] = "0"
            yield
            for process, _ in self._members:
                process.join(PATIENCE)
        except RuntimeError as error:
            if type(error) is RuntimeError or type(error).__module__.startswith("torch"):  # a word that did not arrive
                self._raise_fault(error)
            raise
        finally:
            self._end()
            if dist.is_initialized():  # else the next run of this process would speak to those that are gone
                dist.destroy_process_group()
            for name, value in before.items():
                os.environ.pop(name, None)
                if value is not None:
                    os.environ[name] = value

    def tell(self, number: int) -> None:
        """Sends a signal on: terminals and other programs know the first process alone."""
        for process, _ in self._members:
            if process.is_alive() and process.pid is not None:
                with suppress(ProcessLookupError):
                    os.kill(process.pid, number)

    def _start(self, rank: int, duty: Callable[[Any], None], order: Any) -> None:
        context = multiprocessing.get_context("spawn")  # a fork would inherit half of the threads' state
        hears, says = context.Pipe(duplex=False)
        process = context.Process(target=_serve, args=(duty, order, says), name=f"c4 rank {rank}", daemon=True)
        process.start()
        says.close()
        self._members.append((process, hears))

    def _raise_fault(self, error: RuntimeError) -> None:
        for rank, (process, hears) in enumerate(self._members, start=1):
            process.join(PATIENCE)
            with suppress(EOFError, OSError):
                if hears.poll():
                    raise hears.recv().error() from error
            if process.exitcode:
                how = f"signal {-process.exitcode}" if process.exitcode < 0 else f"exit code {process.exitcode}"
                raise LostRankError(f"process {rank + 1} of the {self._count} of this run ended by {how}") from error

    def _end(self) -> None:
        for process, hears in self._members:
            if process.is_alive():
                process.kill()
            process.join()
            process.close()
            hears.close()
        self._members.clear()


def _meeting_place() -> TCPStore:
    """Where the ranks learn each other's addresses. It is there before them, so that nobody else can take its port
    meanwhile and be met instead; and no other machine can reach it."""
    listening = socket.create_server((LOCALHOST, 0))
    port = listening.getsockname()[1]
    return TCPStore(LOCALHOST, port, is_master=True, wait_for_workers=False, master_listen_fd=listening.detach())


def _loopback() -> str:
    """The interface on which gloo's processes speak: not the one of the machine's name, which may have none."""
    return next(name for _, name in socket.if_nameindex() if name.startswith("lo"))


def _serve(duty: Callable[[Any], None], order: Any, says: Connection) -> None:
    os.setsid()  # Ctrl-C reaches the first process alone, which passes it on
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        duty(order)
    except BaseException as error:  # noqa: BLE001 - it is told to the first process
        says.send(Fault.of(error, "".join(traceback.format_exception(error))))
        says.close()
        os._exit(1)  # at once: the others are waiting


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os.kill(os.getpid(), signal.SIGKILL)
