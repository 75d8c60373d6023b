"""Many games at once: none is mixed up with another, nothing hidden is sent, and a killed server loses nothing."""

import asyncio
import random

import httpx2
import pytest

from benchmarks import serve_load
from romans_env.core import games
from romans_serve.games.service import Service
from romans_serve.games.store import GameStore
from romans_serve.thinking import GameOffer, SetupOffer
from tests.serve.canary import NUMBERS, SPEC
from tests.serve.servers import InProcess, new_service, serving


def test_many_games_at_once_are_whole_and_give_nothing_away():
    with serving(new_service()) as address:
        found = asyncio.run(serve_load.load(address, 4))
    assert found["games"] == 4 and found["answers"] > 100


def test_the_search_for_hidden_warriors_finds_one():
    watch = serve_load.Watch(["you", "greedy"], 0)
    bands = [[33, ""], [101, ""], [95, "<text>greedy</text>"], [95, "<text>Axx</text>"]]
    event = {"log": {"start": 0, "lines": ["== Round 1 =="]}, "picture": {"bands": bands}, "spots": []}
    watch.take(event)
    later = {**event, "log": {"start": 1, "lines": ["Turn 1, for Dinary 3: you Axx, greedy Zvord"]}}
    watch.take({**later, "picture": {"bands": [None, None, [95, "<text>Zvord</text>"], None]}})
    with pytest.raises(serve_load.LeakError, match="Filchy"):
        watch.take({**later, "picture": {"bands": [None, None, [95, "<text>Filchy</text>"], None]}})


@pytest.fixture
def canary():
    games.register(SPEC)
    yield
    games.unregister(SPEC.name)


@pytest.mark.usefixtures("canary")
def test_no_byte_that_a_viewer_is_sent_holds_the_secret_of_another():
    """Streams, views, answers to stale and forged actions, errors, lists, pages: all is searched."""
    offer = GameOffer("canary", (SetupOffer("10 turns", {}),))
    with serving(Service(GameStore(":memory:"), InProcess(), [offer])) as address:
        secrets, sent = asyncio.run(_play_canary(address))
    assert len(set(secrets)) == 2
    for viewer, text in sent.items():
        own = {secrets[viewer]} if viewer is not None else set()
        found = {secret for secret in secrets if secret in text}
        assert found == own, viewer
        assert len(text) > 5_000


async def _play_canary(address):
    """A game of two people; the secrets, and by viewer all text that was sent before the end."""
    sent = {0: "", 1: "", None: ""}
    rng = random.Random(0)

    async def kept(viewer, reply):
        await reply.aread()
        sent[viewer] += reply.text + str(reply.headers)
        return reply

    async with httpx2.AsyncClient(base_url=address) as host:
        body = {"game": "canary", "setup": "10 turns", "seats": [{"here": False}] * 2}
        made = (await host.post("/api/games", json=body)).json()
    path = f"/api/games/{made['id']}"
    clients = {viewer: httpx2.AsyncClient(base_url=address, timeout=None) for viewer in sent}
    for link in made["links"]:
        token = link["path"].partition("#")[2]
        await kept(link["seat"], await clients[link["seat"]].post(f"{path}/join", json={"token": token}))

    async def follow(viewer):
        params = {} if viewer is None else {"seat": viewer}
        async with clients[viewer].stream("GET", f"{path}/events", params=params) as reply:
            async for text in reply.aiter_text():
                if '"is_over":true' in text:
                    return
                sent[viewer] += text

    following = [asyncio.create_task(follow(viewer)) for viewer in clients]
    for turn in range(10):
        for viewer, client in clients.items():
            seat = {} if viewer is None else {"seat": viewer}
            await kept(viewer, await client.get(f"{path}/view", params=seat))
            await kept(viewer, await client.get(path))
            await kept(viewer, await client.get("/api/games"))
            await kept(viewer, await client.get(f"{path}/record"))
            await kept(viewer, await client.get(f"{path}/replay"))
            for other in range(2):
                # A stale action, or one of another seat, or out of turn.
                forged = {"seat": other, "move": rng.randint(50, 90), "plan": "name:0"}
                for way in ("act", "undo", "hint"):
                    extra = forged if way == "act" else {"seat": other, "move": forged["move"]}
                    reply = await kept(viewer, await client.post(f"{path}/{way}", json=extra))
                    assert reply.status_code in (403, 409)
                await kept(viewer, await client.get(f"{path}/view", params={"seat": other}))
        acting = turn % 2
        view = (await clients[acting].get(f"{path}/view", params={"seat": acting})).json()
        body = {"seat": acting, "move": view["move"], "plan": rng.choice(view["choices"])["action"]}
        reply = await clients[acting].post(f"{path}/act", json=body)
        assert reply.json()["played"] == 1
        if turn < 9:
            await kept(acting, reply)
    await asyncio.wait_for(asyncio.gather(*following), 20)
    record = (await clients[None].get(f"{path}/record")).json()
    for client in clients.values():
        await client.aclose()
    secrets = record["deal"]["outcomes"][:2]
    assert set(secrets) <= set(NUMBERS)
    return secrets, sent


def test_a_server_that_is_killed_goes_on_where_it_was():
    with serve_load.running("tests.serve.plain_server") as (server, address):
        found = asyncio.run(serve_load.kill(server, address, games=4, times=1, seconds=0.5))
    assert found["kills"] == 1
