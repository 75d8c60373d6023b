"""``romans serve``."""

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
"""Connections at once; requests of more are answered with status 503. Most systems let a process open 1,024 files."""
MOST_HEADERS = 16 * 1024
"""Bytes of headers after which a request is refused that has not ended them; many seats have many cookies."""
_IN_USE = "the port is in use: name another one by --port, or stop what uses it"


def default_database() -> Path:
    """Return the file in which games are kept unless another is named: in the user's folder for data."""
    folder = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(folder) / "romans-env" / "games.sqlite"


@click.command(name="serve")
@click.option("--host", default="127.0.0.1", help="Address to listen on; 0.0.0.0 for the network.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, help="Port to listen on; 0 for any that is free.")
@click.option(
    "--allow-host",
    "hosts",
    multiple=True,
    metavar="NAME",
    help="Name, beside addresses, by which browsers may call this server; may be repeated.",
)
@file_option("--database", "File in which games are kept.  [default: games.sqlite in the user's folder for data]")
@click.option(
    "--game", "games", type=GameType(), multiple=True, help="Name of a game to offer; may be repeated.  [default: all]"
)
@click.option(
    "--agents",
    type=SpecsType(),
    help="Further agents to offer: policy files, classes in Python files, or agents with options.",
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
    help="Seconds that a decision of an agent may take.",
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

    Games are kept in a database, and go on after a restart. Without --host the server answers this machine alone; with
    it, everybody who can reach the address may create games and watch open ones.
    """
    # Imported here: they need the extra 'serve'.
    import uvicorn

    from romans_serve.games.service import Service
    from romans_serve.games.store import GameStore, GameStoreError
    from romans_serve.thinkers.offers import offer_of, plays
    from romans_serve.thinkers.workers import Workers
    from romans_serve.web.app import make_app

    # The game of those who name none comes first.
    offered, trusted = games or tuple(sorted(names(), key=lambda game: game != DEFAULT_GAME)), agents or ()
    for spec in trusted:
        if not any(plays(spec, game) for game in offered):
            make(spec, game=offered[-1])  # which says why
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
    """Return the settings of the HTTP server; what it cannot bound, a proxy in front does (docs/start/serving.md)."""
    import uvicorn

    return uvicorn.Config(
        app,
        # The protocol that bounds headers.
        http="h11",
        h11_max_incomplete_event_size=MOST_HEADERS,
        limit_concurrency=MOST_CONNECTIONS,
        # The logging of the process stays as it is: uvicorn's own would replace its handlers.
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        # Programs keep connections for some seconds: one that the server closed at that moment would look like a fault.
        timeout_keep_alive=75,
        timeout_graceful_shutdown=1,
        ws="none",
    )


async def _serve(server: uvicorn.Server, service: Service, listening: socket.socket) -> None:
    """Serve until a signal comes, and prepare the games meanwhile, so that the first click need not wait."""
    ahead = asyncio.create_task(service.readiness.prepare_ahead())
    await server.serve(sockets=[listening])
    ahead.cancel()


def _listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens; raise UsageError, which says what to do, if that is not possible."""
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
