"""The server: OpenEnv's application of FastAPI."""

from __future__ import annotations

import argparse
import functools
import os

import uvicorn
from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import JSONResponse
from openenv.core.env_server import create_app
from pydantic import ValidationError
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from romans_openenv.environment import RomansEnvironment, Settings, text_env
from romans_openenv.models import RomansAction, RomansObservation, RomansState

SETTINGS = "ROMANS_OPENENV"
"""Environment variable with the `romans_openenv.environment.Settings` of the server, as JSON."""
MAX_BYTES = 65_536
"""Of a request's body, and of a message of a session: a plan of the longest names is a tenth of it."""
SESSIONS = "MAX_CONCURRENT_ENVS"
"""Environment variable with the number of sessions at once."""


def make_app(settings: Settings | None = None, max_sessions: int = 64) -> FastAPI:
    """The application, for a server of ASGI.

    Args:
        settings: what is played where a client does not say.
        max_sessions: sessions at once.

    Raises:
        ValueError: settings that no game can be played with.
    """
    settings = settings or Settings()
    text_env(settings)
    app: FastAPI = create_app(
        functools.partial(RomansEnvironment, settings),
        RomansAction,
        RomansObservation,
        env_name="romans",
        max_concurrent_envs=max_sessions,
        state_cls=RomansState,
    )

    app.add_middleware(BoundedBodies)

    @app.exception_handler(ValueError)
    async def refused(request: Request, error: ValueError) -> JSONResponse:
        return JSONResponse({"detail": str(error)}, 422)

    return app


class BoundedBodies:
    """Refuse a request whose body is longer than `MAX_BYTES`, as it comes, with status 413.

    Args:
        app: the application of ASGI that answers the others.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or serve a session, whose messages the server bounds (``ws_max_size``)."""
        left = MAX_BYTES

        async def bounded() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                raise HTTPException(413, f"the body of a request has at most {MAX_BYTES:,} bytes")
            return message

        await self._app(scope, bounded if scope["type"] == "http" else receive, send)


def _app_of_variables() -> FastAPI:
    try:
        settings = Settings.model_validate_json(os.environ.get(SETTINGS) or "{}")
        return make_app(settings, int(os.environ.get(SESSIONS) or 64))
    except ValidationError as error:
        first = error.errors()[0]
        where = "".join(f"{part}: " for part in first["loc"][:1])
        raise SystemExit(f"error: {SETTINGS}: {where}{first['msg']}") from None
    except ValueError as error:
        raise SystemExit(f"error: {SETTINGS} or {SESSIONS}: {error}") from None


app = _app_of_variables()


def main() -> None:
    """Serve, at the address that the command line names."""
    parser = argparse.ArgumentParser(description="Games of romans-env through OpenEnv.")
    parser.add_argument("--host", default="127.0.0.1", help="0.0.0.0 for other machines, too")
    parser.add_argument("--port", type=int, default=8000)
    arguments = parser.parse_args()
    uvicorn.run(app, host=arguments.host, port=arguments.port, ws_max_size=MAX_BYTES)
