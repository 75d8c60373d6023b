"""Connections that never come to their request, more of them than there is room for, and clients that go away."""

import asyncio
import contextlib
import errno
import socket
import threading
import time
from urllib.parse import urlsplit

import httpx2
import pytest

from romans_serve import app, connections
from romans_serve.connections import BoundedProtocol, room_for_connections, warn_seldom
from tests.serve.servers import new_service, people, rules_of, seats, serving
from tests.training.processes import wait_for

HALF = b"GET /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\n"


@pytest.fixture(autouse=True, scope="module")
def compiled_code():
    """Loaded before: what is compiled at a first request would outlast the time limits here."""
    service = new_service()
    asyncio.run(service.ready(rules_of("romans-go-home")))


def opened(address, sent=b""):
    parts = urlsplit(address)
    connection = socket.create_connection((parts.hostname, parts.port), timeout=5)
    connection.sendall(sent)
    return connection


def is_closed(connection):
    try:
        return connection.recv(4096) == b""
    except ConnectionResetError:
        return True


@pytest.mark.parametrize("sent", [b"", HALF, HALF + b"\r\n" + HALF], ids=["nothing", "half", "half after a whole one"])
def test_a_request_that_does_not_end_is_given_up(monkeypatch, sent):
    monkeypatch.setattr(connections, "SECONDS_FOR_HEADERS", 0.3)
    with serving(new_service(), http=BoundedProtocol) as address:
        slow, started = opened(address, sent), time.monotonic()
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            # A letter now and then does not give it more time.
            for _ in range(3):
                time.sleep(0.05)
                if sent:
                    slow.sendall(b"x")
        while not is_closed(slow):
            assert time.monotonic() - started < 4
        assert httpx2.get(f"{address}/api/games").status_code == 200


def test_an_answer_that_takes_long_is_not_given_up(monkeypatch):
    monkeypatch.setattr(connections, "SECONDS_FOR_HEADERS", 1.0)
    with serving(new_service(), http=BoundedProtocol) as address, httpx2.Client(base_url=address) as http:
        made = http.post("/api/games", json={"game": "romans-go-home", "setup": "2+0", "seats": people(None, None)})
        with http.stream("GET", f"/api/games/{made.json()['id']}/events?seat=0") as reply:
            events = reply.iter_lines()
            assert next(events) == "event: view"
            time.sleep(1.4)
            body = {"seat": 0, "move": 0, "plan": "discard:nobody"}
            assert httpx2.post(f"{address}/api/games/x/act", json=body).status_code == 404
            view = httpx2.get(f"{address}/api/games/{made.json()['id']}/view?seat=0", cookies=dict(http.cookies)).json()
            body["plan"] = view["choices"][0]["action"]
            # Another connection, as the first one is taken.
            with httpx2.Client(base_url=address, cookies=http.cookies) as other:
                assert other.post(f"/api/games/{made.json()['id']}/act", json=body).status_code == 200
            assert any(line == "event: look" for line in (next(events) for _ in range(10)))


def test_there_are_no_more_connections_than_there_is_room_for(monkeypatch):
    monkeypatch.setattr(BoundedProtocol, "most", 5)
    with serving(new_service(), http=BoundedProtocol) as address:
        kept = [opened(address, HALF) for _ in range(5)]
        time.sleep(0.2)
        assert is_closed(opened(address, HALF))
        kept.pop().close()
        deadline, answered = time.monotonic() + 10, None
        while answered is None:
            assert time.monotonic() < deadline
            with contextlib.suppress(httpx2.TransportError):
                answered = httpx2.get(f"{address}/api/games").status_code
        assert answered == 200
        for connection in kept:
            connection.close()


def test_the_limit_of_file_descriptors_is_raised_as_far_as_it_may_be():
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(256, before[1]), before[1]))
        room = room_for_connections()
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        assert 8 <= room <= soft - 64 and soft >= 256
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_a_lack_of_file_descriptors_is_said_once(caplog):
    loop = asyncio.new_event_loop()
    try:
        warn_seldom(loop)
        for _ in range(5):
            loop.call_exception_handler({"message": "m", "exception": OSError(errno.EMFILE, "Too many open files")})
        assert len(caplog.records) == 1 and "ulimit -n" in caplog.text
        loop.call_exception_handler({"message": "another one", "exception": OSError(errno.EIO, "broken")})
        assert len(caplog.records) == 2 and "another one" in caplog.text
    finally:
        loop.close()


@pytest.fixture
def thinking(monkeypatch):
    """A server whose hints and reviews take a minute: the service, and those that were begun and ended."""
    monkeypatch.setattr(app, "_LOOK_FOR_CLIENT", 0.02)
    service, begun, ended = new_service(), [], []

    async def think(of, *_):
        begun.append(of)
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(of)

    service.thinker.hint = service.thinker.review = think
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
    monkeypatch.setattr(app, "_MOST_MAKING", 2)

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


def test_a_client_that_does_not_read_its_answer_is_given_up(monkeypatch):
    monkeypatch.setattr(connections, "SECONDS_TO_READ", 0.3)
    monkeypatch.setattr(app, "_part", lambda name: "x" * 2**24)
    request = b"GET /page.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with serving(new_service(), http=BoundedProtocol) as address:
        unread, read = opened(address, request), opened(address, request)
        got = 0
        while got < 2**24:
            got += len(read.recv(2**16))
        time.sleep(0.6)
        received = 0
        with contextlib.suppress(ConnectionResetError):
            while part := unread.recv(2**16):
                received += len(part)
        assert received < 2**24


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
        assert again.status_code == 429 and "is being made already" in again.json()["error"]
        assert found == [200]
