"""The HTTP interface of the server: the page, and the API that the page uses."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib import resources
from typing import Annotated, Any

from fastapi import FastAPI, Path, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, StreamingResponse
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp

import romans_env
from romans_env.errors import in_one_line
from romans_env.render.replay_page import replay_page
from romans_serve import errors
from romans_serve.games.live import Live
from romans_serve.games.service import NewSeat, Service
from romans_serve.games.store import HOST
from romans_serve.web.board_styles import style_of
from romans_serve.web.cookies import created, give, links_of
from romans_serve.web.finished import GameId, Seat, finished, replay_response
from romans_serve.web.latest import Latest, Report, while_wanted
from romans_serve.web.requests import ActBody, AgainBody, CreateBody, HintBody, JoinBody, MoveBody, PaceBody
from romans_serve.web.reviews import add_reviews
from romans_serve.web.rules_pages import rules_of_page
from romans_serve.web.security import Guard, why_links_stay_here

_PARTS = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}
GameName = Annotated[str, Path(max_length=512, description="name of a game")]
Narrow = Annotated[bool, Query(description="whether to draw pictures for a narrow screen")]


def make_app(service: Service, hosts: Iterable[str] = (), is_local: bool = True) -> ASGIApp:
    """Return the ASGI application.

    Args:
        service: the games of the server.
        hosts: host names under which clients may reach the server, in addition to IP addresses.
        is_local: whether only this machine can connect to the server.
    """
    return Guard(_api(service, is_local), hosts, is_local)


def _api(service: Service, is_local: bool) -> FastAPI:
    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        await service.close()

    # FastAPI's own pages about the API load scripts from other sites.
    app = FastAPI(
        title="romans serve",
        version=romans_env.__version__,
        description="Play and watch games of romans-env. An error is an object with the key error.",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    _add_error_handlers(app)
    _add_pages(app, service)
    _add_games(app, service, is_local)
    _add_play(app, service)
    add_reviews(app, service)
    return app


def _add_error_handlers(app: FastAPI) -> None:
    @app.exception_handler(errors.ServeError)
    async def refused(request: Request, error: errors.ServeError) -> Response:
        return JSONResponse({"error": str(error), **error.details}, error.status)

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        return JSONResponse({"error": in_one_line(f"{where}: {first['msg']}")}, 422)

    @app.exception_handler(HTTPException)
    async def not_answered(request: Request, error: HTTPException) -> Response:
        return JSONResponse({"error": in_one_line(error.detail)}, error.status_code, error.headers)


# -- the page


def _add_pages(app: FastAPI, service: Service) -> None:
    @app.get("/", include_in_schema=False)
    @app.get("/games/{id}", include_in_schema=False)
    async def page() -> Response:
        return HTMLResponse(_part("index.html"), headers={"cache-control": "no-cache"})

    @app.get("/{name}", include_in_schema=False)
    async def part(name: str) -> Response:
        if name not in _parts():
            raise errors.NotFoundError("there is no such page")
        kind = _PARTS[name.rpartition(".")[2]]
        return Response(_part(name), media_type=kind, headers={"cache-control": "no-cache"})

    @app.get("/boards/{game}.css", include_in_schema=False)
    async def board_style(game: GameName) -> Response:
        if game not in service.offers:
            raise errors.NotFoundError("there is no such game")
        return Response(style_of(game), media_type="text/css", headers={"cache-control": "no-cache"})

    @app.get("/api/offers")
    async def offers() -> Any:
        """Return the games that can be played, with their setups and agents."""
        return [{**offer.as_json(), "has_picture": f"{game}.svg" in _parts()} for game, offer in service.offers.items()]

    @app.get("/api/ready/{game}")
    async def ready(game: GameName) -> Any:
        """Return whether a game can begin at once; compiling it for the first time takes a minute.

        The response has ``is_ready`` and ``preparing``. The latter is null if no function is being compiled. Otherwise
        it has ``ready``, the number of functions that are ready, and ``of``, the number of functions needed (null if
        unknown).
        """
        if game not in service.offers:
            raise errors.NotFoundError("there is no such game")
        count = service.readiness.counts.get(game)
        return {"is_ready": service.readiness.is_ready(game), "preparing": None if count is None else count._asdict()}

    @app.get("/api/rules/{game}")
    async def rules(game: GameName) -> Any:
        """Return the aim, the cards and the rules of a game."""
        if game not in service.offers:
            raise errors.NotFoundError("there is no such game")
        return rules_of_page(game)


@cache
def _parts() -> frozenset[str]:
    """Return the names of the files that may be served. ``docs/scripts/make_stills.py`` makes the pictures of games."""
    names = (file.name for file in resources.files("romans_serve.page").iterdir())
    return frozenset(name for name in names if name.rpartition(".")[2] in _PARTS)


@cache
def _part(name: str) -> str:
    return resources.files("romans_serve.page").joinpath(name).read_text(encoding="utf-8")


# -- games


def _add_games(app: FastAPI, service: Service, is_local: bool) -> None:
    @app.get("/api/games")
    async def games() -> Any:
        """Return the open games, most recently changed first."""
        return service.listed()

    @app.post("/api/games", status_code=201)
    async def create(body: CreateBody, response: Response) -> Any:
        """Create a game, set the cookies of the seats in this browser, and return private links for other people."""
        seats = [NewSeat(seat.agent, seat.name) for seat in body.seats]
        made = await service.create(body.game, body.setup, body.fields, seats, body.is_open, body.pace)
        return created(response, made, [k for k, seat in enumerate(body.seats) if seat.agent is None and seat.here])

    @app.post("/api/games/{id}/again", status_code=201)
    async def again(id: GameId, request: Request, response: Response, body: AgainBody | None = None) -> Any:
        """Create a game with the same setup and seats. Only the creator may do this; they keep their own seats."""
        live = await service.live(id)
        live.require_host(request.cookies)
        made = await service.again(live, body is not None and body.is_stronger)
        return created(response, made, live.own_seats(request.cookies))

    @app.get("/api/games/{id}")
    async def summary(id: GameId, request: Request) -> Any:
        """Return the players, whether the game is over, and the seats whose cookies the request has.

        ``links_stay_here`` says why private links do not work on other machines; it is null if they do work.
        """
        live = await service.live(id)
        live.viewer(None, request.cookies)
        own, is_host = live.own_seats(request.cookies), live.is_of(HOST, request.cookies)
        why = why_links_stay_here(request.headers["host"], is_local)
        return {**service.summary(live.stored), "seats": own, "is_host": is_host, "links_stay_here": why}

    @app.post("/api/games/{id}/join")
    async def join(id: GameId, body: JoinBody, request: Request, response: Response) -> Any:
        """Take the seat of a private link, and set the cookie of this seat."""
        live = await service.live(id)
        seat = live.seat_of(body.token, request.cookies)
        give(response, id, seat, body.token)
        return {"seat": None if seat == HOST else seat}

    @app.get("/api/games/{id}/links")
    async def links(id: GameId, request: Request) -> Any:
        """Return the private links of the seats; only the creator of the game may ask for them."""
        live = await service.live(id)
        live.require_host(request.cookies)
        return links_of(id, live.tokens, ())

    @app.post("/api/games/{id}/pace")
    async def pace(id: GameId, body: PaceBody, request: Request) -> Any:
        """Change the pace of agents; only the creator of the game may do this."""
        live = await service.live(id)
        live.require_host(request.cookies)
        service.playing.set_pace(live, body.pace)
        return {"pace": body.pace}

    @app.get("/api/games/{id}/record")
    async def record(id: GameId, request: Request) -> Response:
        """Return the record of a finished game, as a file."""
        live = await finished(service, id, request)
        name = f"{live.stored.game}-{id}.json"
        return JSONResponse(live.served.record(), headers={"content-disposition": f'attachment; filename="{name}"'})

    # Only one page is made at a time, because this process has to answer other requests meanwhile.
    page_maker = ThreadPoolExecutor(1, thread_name_prefix="replay pages")

    async def page_of(id: str, report: Report) -> str:
        live = await service.live(id)
        return await asyncio.get_running_loop().run_in_executor(page_maker, _replay, live)

    pages = Latest(page_of)

    @app.get("/api/games/{id}/replay", response_class=HTMLResponse)
    async def replay(id: GameId, request: Request) -> Response:
        """Return a page that replays a finished game."""
        await finished(service, id, request)
        return replay_response(id, await pages.get(id, request))


def _replay(live: Live) -> str:
    game = live.served.game.clone()
    game.agents = live.served.record()["agents"]
    return replay_page(game).html


# -- playing and watching


def _add_play(app: FastAPI, service: Service) -> None:
    async def watched(id: str, seat: int | None, request: Request) -> tuple[Live, str]:
        live = await service.live(id)
        return live, live.viewer(seat, request.cookies)

    @app.get("/api/games/{id}/view")
    async def view(id: GameId, request: Request, seat: Seat = None, narrow: Narrow = False) -> Any:
        """Return the complete view: everything that a seat, or a spectator, may see now."""
        live, viewer = await watched(id, seat, request)
        return JSONResponse(live.view(viewer, narrow), headers={"cache-control": "no-store"})

    @app.get("/api/games/{id}/events", response_class=PlainTextResponse)
    async def events(id: GameId, request: Request, seat: Seat = None, narrow: Narrow = False) -> Response:
        """Stream what a seat, or a spectator, sees from now on, as server-sent events.

        There are these kinds of events. ``view`` is a complete view, as in ``/view``. ``look`` is a new frame, in which
        bands of the picture that have not changed are null. ``thinks`` names the player whose agent has been thinking
        for a while. ``preparing`` has the progress of compiling an agent. ``pace`` is the new pace of agents. ``note``
        is a remark. The number and the timing of events do not reveal how often a seat is asked in secret.
        """
        live, viewer = await watched(id, seat, request)
        service.check_streams(live)

        async def texts() -> AsyncIterator[str]:
            # Opened only here: for a browser that leaves before the first text, `finally` would never run. The game may
            # have been unloaded since, so that another object is now in play.
            game = await service.live(id)
            stream = service.open_stream(game, viewer, narrow)
            try:
                async for text in stream.texts(lambda: game.view(viewer, narrow)):
                    yield text
            finally:
                service.close_stream(game, stream)

        return StreamingResponse(
            texts(), media_type="text/event-stream", headers={"cache-control": "no-store", "x-accel-buffering": "no"}
        )

    @app.post("/api/games/{id}/act")
    async def act(id: GameId, body: ActBody, request: Request) -> Any:
        """Play an action, or a plan of several actions.

        The status is 409, with the current view, if the seat is at another decision than the request's.
        """
        live, _ = await watched(id, body.seat, request)
        return service.playing.act(live, body.seat, body.move, body.plan)

    @app.post("/api/games/{id}/undo")
    async def undo(id: GameId, body: MoveBody, request: Request) -> Any:
        """Undo a seat's last choice, if it revealed nothing and no other seat or chance event has followed."""
        live, _ = await watched(id, body.seat, request)
        return service.playing.undo(live, body.seat, body.move)

    @app.post("/api/games/{id}/hint")
    async def hint(id: GameId, body: HintBody, request: Request) -> Any:
        """Return an agent's hint; the game's record notes that the hint was given."""
        live, _ = await watched(id, body.seat, request)
        asked = asyncio.create_task(service.playing.hint(live, body.seat, body.move, body.agent))
        try:
            # If no client waits for the hint any longer, it must not occupy a process that other games need.
            return await while_wanted(request, asked)
        finally:
            asked.cancel()
