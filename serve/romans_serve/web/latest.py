"""Results that take long to make: a result is made once for all clients that wait for it, and recent ones are kept."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any, Generic, NamedTuple, TypeVar

from fastapi import Request

from romans_serve import errors

LOOK_FOR_CLIENT = 0.25
"""Seconds between checks for new parts of a result, and for clients that have disconnected."""
MOST_KEPT = 16
"""Maximum number of results kept in memory, each with a few hundred kB."""
MOST_MAKING = 32
"""Maximum number of results that are made at the same time."""
MOST_WAITING = 64
"""Maximum number of requests that wait for the same result."""
Made = TypeVar("Made")
Report = Callable[[Any], None]
"""A function that is called with each part of a result while it is made."""


class _Making(NamedTuple):
    """A result that is being made: its task, the clients that wait for it, and the parts made so far."""

    task: asyncio.Task[Any]
    waiting: set[object]
    parts: list[Any]


class Latest(Generic[Made]):
    """Makes results, such as reviews of games, and keeps the latest of them by the id of their game.

    Args:
        make: a function that makes the result for an id, and calls its second argument with each part of the result.
    """

    def __init__(self, make: Callable[[str, Report], Coroutine[Any, Any, Made]]):
        self._make = make
        self._made: OrderedDict[str, Made] = OrderedDict()
        self._making: dict[str, _Making] = {}

    async def get(self, id: str, request: Request) -> Made:
        """Return a game's result, which is made if necessary; making it stops once no client waits for it.

        Raises:
            TooManyError: if too many results are being made, or too many requests wait for this one.
            GoneError: if the client has disconnected.
        """
        if id not in self._made:
            making = self._begun(id, request)
            try:
                self._keep(id, await while_wanted(request, making.task))
            finally:
                self._leave(id, making, request)
        self._made.move_to_end(id)
        return self._made[id]

    def check(self, id: str) -> None:
        """Raise TooManyError if `parts` would raise it for this game."""
        making = self._making.get(id)
        if making is not None and len(making.waiting) >= MOST_WAITING:
            raise errors.TooManyError("too many requests wait for this already: try again in a minute")
        if id not in self._made and making is None and len(self._making) >= MOST_MAKING:
            raise errors.TooManyError("the server is too busy right now: try again in a minute")

    async def parts(self, id: str) -> AsyncIterator[list[Any] | Made]:
        """Yield the list of new parts (it may be empty) every `LOOK_FOR_CLIENT` seconds, and finally the result.

        Raises:
            TooManyError: if too many results are being made, or too many requests wait for this one.
        """
        if id not in self._made:
            who = object()
            making, told = self._begun(id, who), 0
            try:
                while not making.task.done():
                    await asyncio.wait({making.task}, timeout=LOOK_FOR_CLIENT)
                    news, told = making.parts[told:], len(making.parts)
                    yield news
                self._keep(id, await making.task)
            finally:
                self._leave(id, making, who)
        yield self._made[id]

    def _begun(self, id: str, who: object) -> _Making:
        self.check(id)
        if id not in self._making:
            parts: list[Any] = []
            self._making[id] = _Making(asyncio.create_task(self._make(id, parts.append)), set(), parts)
        self._making[id].waiting.add(who)
        return self._making[id]

    def _keep(self, id: str, made: Made) -> None:
        self._made[id] = made
        while len(self._made) > MOST_KEPT:
            self._made.popitem(last=False)

    def _leave(self, id: str, making: _Making, who: object) -> None:
        making.waiting.discard(who)
        if not making.waiting and self._making.get(id) is making:
            del self._making[id]
            making.task.cancel()


async def while_wanted(request: Request, task: asyncio.Task[Made]) -> Made:
    """Return the result of a task; raise `GoneError` as soon as the client has disconnected."""
    while not (await asyncio.wait({task}, timeout=LOOK_FOR_CLIENT))[0]:
        if await request.is_disconnected():
            raise errors.GoneError("the client has disconnected")
    return await task
