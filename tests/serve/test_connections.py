"""What bounds connections, and clients that go away."""

import asyncio
import contextlib
import socket
import threading
import time
from urllib.parse import urlsplit

import httpx2
import pytest

from romans_serve import command
from romans_serve.web import latest
from tests.serve.servers import new_service, people, rules_of, seats, serving
from tests.training.processes import wait_for


@pytest.fixture(autouse=True, scope="module")
def compiled_code():
    """Loaded before: what is compiled at a first request would outlast the time limits here."""
    service = new_service()
    asyncio.run(service.readiness.rules(rules_of("romans-go-home")))


def test_headers_that_do_not_end_are_refused():
    with serving(new_service()) as address:
        parts = urlsplit(address)
        with socket.create_connection((parts.hostname, parts.port), timeout=10) as endless:
            endless.sendall(b"GET /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nx: " + b"y" * 17_000)
            assert endless.recv(4096).startswith(b"HTTP/1.1 400 ")
        assert httpx2.get(f"{address}/api/games", headers={"x": "y" * 15_000}).status_code == 200


def test_there_are_no_more_connections_than_may_be(monkeypatch):
    monkeypatch.setattr(command, "MOST_CONNECTIONS", 3)
    with serving(new_service()) as address:
        kept = [httpx2.Client(base_url=address) for _ in range(2)]
        assert [http.get("/api/games").status_code for http in kept] == [200, 200]
        assert httpx2.get(f"{address}/api/games").status_code == 503
        for http in kept:
            http.close()
        wait_for(lambda: httpx2.get(f"{address}/api/games").status_code == 200, 10)


@pytest.fixture
def thinking(monkeypatch):
    """A server whose hints and reviews take a minute: the service, and those that were begun and ended."""
    monkeypatch.setattr(latest, "LOOK_FOR_CLIENT", 0.02)
    service, begun, ended = new_service(), [], []

    async def think(of, *_):
        begun.append(of)
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(of)

    service.thinker.hint = service.thinker.review = think
    # Agents are imported before requests have a time limit.
    service.thinker.check("random", "romans-go-home")
    return service, begun, ended


def test_a_hint_is_given_up_with_who_asked_for_it(thinking):
    service, _, ended = thinking
    with serving(service) as address, httpx2.Client(base_url=address) as http:
        made = http.post("/api/games", json={"game": "romans-go-home", "setup": "2+0", "seats": people(None, None)})
        path, body = f"/api/games/{made.json()['id']}/hint", {"seat": 0, "move": 0, "agent": "random"}
        with pytest.raises(httpx2.ReadTimeout):
            http.post(path, json=body, timeout=0.3)
        wait_for(lambda: ended == ["random"], 5)


def test_a_review_is_given_up_with_the_last_who_waits_for_it_and_holds_no_other_one_up(thinking, monkeypatch):
    service, begun, ended = thinking
    monkeypatch.setattr(latest, "MOST_MAKING", 2)

    async def finished():
        created = await service.create("romans-go-home", "2+0", {}, seats(None, None))
        live = await service.live(created.id)
        while not live.served.game.is_over:
            live.served.act(live.served.game.legal_actions()[0])
        return created.id

    ids = [asyncio.run(finished()) for _ in range(3)]

    def asked(address, id, seconds):
        with contextlib.suppress(httpx2.ReadTimeout):
            httpx2.get(f"{address}/api/games/{id}/review", timeout=seconds)

    with serving(service) as address:
        waiting = [threading.Thread(target=asked, args=(address, ids[k], 0.3 + k)) for k in (0, 0, 1)]
        for thread in waiting:
            thread.start()
        wait_for(lambda: len(begun) == 2, 5)
        assert httpx2.get(f"{address}/api/games/{ids[2]}/review").status_code == 429
        wait_for(lambda: len(ended) == 1, 5)
        assert len(begun) == 2
        wait_for(lambda: len(ended) == 2, 5)
        for thread in waiting:
            thread.join()


def test_a_seat_is_given_one_hint_at_a_time():
    service = new_service()

    async def asked(spec, view, seed):
        await asyncio.sleep(1.0)
        return await type(service.thinker).hint(service.thinker, spec, view, seed)

    service.thinker.hint = asked
    with serving(service) as address, httpx2.Client(base_url=address) as http:
        made = http.post("/api/games", json={"game": "romans-go-home", "setup": "2+0", "seats": people(None, None)})
        path, body = f"/api/games/{made.json()['id']}/hint", {"seat": 0, "move": 0, "agent": "random"}
        found = []
        first = threading.Thread(target=lambda: found.append(http.post(path, json=body).status_code))
        first.start()
        while not service._live[made.json()["id"]].hints:
            time.sleep(0.01)
        with httpx2.Client(base_url=address, cookies=http.cookies) as other:
            again = other.post(path, json=body)
        first.join()
        assert again.status_code == 429 and "is already being prepared" in again.json()["error"]
        assert found == [200]
