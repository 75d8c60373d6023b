"""Who a browser is in a game: cookies of its seats, and private links for others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fastapi import Response

from romans_serve.games.live import cookie_of
from romans_serve.games.service import Created
from romans_serve.games.store import HOST

_YEAR = 365 * 24 * 3600


def give(response: Response, id: str, seat: int, token: str) -> None:
    """Set the cookie of a seat, which no script can read, and which is sent to this game alone."""
    response.set_cookie(
        cookie_of(seat), token, max_age=_YEAR, path=f"/api/games/{id}", httponly=True, samesite="strict"
    )


def created(response: Response, made: Created, here: list[int]) -> dict[str, Any]:
    """Set the cookies of a new game for its creator and the seats here; return its id, these seats and the links."""
    for seat in (HOST, *here):
        give(response, made.id, seat, made.tokens[seat])
    return {"id": made.id, "seats": here, "links": links_of(made.id, made.tokens, here)}


def links_of(id: str, tokens: dict[int, str], without: Iterable[int]) -> list[dict[str, Any]]:
    """Return private links; the token is behind a #, so that no server and no log on the way sees it."""
    found = sorted((seat, token) for seat, token in tokens.items() if seat != HOST and seat not in without)
    return [{"seat": seat, "path": f"/games/{id}#{token}"} for seat, token in found]
