"""Errors of requests. Each error has a one-line message, and a request that raises an error changes nothing."""

from __future__ import annotations

from typing import Any


class ServeError(Exception):
    """An error that is shown to the client; each subclass declares its HTTP status.

    Attributes:
        status: HTTP status of the response.
        details: additional keys of the JSON response.
    """

    status = 400

    def __init_subclass__(cls, status: int = 400):
        cls.status = status

    def __init__(self, message: str, **details: Any):
        super().__init__(message)
        self.details = details


class BadRequestError(ServeError):
    """The request is incomplete or invalid."""


class ForbiddenError(ServeError, status=403):
    """The seat or the game belongs to someone else."""


class NotFoundError(ServeError, status=404):
    """The game does not exist, or the client may not see it."""


class ConflictError(ServeError, status=409):
    """The game has changed since the request was made; ``details`` contain the client's current view."""


class TooManyError(ServeError, status=429):
    """The server's limit on games, streams or requests has been reached."""


class GoneError(ServeError, status=499):
    """The client has disconnected, so it will not read this error."""


class UnavailableError(ServeError, status=503):
    """The database is temporarily unavailable; nothing is changed, and the same request may succeed later."""
