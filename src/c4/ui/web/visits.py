"""The connection of a visitor: text frames with JSON in and out, until it is left, closed, or idle for too long."""

from __future__ import annotations

import asyncio
import contextlib
import json

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from c4.ui.web.house import House
from c4.ui.web.show import Plain
from c4.ui.web.visitor import Visitor

LATER, IDLE = 1013, 4000  # codes of closing: try again later; come back when you like


def visits(house: House) -> APIRouter:
    router = APIRouter()

    @router.websocket("/ws")
    async def visit(socket: WebSocket) -> None:
        await socket.accept()
        with house.seats.held(socket.client.host if socket.client else "") as refusal:
            if refusal is None:
                await _serve(house, socket)
                return
        await _tell(socket, {"type": "error", "sentence": refusal.value})
        await socket.close(LATER)

    return router


async def _serve(house: House, socket: WebSocket) -> None:
    visitor = Visitor(house, send=lambda told: _tell(socket, told))
    try:
        await visitor.welcome()
        while True:
            try:
                frame = await asyncio.wait_for(socket.receive(), house.config.web.idle_seconds)
            except TimeoutError:
                await _tell(socket, {"type": "idle", "sentence": "idle for too long"})
                await socket.close(IDLE)
                return
            if frame["type"] == "websocket.disconnect":
                return
            text = frame.get("text")
            if text is None:
                await _tell(socket, {"type": "error", "sentence": "messages are text, not bytes"})
            else:
                await visitor.obey(text)
    finally:
        await visitor.leave()


async def _tell(socket: WebSocket, told: Plain) -> None:
    """To one who has left in the meantime it says nothing: that is noticed where messages are received."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        await socket.send_text(json.dumps(told, separators=(",", ":"), allow_nan=False))
