"""Browsers that are slow to receive what they are sent."""

import json

import pytest

from romans_serve.errors import TooManyError
from romans_serve.games import streams
from romans_serve.games.streams import Stream, Streams
from tests.serve.servers import new_service, seats

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(streams, "MOST_WAITING", 5_000)
    monkeypatch.setattr(streams, "MOST_WAITING_IN_ALL", 12_000)


def put(stream, number, size=1_000):
    stream.put("look", {"serial": number, "picture": {"bands": [[1, "a" * 5], [number, "b" * size]]}})


def read(text):
    kind, data = text.removeprefix("event: ").split("\ndata: ")
    event = json.loads(data)
    return kind, event["serial"], [band is not None for band in event["picture"]["bands"]]


def whole(number):
    return lambda: {"serial": number, "picture": {"bands": [[1, "a" * 5], [number, "b"]]}}


async def test_a_page_that_is_too_slow_is_sent_a_whole_view_and_then_what_changes():
    all_of_them = Streams()
    stream = Stream("player_0", False, all_of_them)
    texts = stream.texts(whole(0))
    assert read(await anext(texts)) == ("view", 0, [True, True])
    for number in range(1, 4):
        put(stream, number)
    assert [read(await anext(texts)) for _ in range(3)] == [("look", k, [False, True]) for k in (1, 2, 3)]
    for number in range(4, 100):
        put(stream, number)
        assert all_of_them.waiting < 7_000
    texts = stream.texts(whole(99))
    assert read(await anext(texts)) == ("view", 99, [True, True])
    put(stream, 100)
    while (text := await anext(texts)) == "":
        continue
    assert read(text) == ("look", 100, [False, True])
    stream.close()
    assert all_of_them.waiting == 0


async def test_all_pages_together_are_bounded_and_those_that_read_are_not_cut():
    all_of_them = Streams()
    unread = [Stream("player_0", False, all_of_them) for _ in range(20)]
    reading = Stream("player_1", False, all_of_them)
    texts = reading.texts(whole(0))
    await anext(texts)
    for number in range(1, 10):
        for stream in unread:
            put(stream, number, size=1_500)
            assert all_of_them.waiting <= 14_000
        put(reading, number)
        assert read(await anext(texts)) == ("look", number, [False, True])


async def test_no_page_more_looks_on_while_others_do_not_read():
    service = new_service()
    live = await service.live((await service.create("dice-race", "10 turns", {}, seats(None, None))).id)
    stream = service.open_stream(live, "player_0")
    await anext(stream.texts(lambda: {"picture": {"bands": ["x" * 20_000]}}))
    with pytest.raises(TooManyError, match="are slow to receive"):
        service.check_streams(live)
    service.close_stream(live, stream)
    service.check_streams(live)
