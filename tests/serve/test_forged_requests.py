"""Malformed and forged requests, made from the API's own description.

None is a fault of the server, none changes a game that is not the sender's, and none tells anything.

``ROMANS_FORGED=5000`` sends so many.
"""

import json
import os
import random
import string

import httpx2
import pytest

from romans_serve.web.app import make_app
from tests.serve.servers import BASE, new_service, people

REQUESTS = int(os.environ.get("ROMANS_FORGED", "400"))
NUMBERS = (None, True, False, 0, -1, 1, 15, 16, 2**31, 2**63, 10**40, 1.5, float("nan"), float("inf"))
NAMES = ("romans-go-home", "2+0", "random", "greedy", "place:axx", "discard:axx")
TEXTS = (
    "",
    " ",
    "a",
    "\0",
    "\ud800",
    "\u202e",
    "x" * 300,
    "../../etc/passwd",
    "..%2f..%2fetc/passwd",
    "my_bot.py:Bot",
    "policy:/etc/passwd",
    "flat-mc:iterations=999999999999",
    "'; DROP TABLE games;--",
    "<script>alert(1)</script>",
)
CONTAINERS = (
    [],
    {},
    [[]],
    [{}],
    {"agent": None},
    [{"agent": "random"}] * 2,
    [{}, {"agent": "greedy"}],
    {"variant": "vogel"},
    {"variant": "x"},
    {"__proto__": 1},
    [None] * 100,
)
ODD = (*NUMBERS, *NAMES, *TEXTS, *CONTAINERS)
PATHS = (
    "/api/games/../../etc/passwd",
    "/games/..%2f..%2f",
    "/page.js/../../store.py",
    "/api//games",
    "/boards/../page.css",
    "/boards/%00.css",
    "/api/rules/%2e%2e",
    "/games/%ff",
    "/api/games/" + "a" * 5000,
    "/static/page.js",
    "/docs",
)
HEADERS = (
    {},
    {},
    {},
    {"origin": "http://romans.example"},
    {"host": "romans.example"},
    {"sec-fetch-site": "cross-site"},
    {"content-type": "text/plain"},
    {"content-type": "multipart/form-data; boundary=x"},
    {"content-length": "99999999"},
    {"cookie": "seat_0=" + "x" * 3000},
    {"cookie": 'host="\\000"; seat_0=; ; =; seat_1=\xff'},
    {"accept-encoding": "x"},
    {"range": "bytes=0-1"},
    {"last-event-id": "\x7f"},
)


