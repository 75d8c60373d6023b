"""A server without worker processes, for tests that start several; its options are those of `romans serve`."""

import argparse
import asyncio
import socket

import uvicorn

from romans_serve.games.service import Service
from romans_serve.games.store import GameStore
from romans_serve.web.app import make_app
from tests.serve.servers import OFFERS, InProcess


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--port", type=int)
    options.add_argument("--database")
    given = options.parse_args()
    listening = socket.create_server(("127.0.0.1", given.port))
    print(f"http://127.0.0.1:{listening.getsockname()[1]}", flush=True)
    service = Service(GameStore(given.database), InProcess(), OFFERS[:1])
    config = uvicorn.Config(make_app(service), log_level="critical", access_log=False)
    asyncio.run(uvicorn.Server(config).serve(sockets=[listening]))


if __name__ == "__main__":
    main()
