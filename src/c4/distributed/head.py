"""Looks after the head of a cluster, without which Ray ends this process within a second and says nothing.

Knows nothing of Ray but the port that its head listens on.
"""

from __future__ import annotations

import logging
import socket
import threading
from contextlib import suppress

log = logging.getLogger(__name__)

PAUSE = 0.05  # seconds between two connections


class HeadWatch:
    """A connection to that port, over which nothing is said: when it ends, somebody is there for another, or nobody."""

    def __init__(self, address: str, *, advice: str) -> None:
        """`advice`: what a person can do once the head at HOST:PORT is gone."""
        host, _, port = address.rpartition(":")
        self._where, self._advice = (host, int(port)), advice
        self._line = socket.create_connection(self._where)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True, name="c4-ray-head")
        self._thread.start()

    def close(self) -> None:
        self._over.set()
        with suppress(OSError):  # the other side has ended it
            self._line.shutdown(socket.SHUT_RDWR)

    def join(self) -> None:
        """Until there is no head, or nobody looks after it any more."""
        self._thread.join()

    def _run(self) -> None:
        while True:
            with suppress(OSError), self._line:
                while self._line.recv(1 << 12):
                    pass
            if self._over.wait(PAUSE):
                return
            try:
                self._line = socket.create_connection(self._where)
            except OSError:
                break
        if not self._over.is_set():
            host, port = self._where
            log.error(
                "ray: the head of the cluster, %s:%d, is gone, and Ray ends this program with it; %s",
                host, port, self._advice,
            )  # fmt: skip
