"""What thinks for one visitor, by name: one of a name at a time, and a failure is told and ends nothing else."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from c4.ui.web.show import Plain

log = logging.getLogger(__name__)

NO_MEMORY = "the server has no memory for this now: try again later"

Send = Callable[[Plain], Awaitable[None]]


class Tasks:
    def __init__(self, send: Send) -> None:
        self._send = send
        self.running: dict[str, asyncio.Task[None]] = {}  # those that have ended too, until another of the name begins

    def start(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        """In place of the one of this name that may be running."""
        old = self.running.get(name)
        if old is not None:
            old.cancel()
        self.running[name] = asyncio.create_task(self._told(work))
        self.running[name].add_done_callback(lambda _: work.close())  # one that was cancelled before it began

    async def stop(self, name: str) -> None:
        task = self.running.pop(name, None)
        if task is not None:
            task.cancel()
            await asyncio.wait([task])

    async def stop_all(self) -> None:
        for name in list(self.running):
            await self.stop(name)

    async def _told(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except ValueError as error:
            await self._send({"type": "error", "sentence": str(error)})
        except MemoryError:
            await self._send({"type": "error", "sentence": NO_MEMORY})
        except Exception:
            log.exception("a visitor's task has failed")
            await self._send({"type": "error", "sentence": "something went wrong on the server: try again"})
