"""Routes for reviews of finished games: a complete review, a stream, a page, and puzzles made from mistakes."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.responses import HTMLResponse, PlainTextResponse, StreamingResponse

from romans_env.errors import in_one_line
from romans_env.render.seat_names import SeatNames
from romans_serve import errors
from romans_serve.games.service import Service
from romans_serve.games.streams import KEEP_ALIVE
from romans_serve.games.views import seat_names_of
from romans_serve.thinking import Reviewed, ReviewPart, ThinkingError
from romans_serve.web.cookies import created
from romans_serve.web.finished import GameId, Seat, finished, replay_response
from romans_serve.web.latest import Latest, Report
from romans_serve.web.requests import PuzzleBody

_SHOWN = ("action", "player", "line", "loss", "played", "better", "share", "better_share")
"""The keys of a mistake that the page receives."""


def add_reviews(app: FastAPI, service: Service) -> None:
    """Add the routes for reviews and puzzles to the application."""

    async def made(id: str, report: Report) -> Reviewed:
        try:
            return await service.playing.review(await service.live(id), report)
        except ThinkingError as error:
            raise errors.BadRequestError(f"there is no review: {in_one_line(error)}") from None

    reviews = Latest(made)

    async def names_for(id: str, seat: int | None, request: Request) -> SeatNames:
        live = await finished(service, id, request)
        return seat_names_of(live.served.rules, live.served.seats, live.viewer(seat, request.cookies))

    @app.get("/api/games/{id}/review")
    async def review(id: GameId, request: Request, seat: Seat = None) -> Any:
        """Return the review of a finished game.

        The response has ``mistakes`` (costliest first), ``sentences`` about choices and luck, and ``totals`` with
        figures for each player's choices and luck.
        """
        names = await names_for(id, seat, request)
        return _as_json(await reviews.get(id, request), names)

    @app.get("/api/games/{id}/review/events", response_class=PlainTextResponse)
    async def review_events(id: GameId, request: Request, seat: Seat = None) -> Response:
        """Stream the review of a finished game while it is made, as server-sent events.

        A ``part`` event has the share of the review that is done, and the mistakes found since the previous event. The
        last event is ``review``, with the complete review, or ``failed``, with the error.
        """
        names = await names_for(id, seat, request)
        reviews.check(id)

        async def texts() -> AsyncIterator[str]:
            said_at = time.monotonic()
            try:
                async for found in reviews.parts(id):
                    if isinstance(found, Reviewed):
                        yield _event("review", _as_json(found, names))
                    elif found:
                        yield _event("part", _part_as_json(found, names))
                    elif time.monotonic() - said_at > KEEP_ALIVE:
                        yield ": still here\n\n"
                    else:
                        continue
                    said_at = time.monotonic()
            except errors.ServeError as error:
                yield _event("failed", {"error": str(error)})

        return StreamingResponse(
            texts(), media_type="text/event-stream", headers={"cache-control": "no-store", "x-accel-buffering": "no"}
        )

    @app.get("/api/games/{id}/review/page", response_class=HTMLResponse)
    async def review_page(id: GameId, request: Request) -> Response:
        """Return the replay page of a finished game with the game's review."""
        await finished(service, id, request)
        found = await reviews.get(id, request)
        return replay_response(id, found.page)

    @app.post("/api/games/{id}/puzzle", status_code=201)
    async def puzzle(id: GameId, body: PuzzleBody, request: Request, response: Response) -> Any:
        """Create a game that begins before a mistake of a finished game, for this browser to try again.

        The view of the seat has ``puzzle``, which says what was better after the person has chosen.
        """
        live = await finished(service, id, request)
        found = await reviews.get(id, request)
        mistake = next((one for one in found.mistakes if one["action"] == body.action), None)
        if mistake is None:
            there = ", ".join(str(one["action"]) for one in found.mistakes) or "none"
            raise errors.NotFoundError(f"no mistake was made at action {body.action}; mistakes were made at {there}")
        made = await service.puzzle(live, mistake)
        return created(response, made, [seat for seat in made.tokens if seat >= 0])


def _as_json(found: Reviewed, names: SeatNames) -> dict[str, Any]:
    return {
        "mistakes": [_mistake_as_json(one, names) for one in found.mistakes],
        "sentences": [names.in_words(line) for line in found.sentences],
        "totals": found.totals,
    }


def _part_as_json(parts: list[ReviewPart], names: SeatNames) -> dict[str, Any]:
    mistakes = [_mistake_as_json(one.mistake, names) for one in parts if one.mistake is not None]
    return {"share": round(parts[-1].share, 3), "mistakes": mistakes}


def _mistake_as_json(mistake: dict[str, Any], names: SeatNames) -> dict[str, Any]:
    shown = {name: mistake[name] for name in _SHOWN}
    words = {name: names.in_words(mistake[name]) for name in ("line", "played", "better")}
    return {**shown, **words, "name": names.name(mistake["player"])}


def _event(kind: str, event: dict[str, Any]) -> str:
    return f"event: {kind}\ndata: {json.dumps(event, separators=(',', ':'))}\n\n"
