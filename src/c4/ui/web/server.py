"""The server of the page: its routes, its address, its end. What a visitor can do is in visitor.py."""

from __future__ import annotations

import contextlib
import socket
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import uvicorn
from fastapi import APIRouter, FastAPI
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel

from c4.params.play import PlayConfig
from c4.params.walk import ConfigError
from c4.params.web import WebParams
from c4.ui.web.guard import Guard

STATIC = Path(__file__).parent / "static"


class Health(BaseModel):
    ok: bool


def create_app(config: PlayConfig) -> FastAPI:
    """The whole page as an ASGI application."""

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield

    # The usual pages of documentation load scripts from other hosts; the description itself is served.
    app = FastAPI(title="c4", lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url="/api/openapi.json")
    for router in (_health(),):  # a page of its own is one more router here
        app.include_router(router)
    app.mount("/", StaticFiles(directory=STATIC, html=True))
    app.add_middleware(Guard, host=config.web.host, message_bytes=config.web.message_bytes)
    return app


def _health() -> APIRouter:
    router = APIRouter()

    @router.get("/health")
    async def health() -> Health:
        """Whether the server answers."""
        return Health(ok=True)

    return router


def serve(config: PlayConfig) -> None:
    """Until Ctrl-C. Raises ConfigError when the address cannot be had."""
    with listening(config.web) as bound:
        host, port = bound.getsockname()[:2]
        server = uvicorn.Server(
            uvicorn.Config(
                create_app(config),
                log_level="warning",
                access_log=False,
                ws="websockets-sansio",
                ws_max_size=4
                * config.web.message_bytes,  # up to the limit a sentence, far beyond it the connection ends
                timeout_graceful_shutdown=1,
                server_header=False,
            )
        )
        sys.stdout.write(f"c4 plays at http://{_in_url(host)}:{port}  (Ctrl-C ends it)\n")
        sys.stdout.flush()
        with contextlib.suppress(KeyboardInterrupt):  # the usual end
            server.run(sockets=[bound])


def listening(params: WebParams) -> socket.socket:
    """A bound socket. Raises ConfigError with what to change."""
    where = f"web.host={params.host} web.port={params.port}"
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(params.host, params.port, type=socket.SOCK_STREAM)[0]
        bound = socket.socket(family, kind, protocol)
        try:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            bound.bind(address)
            bound.listen(128)
        except OSError:
            bound.close()
            raise
    except OSError as error:
        remedy = "web.port=0 takes any port that is free" if params.port else "try another web.host"
        raise ConfigError(f"{where} cannot be used ({error.strerror}): {remedy}") from error
    return bound


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host