def resolved(schema, whole):
    while "$ref" in schema:
        schema = whole["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema


def some_value(schema, whole, rng, depth=0):
    """A value that fits a schema more or less."""
    schema = resolved(schema, whole)
    if rng.random() < 0.25 or depth > 5:
        return rng.choice(ODD)
    if "anyOf" in schema:
        return some_value(rng.choice(schema["anyOf"]), whole, rng, depth + 1)
    kind = schema.get("type")
    if kind == "object":
        known = schema.get("properties", {})
        made = {name: some_value(one, whole, rng, depth + 1) for name, one in known.items() if rng.random() < 0.9}
        if rng.random() < 0.1:
            made[rng.choice(string.ascii_letters)] = rng.choice(ODD)
        return made
    if kind == "array":
        return [some_value(schema["items"], whole, rng, depth + 1) for _ in range(rng.randint(0, 4))]
    if kind == "integer":
        return rng.randint(-2, 20)
    if kind == "number":
        return rng.choice([-1, 0, 0.3, 1, 3, 1e308])
    if kind == "boolean":
        return rng.random() < 0.5
    return "".join(rng.choices(string.printable, k=rng.randint(0, 30)))


def some_body(operation, whole, rng):
    if rng.random() < 0.1:
        return rng.choice([b"", b"{", b"\xff\xfe", b"[" * 20_000, b'{"a":' * 5_000, b" " * 70_000, b"null", b"NaN"])
    schema = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    body = some_value(schema, whole, rng)
    return json.dumps(body, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")


def some_request(described, ids, rng):
    """Method, path, body and headers."""
    headers = dict(rng.choice(HEADERS))
    if rng.random() < 0.05:
        return rng.choice(["GET", "POST", "PUT", "DELETE", "OPTIONS", "HEAD", "TRACE"]), rng.choice(PATHS), b"", headers
    path = rng.choice([one for one in described["paths"] if not one.endswith("/events")])
    method = rng.choice(list(described["paths"][path]))
    operation = described["paths"][path][method]
    known = [*ids, *ids, "a", "0" * 32, "%2e%2e", "romans-go-home"]
    path = path.replace("{id}", rng.choice(known)).replace("{game}", rng.choice(["roma", "romans-go-home", "%00", "x"]))
    if rng.random() < 0.5:
        path += rng.choice(["?seat=0", "?seat=1", "?seat=-1", "?seat=99999999999999999999", "?seat=%00", "?seat[]=0"])
    headers = {"content-type": "application/json", **headers}
    return method.upper(), path, some_body(operation, described, rng) if method != "get" else b"", headers


@pytest.mark.anyio
async def test_no_forged_request_is_a_fault_changes_a_game_or_learns_anything():
    service = new_service()
    transport = httpx2.ASGITransport(make_app(service), raise_app_exceptions=True)
    async with (
        httpx2.AsyncClient(transport=transport, base_url=BASE) as owner,
        httpx2.AsyncClient(transport=transport, base_url=BASE) as stranger,
    ):
        described = (await owner.get("/openapi.json")).json()
        games, states = [], {}
        for setup, agents in (("2+0", (None, None)), ("3+0", (None, None, None))):
            body = {"game": "romans-go-home", "setup": setup, "seats": people(*agents)}
            games.append((await owner.post("/api/games", json=body)).json()["id"])
        for id in games:
            view = (await owner.get(f"/api/games/{id}/view?seat=0")).json()
            plan = view["choices"][2]["action"]
            await owner.post(f"/api/games/{id}/act", json={"seat": 0, "move": 0, "plan": plan})
            live = await service.live(id)
            states[id] = live.served.game.states.tobytes(), live.served.entries, service.store.entries(id)
        tokens = [token for id in games for token in (await service.live(id)).tokens.values()]
        hidden = {word for id in games for word in _hidden((await service.live(id)).served.game)}
        rng = random.Random(1)
        for number in range(REQUESTS):
            method, path, body, headers = some_request(described, games, rng)
            try:
                request = stranger.build_request(method, path, content=body, headers=headers)
            except (httpx2.InvalidURL, UnicodeEncodeError):
                continue
            reply = await stranger.send(request)
            about = number, method, path, headers, body[:300], reply.status_code, reply.text[:300]
            assert reply.status_code < 500, about
            assert not any(token in reply.text for token in tokens), about
            if reply.status_code >= 400 and method != "HEAD":
                assert "Traceback" not in reply.text and "\n" not in json.loads(reply.text)["error"], about
            if "/view" in path and reply.status_code == 200:
                shown = json.dumps([reply.json()["log"], reply.json()["spots"], reply.json()["picture"]])
                assert not any(f">{word}<" in shown for word in hidden), about
            stranger.cookies.clear()
        for id in games:
            live = await service.live(id)
            now = live.served.game.states.tobytes(), live.served.entries, service.store.entries(id)
            assert now == states[id]
    await service.close()


def _hidden(game):
    """The titles of the warriors that are in hands, laid, or set aside."""
    from romans_env.render.romans_go_home.sentences import WARRIOR_TITLES

    for cards in game.position()["clans"].values():
        for name in [*cards["hand"], *cards["hidden"], cards["set_aside"]]:
            if name is not None:
                yield WARRIOR_TITLES[name]
