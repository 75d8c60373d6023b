"""Streams of server-sent events to the viewers of a game."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

KEEP_ALIVE = 15.0
"""Seconds without an event after which a comment is sent, because writing reveals that a connection has ended."""
MOST_WAITING = 2**20
"""Maximum number of bytes queued for one browser: four times the size of the largest view."""
MOST_WAITING_IN_ALL = 2**26
"""Maximum number of bytes queued for all browsers of a server together."""


class Streams:
    """The open streams of a server, with a common limit on the size of their queues."""

    def __init__(self) -> None:
        self.open: set[Stream] = set()
        self.waiting = 0

    @property
    def are_full(self) -> bool:
        """Whether the queues together have reached their limit, `MOST_WAITING_IN_ALL`."""
        return self.waiting >= MOST_WAITING_IN_ALL


class Stream:
    """A stream of events to one browser, which shows the game to one viewer.

    Args:
        viewer: a player, or `romans_serve.games.spectator.SPECTATOR`.
        is_narrow: whether the browser has a narrow screen.
        streams: all streams of the server.
    """

    def __init__(self, viewer: str, is_narrow: bool, streams: Streams):
        self.viewer, self.is_narrow, self._streams = viewer, is_narrow, streams
        self._texts: asyncio.Queue[str] = asyncio.Queue()
        self._bands: list[Any] = []
        self._waiting = 0
        self._is_late = False
        streams.open.add(self)

    def close(self) -> None:
        """Close the stream; later events are ignored."""
        self._streams.open.discard(self)
        self._count(-self._waiting)

    def put(self, kind: str, event: dict[str, Any]) -> None:
        """Queue an event. If a browser reads too slowly, its queue is discarded and a complete view is sent instead."""
        if self._is_late or self not in self._streams.open:
            return
        text = self._as_text(kind, event)
        self._texts.put_nowait(text)
        self._count(len(text))
        if self._waiting > MOST_WAITING:
            self._drop()
        elif self._streams.are_full:
            max(self._streams.open, key=lambda stream: stream._texts.qsize() and stream._waiting)._drop()

    async def take(self, seconds: float = KEEP_ALIVE) -> str | None:
        """Return the next event in the format of server-sent events; None if none comes within ``seconds``."""
        try:
            text = await asyncio.wait_for(self._texts.get(), seconds)
        except asyncio.TimeoutError:
            return None
        self._count(-len(text))
        return text

    async def texts(self, whole: Any) -> AsyncIterator[str]:
        """Yield events without end, starting with a complete view.

        Args:
            whole: function that returns a complete view.
        """
        self._is_late = True
        text: str | None = ""
        while True:
            if self._is_late:
                self._is_late = False
                text = self._as_text("view", whole())
            elif text is None:
                text = ": still here\n\n"
            self._count(len(text))
            yield text
            self._count(-len(text))
            text = await self.take()

    def _count(self, added: int) -> None:
        self._waiting += added
        self._streams.waiting += added

    def _drop(self) -> None:
        while not self._texts.empty():
            self._count(-len(self._texts.get_nowait()))
        self._texts.put_nowait("")
        self._is_late = True

    def _as_text(self, kind: str, event: dict[str, Any]) -> str:
        """Return an event as text. In a ``look`` event, bands of the picture that have not changed become null."""
        if "picture" in event:
            bands = event["picture"]["bands"]
            known = self._bands if kind == "look" else []
            changed = [None if k < len(known) and known[k] == band else band for k, band in enumerate(bands)]
            self._bands = bands
            event = {**event, "picture": {**event["picture"], "bands": changed}}
        return f"event: {kind}\ndata: {json.dumps(event, separators=(',', ':'))}\n\n"
