"""The server: OpenEnv's FastAPI application."""

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
"""Most bytes in the body of a request or in a message of a session; ten times a plan of the longest names."""
SESSIONS = "MAX_CONCURRENT_ENVS"
"""Environment variable with the largest number of simultaneous sessions."""


def make_app(settings: Settings | None = None, max_sessions: int = 64) -> FastAPI:
    """Return the ASGI application.

    Args:
        settings: the defaults for clients; None for the package's defaults.
        max_sessions: largest number of simultaneous sessions.

    Raises:
        ValueError: if no game can be played with the settings.
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
    """ASGI middleware that refuses a request with status 413 as soon as its body exceeds `MAX_BYTES`.

    Args:
        app: the application to protect.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, limiting its body; the server limits the messages of sessions (``ws_max_size``)."""
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
    """Run the server at the address given on the command line."""
    parser = argparse.ArgumentParser(description="Games of romans-env through OpenEnv.")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on; 0.0.0.0 lets other machines connect")
    parser.add_argument("--port", type=int, default=8000)
    arguments = parser.parse_args()
    uvicorn.run(app, host=arguments.host, port=arguments.port, ws_max_size=MAX_BYTES)
