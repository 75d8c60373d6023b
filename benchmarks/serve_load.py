"""Measures a game server under many scripted clients, and checks that no game is lost or mixed up, and no secret leaks.

python -m benchmarks.serve_load load --games 100     # whole games; everything sent is searched for hidden warriors
python -m benchmarks.serve_load answers --games 50   # the time of an answer against a scripted agent
python -m benchmarks.serve_load kill --games 20 --times 10
python -m benchmarks.serve_load memory --games 1000
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2

from romans_env.render.romans_go_home.sentences import WARRIOR_TITLES

_TURN = re.compile(r"Turn \d+, for [^:]*: (.*)")
_FIRST_CLAN = 2
"""Index of the first clan's band in a picture, after the heading and the wall."""


class LeakError(AssertionError):
    """A viewer was sent a warrior that it may not know."""


# -- a server


@dataclass
class Server:
    """``romans serve`` in a process of its own, which can be killed and restarted.

    Args:
        folder: the folder of its database.
        module: the module to run with its arguments.
    """

    folder: Path
    module: tuple[str, ...] = ("romans_training.cli.main", "serve", "--game", "romans-go-home")
    port: int = 0
    process: subprocess.Popen[str] | None = None

    def start(self) -> str:
        """Start the server, after a restart on the same port; return its address."""
        command = [sys.executable, "-m", *self.module, "--port", str(self.port)]
        database = ["--database", str(self.folder / "games.sqlite")]
        self.process = subprocess.Popen([*command, *database], stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        if found is None:
            raise RuntimeError(f"the server does not start: {line!r}")
        self.port = int(found[1])
        return found[0]

    def kill(self) -> None:
        """Kill the process (SIGKILL)."""
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()

    def memory(self) -> int:
        """Return its resident memory in bytes (Linux)."""
        assert self.process is not None
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        found = re.search(r"VmRSS:\s+(\d+) kB", status)
        assert found is not None
        return 1024 * int(found[1])

    def processor_seconds(self) -> float:
        """Return its processor time, without its workers' (Linux)."""
        assert self.process is not None
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def running(*module: str) -> Iterator[tuple[Server, str]]:
    """Yield a server with a temporary database, and its address; runs ``romans serve`` unless a module is given."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), module or Server.module)
        try:
            yield server, server.start()
        finally:
            server.kill()


# -- clients


@dataclass
class Watch:
    """Everything that one viewer was sent of a game, checked as it arrives.

    Args:
        names: the names of the clans, in the order of the picture.
        own: the viewer's clan; None for a spectator.
    """

    names: list[str]
    own: int | None
    bands: list[Any] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    latest: dict[str, Any] = field(default_factory=dict)
    events: int = 0

    def take(self, event: dict[str, Any]) -> None:
        """Process a view or a look; raise `LeakError` if it shows a warrior that the viewer may not know."""
        bands = event["picture"]["bands"]
        self.bands = [band if band is not None else self.bands[k] for k, band in enumerate(bands)]
        self.lines[event["log"]["start"] :] = event["log"]["lines"]
        self.latest, self.events = event, self.events + 1
        revealed = self._revealed()
        # The viewer's own clan is the last band, so it is not among these.
        rivals = [name for clan, name in enumerate(self.names) if clan != self.own]
        for clan, name in enumerate(rivals):
            shown = {title for title in WARRIOR_TITLES.values() if f">{title}<" in self.bands[_FIRST_CLAN + clan][1]}
            if not shown <= revealed[name]:
                raise LeakError(f"{name}'s {shown - revealed[name]} in the picture of {self.own}: {self.lines[-3:]}")
        hidden = [spot for spot in event["spots"] if "face-down" in spot["name"] or "set aside" in spot["name"]]
        if self.own is None and (hidden or any("in hand" in spot["name"] for spot in event["spots"])):
            raise LeakError(f"a spectator is sent {hidden}")

    def _revealed(self) -> dict[str, set[str]]:
        """Return the warriors that each clan has revealed in this round, according to the log."""
        found: dict[str, set[str]] = {name: set() for name in self.names}
        for line in self.lines:
            if line.startswith("== Round"):
                found = {name: set() for name in self.names}
            elif turn := _TURN.match(line):
                for part in turn[1].split(", "):
                    name, _, title = part.rpartition(" ")
                    found.get(name, set()).add(title)
        return found


@dataclass
class Client:
    """A scripted player in a seat.

    Args:
        http: an HTTP client with the cookie of the seat.
        id: the id of the game.
        seat: the index of the seat; None for a spectator.
        watch: checks everything that the client is sent.
        rng: the random generator of its choices.
    """

    http: httpx2.AsyncClient
    id: str
    seat: int | None
    watch: Watch
    rng: random.Random
    seconds: list[float] = field(default_factory=list)
    chosen: list[str] = field(default_factory=list)
    answered: int = -1

    async def play(self) -> None:
        """Follow the game's events to its end, choosing actions whenever the seat has to."""
        params = {} if self.seat is None else {"seat": self.seat}
        async for event in events(self.http, f"/api/games/{self.id}/events", params):
            self.watch.take(event)
            if event["is_over"]:
                return
            # A decision may be sent again when other players act in the meantime.
            if event.get("choices") and event["move"] != self.answered:
                await self._act(event)
                self.answered = event["move"]

    async def _act(self, event: dict[str, Any]) -> None:
        plan = self.rng.choice(event["choices"])["action"]
        begun = time.perf_counter()
        body = {"seat": self.seat, "move": event["move"], "plan": plan}
        reply = await self.http.post(f"/api/games/{self.id}/act", json=body)
        self.seconds.append(time.perf_counter() - begun)
        if reply.status_code != 200:
            raise AssertionError(f"{reply.status_code}: {reply.text[:300]}")
        self.chosen.append(plan)
        if self.rng.random() < 0.05:
            stale = await self.http.post(f"/api/games/{self.id}/act", json=body)
            if stale.status_code != 409:
                raise AssertionError(f"a stale action is answered with {stale.status_code}")


async def events(http: httpx2.AsyncClient, path: str, params: dict[str, int]) -> AsyncIterator[dict[str, Any]]:
    """Yield the views and looks of a stream."""
    async with http.stream("GET", path, params=params, timeout=None) as reply:
        if reply.status_code != 200:
            raise AssertionError(f"the stream is answered with {reply.status_code}")
        kind = ""
        async for line in reply.aiter_lines():
            if line.startswith("event: "):
                kind = line[7:]
            elif line.startswith("data: ") and kind in ("view", "look"):
                yield json.loads(line[6:])


async def new_game(address: str, agents: list[str | None], number: int, pace: float = 0.0) -> tuple[str, list[Any]]:
    """Create a game; return its id, and for each seat a client with the seat's cookie, None for an agent."""
    async with httpx2.AsyncClient(base_url=address, timeout=60) as host:
        seats = [
            {"agent": agent, "name": None if agent else f"P{number}x{k}", "here": False}
            for k, agent in enumerate(agents)
        ]
        body = {"game": "romans-go-home", "setup": f"{len(agents)}+0", "seats": seats, "pace": pace}
        reply = await host.post("/api/games", json=body)
        if reply.status_code != 201:
            raise AssertionError(f"{reply.status_code}: {reply.text}")
        made = reply.json()
    clients: list[Any] = [None] * len(agents)
    for link in made["links"]:
        http = httpx2.AsyncClient(base_url=address, timeout=60)
        await http.post(f"/api/games/{made['id']}/join", json={"token": link["path"].partition("#")[2]})
        clients[link["seat"]] = http
    return made["id"], clients


async def whole_game(address: str, number: int, agents: list[str | None]) -> list[float]:
    """Play a game with a scripted client in every person's seat and a spectator; return the response times in seconds.

    Raises:
        LeakError: if a viewer was sent a warrior that it may not know.
        AssertionError: if a response is invalid, or the record has other actions than were chosen.
    """
    id, https = await new_game(address, agents, number)
    spectator = httpx2.AsyncClient(base_url=address, timeout=60)
    players = [None if http is None else f"P{number}x{k}" for k, http in enumerate(https)]
    seen = [name or str(agents[k]) for k, name in enumerate(players)]
    clients = []
    for seat, http in [*enumerate(https), (None, spectator)]:
        if http is None:
            continue
        names = ["you" if k == seat else name for k, name in enumerate(_unique(seen))]
        clients.append(Client(http, id, seat, Watch(names, seat), random.Random(1000 * number + (seat or 99))))
    try:
        await asyncio.gather(*(client.play() for client in clients))
        record = (await spectator.get(f"/api/games/{id}/record")).json()
        for client in clients:
            own = f"player_{client.seat} "
            played = [action.removeprefix(own) for action in record["actions"] if action.startswith(own)]
            if played != client.chosen:
                raise AssertionError(f"game {id}: {own}played {played}, and chose {client.chosen}")
        return [seconds for client in clients for seconds in client.seconds]
    finally:
        for http in [*https, spectator]:
            if http is not None:
                await http.aclose()


def _unique(names: list[str]) -> list[str]:
    return [name if names.index(name) == k else f"{name} #{names[:k].count(name) + 1}" for k, name in enumerate(names)]


# -- measurements


async def load(address: str, games: int) -> dict[str, Any]:
    """Play whole games in parallel: with two people, with three people, and with people against agents."""
    line_ups: list[list[str | None]] = [[None, None], [None, "greedy"], [None, None, None], [None, "random", None]]
    begun = time.perf_counter()
    answers = await asyncio.gather(*(whole_game(address, k, line_ups[k % len(line_ups)]) for k in range(games)))
    return _figures([second for one in answers for second in one], games, time.perf_counter() - begun)


async def answers(address: str, games: int) -> dict[str, Any]:
    """Play one person against ``greedy`` in each of many parallel games, thinking half a second per decision."""

    async def one(number: int) -> list[float]:
        id, (http, _) = await new_game(address, [None, "greedy"], number)
        seconds, rng = [], random.Random(number)
        stream = events(http, f"/api/games/{id}/events", {"seat": 0})
        sent: float | None = None
        async for event in stream:
            if event["is_over"]:
                break
            if event.get("choices"):
                if sent is not None:
                    seconds.append(time.perf_counter() - sent)
                await asyncio.sleep(rng.uniform(0.2, 0.8))
                body = {"seat": 0, "move": event["move"], "plan": rng.choice(event["choices"])["action"]}
                sent = time.perf_counter()
                await http.post(f"/api/games/{id}/act", json=body)
        await http.aclose()
        return seconds

    begun = time.perf_counter()
    found = await asyncio.gather(*(one(k) for k in range(games)))
    return _figures([second for one in found for second in one], games, time.perf_counter() - begun)


def _figures(seconds: list[float], games: int, wall: float) -> dict[str, Any]:
    ranked = sorted(seconds)
    return {
        "games": games,
        "answers": len(ranked),
        "seconds": round(wall, 1),
        "median_ms": round(1000 * statistics.median(ranked), 1),
        "p95_ms": round(1000 * ranked[int(0.95 * len(ranked))], 1),
        "longest_ms": round(1000 * ranked[-1], 1),
    }


async def kill(server: Server, address: str, games: int, times: int, seconds: float = 2.0) -> dict[str, Any]:
    """Kill the server repeatedly during games; every action that was acknowledged must be there exactly once."""
    made = [await new_game(address, [None, "random"], k) for k in range(games)]
    stopped = asyncio.Event()
    done = 0

    async def one(number: int) -> list[str]:
        id, (http, _) = made[number]
        rng, chosen, answered = random.Random(number), list[str](), 0
        while True:
            try:
                view = (await http.get(f"/api/games/{id}/view", params={"seat": 0})).json()
                if view["is_over"]:
                    return chosen
                if view["move"] < answered:
                    raise LostError(f"game {id}: {answered} actions were answered, {view['move']} are there")
                if not view["choices"]:
                    await asyncio.sleep(0.01)
                    continue
                # The number of the move tells whether an action without a response was played.
                plan = rng.choice(view["choices"])["action"]
                chosen[view["move"] :] = [plan]
                body = {"seat": 0, "move": view["move"], "plan": plan}
                if (await http.post(f"/api/games/{id}/act", json=body)).status_code == 200:
                    answered = len(chosen)
                await asyncio.sleep(rng.uniform(0, 0.3 if not stopped.is_set() else 0))
            except httpx2.HTTPError:
                await asyncio.sleep(0.05)

    async def killing() -> None:
        nonlocal done
        for _ in range(times):
            await asyncio.sleep(random.uniform(0.3, 1.0) * seconds)
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)
            done += 1
        stopped.set()

    begun = time.perf_counter()
    killer = asyncio.create_task(killing())
    chosen = await asyncio.gather(*(one(k) for k in range(games)))
    await killer
    for (id, (http, _)), own in zip(made, chosen, strict=True):
        record = (await http.get(f"/api/games/{id}/record")).json()
        played = [action.removeprefix("player_0 ") for action in record["actions"] if action.startswith("player_0 ")]
        if played != own:
            raise LostError(f"game {id}: played {played}, chosen {own}")
        await http.aclose()
    return {"games": games, "kills": done, "seconds": round(time.perf_counter() - begun, 1)}


