"""What a request can do wrong; every error is one line, and changes nothing."""

from __future__ import annotations

from typing import Any


class ServeError(Exception):
    """An error that the client is shown.

    Attributes:
        status: the HTTP status.
        details: further keys of the answer.
    """

    status = 400

    def __init__(self, message: str, **details: Any):
        super().__init__(message)
        self.details = details


class BadRequestError(ServeError):
    """A request that does not say what it must."""


class ForbiddenError(ServeError):
    """Somebody else's seat, or somebody else's game."""

    status = 403


class NotFoundError(ServeError):
    """No such game, or none that the client may see."""

    status = 404


class ConflictError(ServeError):
    """The game is elsewhere than the request supposes; ``details`` hold what the client sees of it."""

    status = 409


class TooManyError(ServeError):
    """More games or streams than the server is made for."""

    status = 429


class GoneError(ServeError):
    """Whoever asked waits no longer; nobody reads it."""

    status = 499


class UnavailableError(ServeError):
    """The database cannot be used just now; nothing is changed, and the same request may succeed later."""

    status = 503
