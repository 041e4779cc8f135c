"""uvicorn's connections, each let in and watched by the door; and a log that does not grow by what strangers send."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter
from http import HTTPStatus
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from c4.ui.web.door import Door, Refusal

UNFINISHED = {"IDLE", "SEND_BODY"}  # what h11 calls a client whose request is not whole
STATUS = {Refusal.FULL: HTTPStatus.SERVICE_UNAVAILABLE, Refusal.ADDRESS: HTTPStatus.TOO_MANY_REQUESTS}


def protocols(door: Door) -> tuple[type[H11Protocol], type[WebSocketsSansIOProtocol]]:
    """For HTTP, and for what a connection becomes when it asks for a WebSocket."""

    class Watched(asyncio.Protocol):
        transport: asyncio.Transport

        def pause_writing(self) -> None:
            super().pause_writing()
            door.takes(self.transport, enough=False)

        def resume_writing(self) -> None:
            super().resume_writing()
            door.takes(self.transport, enough=True)

        def connection_lost(self, exc: Exception | None) -> None:
            door.leave(self.transport)
            super().connection_lost(exc)

    class HTTP(Watched, H11Protocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            if (refusal := door.enter(transport)) is not None:
                transport.write(_answer(refusal))
                transport.close()
            door.keep_sweeping()

        def data_received(self, data: bytes) -> None:
            door.asks(self.transport, whole=False)
            super().data_received(data)
            if str(self.conn.their_state) not in UNFINISHED:
                door.asks(self.transport, whole=True)

        def handle_websocket_upgrade(self, event: Any) -> None:
            super().handle_websocket_upgrade(event)
            door.asks(self.transport, whole=True)  # h11 hears no more of it

    class WebSocket(Watched, WebSocketsSansIOProtocol): ...

    return HTTP, WebSocket


def _answer(refusal: Refusal) -> bytes:
    """Before anything was asked."""
    status, body = STATUS[refusal], json.dumps({"error": refusal.value})
    head = f"HTTP/1.1 {status.value} {status.phrase}\r\ncontent-type: application/json\r\n"
    return f"{head}content-length: {len(body)}\r\nconnection: close\r\n\r\n{body}".encode()


class Seldom(logging.Filter):
    """Of a sentence that is said again and again, the first ones, then every one whose number is a power of two."""

    ALWAYS = 4

    def __init__(self) -> None:
        super().__init__()
        self._said: Counter[tuple[str, str]] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        self._said[key := (record.name, str(record.msg))] += 1
        count = self._said[key]
        if count > self.ALWAYS:
            record.msg, record.args, record.exc_info = f"{record.getMessage()} ({count} times)", (), None
        return count <= self.ALWAYS or count & (count - 1) == 0


QUIETED = ("asyncio", "c4.ui.web.tasks", "uvicorn.error", "websockets.server")
"""Loggers with something to say of what a stranger may do any number of times."""


def log_seldom() -> None:
    seldom = Seldom()
    for name in QUIETED:
        logging.getLogger(name).addFilter(seldom)
