"""What is sent to those who look on while a game changes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

KEEP_ALIVE = 15.0
"""Seconds without an event after which a comment is sent, so that connections that have ended are noticed."""
_LONGEST = 512


class Stream:
    """The events of one browser, for one viewer.

    Args:
        viewer: a player, or `romans_env.serve.spectator.SPECTATOR`.
        is_narrow: whether its screen is.
    """

    def __init__(self, viewer: str, is_narrow: bool = False):
        self.viewer, self.is_narrow = viewer, is_narrow
        self._events: asyncio.Queue[tuple[str, dict[str, Any]]] = asyncio.Queue()
        self._bands: list[Any] = []
        self.is_late = False
        """Whether too many events wait: a whole view is sent instead."""

    def put(self, kind: str, event: dict[str, Any]) -> None:
        """Send an event; the viewer sees no picture before the latest one where it is too slow to be sent all."""
        if self._events.qsize() >= _LONGEST:
            self._events = asyncio.Queue()
            self.is_late = True
        self._events.put_nowait((kind, event))

    async def take(self, seconds: float = KEEP_ALIVE) -> tuple[str, dict[str, Any]] | None:
        """The next event; None when there was none for some time."""
        try:
            return await asyncio.wait_for(self._events.get(), seconds)
        except asyncio.TimeoutError:
            return None

    def as_text(self, kind: str, event: dict[str, Any]) -> str:
        """An event as server-sent events have it. Bands of a picture that are as they were sent last are null."""
        if "picture" in event:
            bands = event["picture"]["bands"]
            known = self._bands if kind == "look" else []
            changed = [None if k < len(known) and known[k] == band else band for k, band in enumerate(bands)]
            self._bands = bands
            event = {**event, "picture": {**event["picture"], "bands": changed}}
        return f"event: {kind}\ndata: {json.dumps(event, separators=(',', ':'))}\n\n"


async def as_texts(stream: Stream, whole: Any) -> AsyncIterator[str]:
    """The texts of a stream, without end: a whole view first.

    Args:
        stream: open.
        whole: called for a whole view.
    """
    yield stream.as_text("view", whole())
    while True:
        taken = await stream.take()
        if stream.is_late:
            stream.is_late = False
            yield stream.as_text("view", whole())
        elif taken is None:
            yield ": still here\n\n"
        else:
            yield stream.as_text(*taken)
