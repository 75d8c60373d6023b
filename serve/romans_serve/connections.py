"""Connections to a server: as many as the process has room for, and none is held by a request that never ends."""

from __future__ import annotations

import asyncio
import errno
import logging
import sys
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

SECONDS_FOR_HEADERS = 20.0
SECONDS_TO_READ = 60.0
"""In which a client reads on, while more than some 64 kB of an answer wait for it."""
_OTHER_FILES = 64
"""File descriptors that are not for connections: the database, pipes to processes, modules that are being loaded."""
_MOST = 4096
AT_ONCE = 32
"""Connections that are accepted before those beyond the limit are closed."""
_SECONDS_BETWEEN_WARNINGS = 60.0
_LOG = logging.getLogger(__name__)


def room_for_connections() -> int:
    """Return how many connections may be open at once, after raising the limit of file descriptors if allowed."""
    if sys.platform == "win32":
        return 512
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST + _OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        return max(soft - _OTHER_FILES, 8)
    return _MOST


def warn_seldom(loop: asyncio.AbstractEventLoop) -> None:
    """Say once a minute that there are no file descriptors left, where the event loop says it for each connection."""
    said_at = -_SECONDS_BETWEEN_WARNINGS

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        nonlocal said_at
        error = context.get("exception")
        if not isinstance(error, OSError) or error.errno not in (errno.EMFILE, errno.ENFILE):
            loop.default_exception_handler(context)
        elif loop.time() - said_at >= _SECONDS_BETWEEN_WARNINGS:
            said_at = loop.time()
            _LOG.warning("no file descriptors are left: new connections wait (ulimit -n gives more)")

    loop.set_exception_handler(handle)


class BoundedProtocol(H11Protocol):
    """A connection that is closed where there are too many, or where the headers of a request do not end in time.

    It is closed, too, where its client does not read the answer.
    """

    most = 512
    """Connections at once; to be set before the server starts."""
    _timer: asyncio.TimerHandle | None = None
    _reading: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Take a connection, or refuse it."""
        super().connection_made(transport)
        if len(self.connections) > self.most:
            transport.abort()
            return
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Read what has come."""
        super().data_received(data)
        self._watch()

    def pause_writing(self) -> None:
        """Wait for the client to read."""
        super().pause_writing()
        self._reading = self.loop.call_later(SECONDS_TO_READ, self.transport.abort)

    def resume_writing(self) -> None:
        """Write on, as the client has read."""
        super().resume_writing()
        if self._reading is not None:
            self._reading.cancel()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._unwatch()
        if self._reading is not None:
            self._reading.cancel()
        super().connection_lost(exc)

    def _watch(self) -> None:
        """Give the headers of a request their time; what it takes to answer is not counted."""
        if self.cycle is not None and not self.cycle.response_complete:
            self._unwatch()
        elif self._timer is None:
            self._timer = self.loop.call_later(SECONDS_FOR_HEADERS, self._give_up)

    def _unwatch(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self) -> None:
        self._timer = None
        if self.cycle is None or self.cycle.response_complete:
            self.transport.close()
