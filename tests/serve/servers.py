"""Servers for tests, and clients of theirs."""

import asyncio
import contextlib
import random
import threading
import time
from dataclasses import dataclass

import httpx2
import uvicorn

import romans_agents
from romans_agents.permission import allowing
from romans_env.core.games import spec_of
from romans_serve.command import server_settings
from romans_serve.games.service import NewSeat, Service
from romans_serve.games.store import GameStore
from romans_serve.thinkers.reviewing import reviewed
from romans_serve.thinking import AgentOffer, GameOffer, Hint, SetupOffer, ThinkingError
from romans_serve.web.app import make_app
from romans_training.compare.annotations import annotation_of

BASE = "http://127.0.0.1:8000"
OFFERS = (
    GameOffer(
        "romans-go-home",
        (
            SetupOffer("2+0", {}),
            SetupOffer("2+1", {"num_players": 2, "num_neutrals": 1}),
            SetupOffer("3+0", {"num_players": 3}),
            SetupOffer("1+1", {"num_players": 1, "num_neutrals": 1}),
            SetupOffer("4+0", {"num_players": 4}),
        ),
        agents=(AgentOffer("greedy", "a scripted agent", 3), AgentOffer("random", "any action", 1)),
        opponent="greedy",
        adviser="random",
    ),
    GameOffer("roma", (SetupOffer("Roma", {}),), agents=(AgentOffer("raider", level=2), AgentOffer("random"))),
    GameOffer(
        "struggle",
        (SetupOffer("2 rounds", {"num_players": 3, "max_rounds": 2}),),
        agents=(AgentOffer("random", "any action"),),
    ),
    GameOffer("dice-race", (SetupOffer("10 turns", {}),)),
)
REVIEWERS = {"roma": "policy-rollouts:iterations=16", "dice-race": "flat-mc:iterations=16"}
GAMES = {"romans-go-home": "2+0", "roma": "Roma", "struggle": "2 rounds", "dice-race": "10 turns"}
"""A setup of each game."""


class InProcess:
    """A thinker whose agents play in this process; ``slow`` takes its time, ``broken`` fails, ``wrong`` is illegal."""

    def __init__(self):
        self._agents = {}

    def check(self, spec, game):
        if spec not in ("slow", "broken", "wrong"):
            with allowing("none"):
                romans_agents.make(spec, game=game)

    async def prepare(self, kind, spec, view, told):
        pass

    async def rest(self):
        pass

    async def act(self, spec, view, seed):
        if spec == "broken":
            raise ThinkingError("it fails")
        if spec == "wrong":
            return -7
        if spec == "slow":
            await asyncio.sleep(0.1)
            return view.legal_actions()[0]
        return int(self._made(spec, view, seed).act(view))

    async def hint(self, spec, view, seed):
        if spec == "broken":
            raise ThinkingError("it fails")
        opinion = annotation_of(self._made(spec, view, seed), view)
        return Hint(spec, dict(opinion.probabilities), opinion.value)

    async def review(self, rules, record, on_part):
        if rules.name not in REVIEWERS:
            raise ThinkingError("it fails")
        return reviewed(record, REVIEWERS[rules.name], on_part)

    def _made(self, spec, view, seed):
        key = spec, view.rules.name
        if key not in self._agents:
            self._agents[key] = romans_agents.make(spec, game=view.rules.name)
        self._agents[key].seed(seed)
        return self._agents[key]


def new_service(path=":memory:", **options):
    return Service(GameStore(path), InProcess(), OFFERS, **options)


def rules_of(game, setup=None):
    offer = next(one for one in OFFERS if one.game == game)
    return spec_of(game).make_rules(**offer.settings(setup or GAMES[game], {}))


@contextlib.asynccontextmanager
async def browsers(service=None, **options):
    """Clients of a server in this process: each call makes a browser of its own."""
    served = make_app(service or new_service(), **options)
    async with contextlib.AsyncExitStack() as opened:

        def browser(**headers):
            client = httpx2.AsyncClient(transport=httpx2.ASGITransport(served), base_url=BASE, headers=headers)
            opened.push_async_callback(client.aclose)
            return client

        yield browser


@contextlib.contextmanager
def serving(service, **options):
    """A server on a free port of this machine, in a thread of its own; gives its address."""
    config = server_settings(make_app(service, **options))
    config.port = 0
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(timeout=10)


@dataclass
class Player:
    """A scripted client in one seat of a game."""

    client: httpx2.AsyncClient
    id: str
    seat: int
    rng: random.Random

    async def view(self):
        reply = await self.client.get(f"/api/games/{self.id}/view", params={"seat": self.seat})
        assert reply.status_code == 200, reply.text
        return reply.json()

    async def act(self, view):
        """Choose any action of a view in which the seat must decide; the answer."""
        plan = self.rng.choice(view["choices"])["action"]
        body = {"seat": self.seat, "move": view["move"], "plan": plan}
        return await self.client.post(f"/api/games/{self.id}/act", json=body)


def people(*agents):
    """Seats of a game that is created: None for a person."""
    return [{"agent": agent} for agent in agents]


def seats(*agents):
    """Seats for the service: None for a person."""
    return [NewSeat(agent) for agent in agents]