class LostError(AssertionError):
    """An acknowledged action is missing, or is there twice."""


async def memory(server: Server, address: str, games: int) -> dict[str, Any]:
    """Measure the memory, in bytes, of each game that has begun and is not being viewed."""
    # The first games load code and data that all games share.
    first = 20
    for k in range(first):
        await _begun(address, k)
    before = server.memory()
    for k in range(games):
        await _begun(address, first + k)
    return {"games": games, "bytes_a_game": round((server.memory() - before) / games)}


async def _begun(address: str, number: int) -> None:
    """Create a game and play ten actions."""
    id, (http, _) = await new_game(address, [None, "random"], number)
    rng = random.Random(number)
    for _ in range(10):
        view = (await http.get(f"/api/games/{id}/view", params={"seat": 0})).json()
        if view["choices"]:
            plan = rng.choice(view["choices"])["action"]
            await http.post(f"/api/games/{id}/act", json={"seat": 0, "move": view["move"], "plan": plan})
    await http.aclose()


def main() -> None:
    """Run a measurement, and print its figures as JSON."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("what", choices=("load", "answers", "kill", "memory"))
    options.add_argument("--games", type=int, default=50)
    options.add_argument("--times", type=int, default=10)
    given = options.parse_args()
    with running() as (server, address):
        if given.what == "load":
            found = asyncio.run(load(address, given.games))
        elif given.what == "answers":
            found = asyncio.run(answers(address, given.games))
        elif given.what == "kill":
            found = asyncio.run(kill(server, address, given.games, given.times))
        else:
            found = asyncio.run(memory(server, address, given.games))
        if "answers" in found:
            found["processor_ms_an_answer"] = round(1000 * server.processor_seconds() / found["answers"], 1)
    print(json.dumps({given.what: found}))


if __name__ == "__main__":
    main()
