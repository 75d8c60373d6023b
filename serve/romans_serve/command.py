"""The command ``romans serve``, which starts the server."""

from __future__ import annotations

import asyncio
import ipaddress
import os
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from romans_agents import make
from romans_env.core.games import DEFAULT_GAME, names
from romans_training.cli.options import GameType, SpecsType, file_option

if TYPE_CHECKING:
    import uvicorn
    from starlette.types import ASGIApp

    from romans_serve.games.service import Service

MOST_CONNECTIONS = 900
"""Maximum number of simultaneous connections; further requests get status 503. Most systems let a process open 1,024
files."""
MOST_HEADERS = 16 * 1024
"""Maximum size of the headers of a request in bytes; generous, because a player with many seats has many cookies."""
_IN_USE = "the port is in use: name another one with --port, or stop the program that uses it"


def default_database() -> Path:
    """Return the default database file, in the user's data folder."""
    folder = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(folder) / "romans-env" / "games.sqlite"


@click.command(name="serve")
@click.option("--host", default="127.0.0.1", help="Address to listen on; 0.0.0.0 serves the whole network.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, help="Port to listen on; 0 for any free port.")
@click.option(
    "--allow-host",
    "hosts",
    multiple=True,
    metavar="NAME",
    help="Host name under which browsers may reach this server, in addition to IP addresses; may be repeated.",
)
@file_option("--database", "Database file for the games.  [default: games.sqlite in the user's data folder]")
@click.option("--game", "games", type=GameType(), multiple=True, help="Game to offer; may be repeated.  [default: all]")
@click.option(
    "--agents",
    type=SpecsType(),
    help="Additional agents to offer: policy files, classes in Python files, or agents with options.",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    default=min(4, os.cpu_count() or 1),
    show_default="number of cores, at most 4",
    help="Number of processes in which agents decide.",
)
@click.option(
    "--move-time",
    type=click.FloatRange(min=0.01, max=600),
    default=20.0,
    help="Seconds that an agent may take for a decision.",
)
def command(
    host: str,
    port: int,
    hosts: tuple[str, ...],
    database: Path | None,
    games: tuple[str, ...],
    agents: tuple[str, ...] | None,
    workers: int,
    move_time: float,
) -> None:
    """Play in the browser, against agents and other people.

    Games are kept in a database and continue after a restart. Without --host only this machine can connect; with it,
    everyone who can reach the address may create games and watch public ones.
    """
    # Imported here because they need the extra 'serve'.
    import uvicorn

    from romans_serve.games.service import Service
    from romans_serve.games.store import GameStore, GameStoreError
    from romans_serve.thinkers.offers import offer_of, plays
    from romans_serve.thinkers.workers import Workers
    from romans_serve.web.app import make_app

    # The default game comes first.
    offered, trusted = games or tuple(sorted(names(), key=lambda game: game != DEFAULT_GAME)), agents or ()
    for spec in trusted:
        if not any(plays(spec, game) for game in offered):
            make(spec, game=offered[-1])  # raises an error that says why
    try:
        store = GameStore(database or default_database())
    except GameStoreError as error:
        raise click.UsageError(str(error)) from None
    listening = _listening(host, port)
    thinker = Workers(workers, move_time, trusted)
    service = Service(store, thinker, [offer_of(game, trusted) for game in offered])
    app = make_app(service, [*hosts, host], _is_loopback(host))
    click.echo(f"romans serve: {_address(listening)}  (Ctrl-C stops it; games are kept in {store.path})")
    try:
        asyncio.run(_serve(uvicorn.Server(server_settings(app)), service, listening))
    finally:
        thinker.close()


def server_settings(app: ASGIApp) -> uvicorn.Config:
    """Return the settings of the HTTP server; for limits set in a reverse proxy, see docs/start/serving.md."""
    import uvicorn

    return uvicorn.Config(
        app,
        # This is the only protocol implementation that limits the size of headers.
        http="h11",
        h11_max_incomplete_event_size=MOST_HEADERS,
        limit_concurrency=MOST_CONNECTIONS,
        # Keep the logging of the process: uvicorn's settings would replace its handlers.
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        # Clients reuse connections for some seconds; one closed by the server at that moment would look like a fault.
        timeout_keep_alive=75,
        timeout_graceful_shutdown=1,
        ws="none",
    )


async def _serve(server: uvicorn.Server, service: Service, listening: socket.socket) -> None:
    """Serve until a signal arrives. Meanwhile, prepare the games so that a player's first click need not wait."""
    ahead = asyncio.create_task(service.readiness.prepare_ahead())
    await server.serve(sockets=[listening])
    ahead.cancel()


def _listening(host: str, port: int) -> socket.socket:
    """Return a listening socket; raise UsageError with advice if the address cannot be used."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        found = socket.socket(family, socket.SOCK_STREAM)
        if sys.platform != "win32":
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((host, port))
        found.listen(512)
    except OSError as error:
        why = _IN_USE if port and "in use" in str(error) else error.strerror or str(error)
        raise click.UsageError(f"cannot listen on {host}, port {port}: {why}") from None
    return found


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _address(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
