"""The server of the page: its routes, its address, its end. What a visitor can do is in visitor.py."""

from __future__ import annotations

import contextlib
import resource
import socket
from pathlib import Path

import uvicorn
from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel
from starlette.exceptions import HTTPException as StarletteHTTPException

from c4 import printed
from c4.params.errors import ConfigError
from c4.params.play import LevelParams, PlayConfig
from c4.params.web import WebParams
from c4.players.words import NETWORK
from c4.ui.knobs import level_words, search_words
from c4.ui.web.api import api
from c4.ui.web.connections import log_seldom, protocols
from c4.ui.web.door import Door, Seats
from c4.ui.web.guard import Guard
from c4.ui.web.house import ROLLOUTS, House
from c4.ui.web.visits import visits
from c4.ui.web.watch import watch

STATIC = Path(__file__).parent / "static"
BACKLOG = 128  # connections that wait to be let in
OTHER_FILES = 4 * BACKLOG  # that the process may have open beside its connections


class Health(BaseModel):
    ok: bool
    visitors: int


def create_app(house: House) -> FastAPI:
    """The whole page as an ASGI application. The house is closed by who made it."""
    config = house.config
    # The usual pages of documentation load scripts from other hosts; the description itself is served.
    app = FastAPI(title="c4", docs_url=None, redoc_url=None, openapi_url="/api/openapi.json")
    app.add_exception_handler(StarletteHTTPException, _failed)
    app.add_exception_handler(RequestValidationError, _asked_wrongly)
    runs = watch(config.web.runs, page=STATIC / "watch.html")
    for router in (_health(house), visits(house), api(house), runs):  # a page of its own is one more router here
        app.include_router(router)
    app.mount("/", StaticFiles(directory=STATIC, html=True))
    app.add_middleware(Guard, host=config.web.host, message_bytes=config.web.message_bytes)
    return app


def _health(house: House) -> APIRouter:
    router = APIRouter()

    @router.get("/health")
    async def health() -> Health:
        """Whether the server answers, and how many play."""
        return Health(ok=True, visitors=house.visitors)

    return router


async def _failed(request: Request, error: Exception) -> Response:
    """A page for who asked for one by an address that leads nowhere, else a sentence."""
    assert isinstance(error, StarletteHTTPException)
    if error.status_code == 404 and "text/html" in request.headers.get("accept", ""):
        return FileResponse(STATIC / "nowhere.html", status_code=404)
    return JSONResponse({"error": str(error.detail)}, status_code=error.status_code, headers=error.headers)


async def _asked_wrongly(_: Request, error: Exception) -> JSONResponse:
    """The first thing that is wrong, without what was sent."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])[:80]
    sentence = f"{where}: {first['msg'][:200]}".encode(errors="replace").decode()
    return JSONResponse({"error": sentence}, status_code=422)


def serve(config: PlayConfig) -> None:
    """Until Ctrl-C. Raises ConfigError when the address cannot be had."""
    with listening(config.web) as bound, contextlib.closing(House(config)) as house:
        house.warm_up()
        host, port = bound.getsockname()[:2]
        server = make_server(house)
        log_seldom()
        printed.out(f"{_told_first(house)}\n")
        printed.out(f"c4 plays at http://{_in_url(host)}:{port}  (Ctrl-C ends it)\n")
        with contextlib.suppress(KeyboardInterrupt):  # the usual end
            server.run(sockets=[bound])


def _told_first(house: House) -> str:
    """Who plays as it ships, and by which knobs."""
    config, opponents = house.config, house.opponents
    judge = next((each.name for each in house.networks if each.game == house.game), ROLLOUTS)
    params = house.search_of(judge)
    if opponents.first != NETWORK:
        return f"{opponents.called(opponents.first)}; analysis by {judge}: {search_words(params)}"
    level = LevelParams(simulations=min(config.simulations, config.web.most_simulations), seconds=config.seconds)
    return f"{judge}: {level_words(level, params)}, {search_words(params)}"


def make_server(house: House) -> uvicorn.Server:
    """To be run on a socket."""
    web = house.config.web
    seats = Seats(most=_room_for(web.connections), each=web.connections_each)
    http, websocket = protocols(Door(seats=seats, patience=web.patience_seconds))
    return uvicorn.Server(
        uvicorn.Config(
            create_app(house),
            log_config=None,
            log_level="warning",
            access_log=False,
            http=http,
            ws=websocket,
            backlog=BACKLOG,
            ws_max_size=4 * web.message_bytes,  # up to the limit a sentence, far beyond it the end
            timeout_graceful_shutdown=1,
            server_header=False,
        )
    )


def _room_for(connections: int) -> int:
    """As many as asked for, or as the system gives this process files; what it may have more of is asked for."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = connections + OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        return max(1, soft - OTHER_FILES)
    return connections


def listening(params: WebParams) -> socket.socket:
    """A bound socket. Raises ConfigError with what to change."""
    where = f"web.host={params.host} web.port={params.port}"
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(params.host, params.port, type=socket.SOCK_STREAM)[0]
        bound = socket.socket(family, kind, protocol)
        try:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            bound.bind(address)
            bound.listen(BACKLOG)
        except OSError:
            bound.close()
            raise
    except OSError as error:
        remedy = "web.port=0 takes any port that is free" if params.port else "try another web.host"
        raise ConfigError(f"{where} cannot be used ({error.strerror}): {remedy}") from error
    return bound


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host
