"""What takes long to make of a game: it is made once for all who wait, and of the latest games it is kept."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any, Generic, NamedTuple, TypeVar

from fastapi import Request

from romans_serve import errors

LOOK_FOR_CLIENT = 0.25
"""Seconds between looks whether who asked for what takes long still waits, and whether a part has come."""
MOST_KEPT = 16
"""Results that are kept in memory, of a few hundred kB each."""
MOST_MAKING = 32
"""Results that are made at once."""
MOST_WAITING = 64
"""Requests that wait for one of them."""
Made = TypeVar("Made")
Report = Callable[[Any], None]
"""What is called with a part of what is being made."""


class _Making(NamedTuple):
    """What is being made: the task, who waits for it, and the parts that there are."""

    task: asyncio.Task[Any]
    waiting: set[object]
    parts: list[Any]


class Latest(Generic[Made]):
    """Results by the id of their game.

    Args:
        make: makes one, of its id and a function that it calls with parts.
    """

    def __init__(self, make: Callable[[str, Report], Coroutine[Any, Any, Made]]):
        self._make = make
        self._made: OrderedDict[str, Made] = OrderedDict()
        self._making: dict[str, _Making] = {}

    async def get(self, id: str, request: Request) -> Made:
        """Return what is kept of a game, or make it, as long as somebody waits for it.

        Raises:
            TooManyError: as many are being made, or wait for it, as may be.
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
        """Raise TooManyError where `parts` would."""
        making = self._making.get(id)
        if making is not None and len(making.waiting) >= MOST_WAITING:
            raise errors.TooManyError("many wait for this already: try again in a minute")
        if id not in self._made and making is None and len(self._making) >= MOST_MAKING:
            raise errors.TooManyError("many ask for this just now: try again in a minute")

    async def parts(self, id: str) -> AsyncIterator[list[Any] | Made]:
        """Yield the parts as they come, in lists, of which an empty one says that there is nothing new, and the result.

        Raises:
            TooManyError: as of `get`.
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
    """Return the result of a task; raise `GoneError` as soon as the page that asked for it has gone."""
    while not (await asyncio.wait({task}, timeout=LOOK_FOR_CLIENT))[0]:
        if await request.is_disconnected():
            raise errors.GoneError("nobody waits for it any longer")
    return await task
