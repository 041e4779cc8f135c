"""How many may come, how many of them from one address, and how slow a connection may be. Of one thread, the server's.

Knows no HTTP, no page and no visitor. Who is never done with a first request makes room for who comes.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import ipaddress
import socket
import struct
import time
from collections import Counter
from collections.abc import Callable, Iterator
from enum import Enum

IPV6_NETWORK = 64  # bits: whoever has one address has all that begin like it


class Refusal(Enum):
    FULL = "too many visitors at once: come back later"
    ADDRESS = "too many visitors from your address at once: close one, or come back later"


class Seats:
    """So many in all, so many for each address."""

    def __init__(self, *, most: int, each: int) -> None:
        self._most, self._each = most, each
        self._of: Counter[str] = Counter()
        self.taken = 0

    def take(self, owner: str) -> Refusal | None:
        """To be given back, unless it was refused."""
        if self._of[owner] >= self._each:
            return Refusal.ADDRESS
        if self.taken >= self._most:
            return Refusal.FULL
        self._of[owner] += 1
        self.taken += 1
        return None

    def give(self, owner: str) -> None:
        self.taken -= 1
        self._of[owner] -= 1
        if not self._of[owner]:
            del self._of[owner]

    @contextlib.contextmanager
    def held(self, host: str) -> Iterator[Refusal | None]:
        owner = owner_of(host)
        refusal = self.take(owner)
        try:
            yield refusal
        finally:
            if refusal is None:
                self.give(owner)


def owner_of(host: str) -> str:
    """What counts as one address."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address):
        return str(address.ipv4_mapped or ipaddress.IPv6Network((int(address), IPV6_NETWORK), strict=False))
    return str(address)


@dataclasses.dataclass
class Connection:
    owner: str
    asking: float | None  # since when a request of his is not whole
    stuck: float | None = None  # since when more waits for him than he takes
    closing: float | None = None  # since when he should be gone


class Door:
    """Watches transports of asyncio."""

    def __init__(self, *, seats: Seats, patience: float, clock: Callable[[], float] = time.monotonic) -> None:
        """`patience`: seconds."""
        self._seats, self._patience, self._clock = seats, patience, clock
        self._inside: dict[asyncio.Transport, Connection] = {}
        self._new: dict[asyncio.Transport, str] = {}  # of whom no request was ever whole, the first first; whose
        self._sweeping = False

    def enter(self, transport: asyncio.Transport) -> Refusal | None:
        owner = owner_of(str((transport.get_extra_info("peername") or ("",))[0]))
        refusal = self._seats.take(owner)
        if refusal is not None and self._make_room(owner if refusal is Refusal.ADDRESS else None):
            refusal = self._seats.take(owner)
        if refusal is None:
            self._inside[transport] = Connection(owner=owner, asking=self._clock())
            self._new[transport] = owner
        return refusal

    def leave(self, transport: asyncio.Transport) -> None:
        self._new.pop(transport, None)
        gone = self._inside.pop(transport, None)
        if gone is not None:
            self._seats.give(gone.owner)

    def asks(self, transport: asyncio.Transport, *, whole: bool) -> None:
        """Something of a request has come, or all of it."""
        one = self._inside.get(transport)
        if one is None:
            return
        if whole:
            one.asking = None
            self._new.pop(transport, None)
        elif one.asking is None:
            one.asking = self._clock()

    def takes(self, transport: asyncio.Transport, *, enough: bool) -> None:
        """Whether he takes what is sent to him."""
        one = self._inside.get(transport)
        if one is not None:
            one.stuck = None if enough else self._clock()

    def sweep(self) -> None:
        """Drops whoever is too slow."""
        now = self._clock()
        for transport, one in list(self._inside.items()):
            if one.closing is None and transport.is_closing():
                one.closing = now
            began = [since for since in (one.asking, one.stuck, one.closing) if since is not None]
            if began and now - min(began) > self._patience:
                _drop(transport)

    def keep_sweeping(self) -> None:
        """As long as anybody is inside; in the event loop that runs."""
        if not self._sweeping:
            self._sweeping = True
            asyncio.get_running_loop().call_later(min(1.0, self._patience / 4), self._sweep_again)

    def _sweep_again(self) -> None:
        self._sweeping = False
        self.sweep()
        if self._inside:
            self.keep_sweeping()

    def _make_room(self, owner: str | None) -> bool:
        """Whoever has not asked for anything yet and came first has to go: of all, or of one owner's."""
        first = next((one for one, whose in self._new.items() if owner in (None, whose)), None)
        if first is None:
            return False
        self.leave(first)
        _drop(first)
        return True


def _drop(transport: asyncio.Transport) -> None:
    """With what waits for him: the system would keep it for minutes."""
    if (inner := transport.get_extra_info("socket")) is not None:
        with contextlib.suppress(OSError):
            inner.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()
