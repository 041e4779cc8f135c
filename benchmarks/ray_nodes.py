"""Nodes of a Ray cluster on this machine, each with an address of its own, to be begun and killed at will."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

QUICK = {  # a node that is gone is noticed after about a second
    "health_check_initial_delay_ms": 0,
    "health_check_period_ms": 500,
    "health_check_timeout_ms": 1000,
    "health_check_failure_threshold": 2,
    "worker_niceness": 0,  # else beside busy processes they would hardly begin
}
HEAD = "127.0.0.2"  # 127.0.0.1 hangs
GLANCE = 0.1  # seconds between two looks at whether somebody answers
os.environ["RAY_AUTH_MODE"] = "disabled"  # read by Ray when it is first imported; the same on all nodes


class Nodes:
    """The head first."""

    def __init__(self, *, cpus: int = 2, system: Mapping[str, int] = QUICK, head: str = HEAD) -> None:
        """`cpus` of the head and its address. `system`: settings of Ray's own."""
        self._folder = tempfile.mkdtemp(prefix="c4ray")  # short: a socket's path has 107 letters at most
        port, clients = (_free_port(head) for _ in range(2))
        self.address, self.for_clients = f"{head}:{port}", f"ray://{head}:{clients}"
        self._running: list[subprocess.Popen[bytes]] = []
        words = [
            f"--port={port}",
            f"--ray-client-server-port={clients}",
            f"--temp-dir={self._folder}",
            f"--system-config={json.dumps(dict(system))}",
        ]
        self.head = self.begin("--head", *words, cpus=cpus, ip=head)

    def begin(
        self, *words: str, cpus: int = 2, gpus: int = 0, ip: str | None = None, before: Sequence[str] = ()
    ) -> subprocess.Popen[bytes]:
        """A node; without words one that joins the head. `gpus`: that it says to have. `before`: what its command is a
        part of.
        """
        place = len(self._running)
        ip = ip or f"127.0.{place // 250}.{2 + place % 250}"
        command = [*before, str(Path(sys.executable).with_name("ray")), "start", "--block", f"--node-ip-address={ip}"]
        command += [f"--num-cpus={cpus}", "--object-store-memory=100000000", "--disable-usage-stats"]
        command += [f"--num-gpus={gpus}"]
        command += list(words) or [f"--address={self.address}"]
        command += ["--include-dashboard=false"] if words else []
        node = subprocess.Popen(
            command,
            start_new_session=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=_plain_environment(),
        )
        self._running.append(node)
        return node

    def wait(self) -> None:
        """Until the head answers, clients too."""
        for address in (self.address, self.for_clients.removeprefix("ray://")):
            host, _, port = address.rpartition(":")
            while self.head.poll() is None:
                with suppress(OSError), socket.create_connection((host, int(port))):
                    break
                time.sleep(GLANCE)

    def kill(self, node: subprocess.Popen[bytes]) -> None:
        """All of it at once, as when its plug is pulled."""
        self.signal(node, signal.SIGKILL)
        node.wait()

    def signal(self, node: subprocess.Popen[bytes], number: int) -> None:
        for pid in self._processes(node):
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def actors(self) -> list[int]:
        """Processes that are actors of ours, on any node."""
        running = [pid for node in self._running if node.poll() is None for pid in self._processes(node)]
        return [pid for pid in running if _read(pid, "cmdline").startswith("ray::Worker")]

    def _processes(self, node: subprocess.Popen[bytes]) -> list[int]:
        """All that the node has begun are of its session."""
        pids = [int(folder.name) for folder in Path("/proc").glob("[0-9]*")]
        return [pid for pid in pids if _read(pid, "stat").rpartition(")")[2].split()[3:4] == [str(node.pid)]]

    def close(self) -> None:
        for node in reversed(self._running):
            if node.poll() is None:
                self.kill(node)
        shutil.rmtree(self._folder, ignore_errors=True)


def _free_port(host: str) -> int:
    with socket.socket() as free:
        free.bind((host, 0))
        port: int = free.getsockname()[1]
        return port


def _read(pid: int, name: str) -> str:
    """Nothing for a process that has ended."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/{name}").read_text(errors="replace")
    return ""


def _plain_environment() -> dict[str, str]:
    """Without what pytest-xdist and coverage put there."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "COV_"))}
