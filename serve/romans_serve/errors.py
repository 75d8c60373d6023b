"""What a request can do wrong; every error is one line, and changes nothing."""

from __future__ import annotations

from typing import Any


class ServeError(Exception):
    """An error that the client is shown; a class of its own names its HTTP status.

    Attributes:
        status: the HTTP status.
        details: further keys of the answer.
    """

    status = 400

    def __init_subclass__(cls, status: int = 400):
        cls.status = status

    def __init__(self, message: str, **details: Any):
        super().__init__(message)
        self.details = details


class BadRequestError(ServeError):
    """A request that does not say what it must."""


class ForbiddenError(ServeError, status=403):
    """Somebody else's seat, or somebody else's game."""


class NotFoundError(ServeError, status=404):
    """No such game, or none that the client may see."""


class ConflictError(ServeError, status=409):
    """The game is elsewhere than the request supposes; ``details`` hold what the client sees of it."""


class TooManyError(ServeError, status=429):
    """More games or streams than the server is made for."""


class GoneError(ServeError, status=499):
    """Whoever asked waits no longer; nobody reads it."""


class UnavailableError(ServeError, status=503):
    """The database cannot be used just now; nothing is changed, and the same request may succeed later."""
