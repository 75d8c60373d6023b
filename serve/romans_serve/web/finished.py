"""Access to finished games, whose hidden cards may be shown, and their replay pages."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Query, Request, Response
from fastapi.responses import HTMLResponse

from romans_serve import errors
from romans_serve.games.live import Live
from romans_serve.games.service import Service

# A replay page contains its script inline; the sandbox allows it to run, and nothing else.
_REPLAY_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; "
    "sandbox allow-scripts"
)
GameId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,32}$", description="id of a game")]
Seat = Annotated[
    int | None,
    Query(ge=0, le=15, description="number of a seat whose cookie is sent; leave out to watch as a spectator"),
]


async def finished(service: Service, id: str, request: Request) -> Live:
    """Return the finished game that a request asks for.

    Raises:
        NotFoundError: if there is no such game, or the client may not see the game.
        ConflictError: if the game is not over.
    """
    live = await service.live(id)
    live.viewer(None, request.cookies)
    if not live.served.game.is_over:
        raise errors.ConflictError("the game is not over: its record would show hidden cards")
    return live


def replay_response(id: str, page: str) -> Response:
    """Return the response with a replay page, to which a link back to the game is added."""
    page = page.replace("<header>", f'<header><a href="/games/{id}">Back to the game</a>', 1)
    return HTMLResponse(page, headers={"content-security-policy": _REPLAY_POLICY})
