"""What stands before every request: who may ask, how much may be sent, and what a browser may do with the answer.

Knows no page and no game.
"""

from __future__ import annotations

import contextlib
import ipaddress
from collections.abc import Mapping

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS = {
    # Nothing inline, nothing from elsewhere: all scripts and styles are files of this server.
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",  # a new version of c4 is seen at once; unchanged files are answered by 304
}


class Guard:
    """ASGI middleware."""

    def __init__(self, app: ASGIApp, *, host: str, message_bytes: int) -> None:
        self._app, self._most = app, message_bytes
        self._local = is_local(host)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if self._local and not is_local(name_of(headers)):
            # Another site's name that leads here: its pages must not reach a server that is for this machine only.
            await _refuse(
                scope, send, status=421, sentence="this server is for its own machine only: web.host opens it"
            )
        elif scope["type"] == "websocket":
            if not is_same_origin(headers):
                await _refuse(scope, send, status=403, sentence="only this server's own page may connect")
            else:
                await self._app(scope, receive, send)
        else:
            await self._http(scope, receive, send, headers)

    async def _http(self, scope: Scope, receive: Receive, send: Send, headers: Headers) -> None:
        began = too_long = False
        got = 0

        async def counted() -> Message:
            nonlocal got, too_long
            message = await receive()
            got += len(message.get("body", b""))
            if got > self._most:
                too_long = True
                raise _TooLongError
            return message

        async def with_headers(message: Message) -> None:
            nonlocal began
            if too_long and not began:
                return  # whatever the application makes of a body that broke off
            if message["type"] == "http.response.start":
                began = True
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        told = headers.get("content-length", "0")
        too_long = not told.isdecimal() or int(told) > self._most
        if not too_long:
            with contextlib.suppress(_TooLongError, ClientDisconnect):
                await self._app(scope, counted, with_headers)
        if too_long and not began:
            await _refuse(scope, send, status=413, sentence=f"a request has at most {self._most} bytes")


class _TooLongError(Exception):
    pass


def is_local(host: str) -> bool:
    """Whether a host's name or address is this machine's own."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def name_of(headers: Mapping[str, str]) -> str:
    """The server's name as the client wrote it, without its port."""
    host = headers.get("host", "")
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]


def is_same_origin(headers: Mapping[str, str]) -> bool:
    """Whether a page of this server asks; programs, which are no browsers, send no origin."""
    origin = headers.get("origin")
    return origin is None or origin.partition("://")[2] == headers.get("host", "")


async def _refuse(scope: Scope, send: Send, *, status: int, sentence: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": sentence})  # before it was accepted: 403
        return
    body = JSONResponse({"error": sentence}, status_code=status, headers=HEADERS)
    await send({"type": "http.response.start", "status": status, "headers": body.raw_headers})
    await send({"type": "http.response.body", "body": body.body})
