"""Cookies by which a browser proves that it has a seat of a game, and private links that invite other people."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fastapi import Response

from romans_serve.games.live import cookie_of
from romans_serve.games.service import Created
from romans_serve.games.store import HOST

_YEAR = 365 * 24 * 3600


def give(response: Response, id: str, seat: int, token: str) -> None:
    """Set the cookie of a seat. Scripts cannot read the cookie, and it is sent only with requests for this game."""
    response.set_cookie(
        cookie_of(seat), token, max_age=_YEAR, path=f"/api/games/{id}", httponly=True, samesite="strict"
    )


def created(response: Response, made: Created, here: list[int]) -> dict[str, Any]:
    """Set a new game's cookies in the response, and return the body of the response.

    Args:
        response: the response, which gets the cookies of the creator and of the seats in this browser.
        made: the new game.
        here: the seats that are played in this browser.

    Returns:
        A dictionary with ``id``, ``seats`` (in this browser) and ``links`` (see `links_of`).
    """
    for seat in (HOST, *here):
        give(response, made.id, seat, made.tokens[seat])
    return {"id": made.id, "seats": here, "links": links_of(made.id, made.tokens, here)}


def links_of(id: str, tokens: dict[int, str], without: Iterable[int]) -> list[dict[str, Any]]:
    """Return the private links of a game's seats, except the seats ``without``.

    The token follows a # in the link, so that no server or log on the way sees it.
    """
    found = sorted((seat, token) for seat, token in tokens.items() if seat != HOST and seat not in without)
    return [{"seat": seat, "path": f"/games/{id}#{token}"} for seat, token in found]
