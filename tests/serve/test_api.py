"""The interface over HTTP: who may do what, and what is answered."""

import asyncio
import json
import random
import re
from importlib import resources

import pytest

import romans_env
from romans_env.core.games import spec_of
from romans_serve.games.service import Limits, Service
from romans_serve.games.store import GameStore
from romans_serve.thinking import Count
from tests.serve.servers import BASE, GAMES, OFFERS, REVIEWERS, InProcess, Player, browsers, new_service, people

pytestmark = pytest.mark.anyio
MODULES = tuple(f"/{file.name}" for file in resources.files("romans_serve.page").iterdir() if file.name.endswith(".js"))


async def created(client, game="romans-go-home", seats=(None, "greedy"), **more):
    body = {"game": game, "setup": GAMES[game], "seats": people(*seats), **more}
    reply = await client.post("/api/games", json=body)
    assert reply.status_code == 201, reply.text
    return reply.json()


async def finished(client, game, seat=0, seed=0):
    """Play a game to its end against agents; the last view."""
    player = Player(client, game["id"], seat, random.Random(seed))
    for _ in range(20_000):
        view = await player.view()
        if view["is_over"]:
            return view
        if view["choices"]:
            assert (await player.act(view)).status_code == 200
        else:
            await asyncio.sleep(0)
    raise AssertionError("the game does not end")


@pytest.mark.parametrize(("game", "agent"), [("romans-go-home", "greedy"), ("dice-race", "random")])
async def test_a_whole_game_is_played_and_its_record_replays(browser, game, agent):
    me, other = browser(), browser()
    made = await created(me, game, (None, agent))
    running = await me.get(f"/api/games/{made['id']}/record")
    assert running.status_code == 409 and "not over" in running.json()["error"]
    for part in ("replay", "review", "review/events", "review/page"):
        assert (await me.get(f"/api/games/{made['id']}/{part}")).status_code == 409
    view = await finished(me, made)
    assert view["result"] and "Points" in view["why"]
    record = (await other.get(f"/api/games/{made['id']}/record")).json()
    assert romans_env.replay(record).is_over
    assert record["agents"] == {"player_0": "human", "player_1": agent}
    page = await other.get(f"/api/games/{made['id']}/replay")
    assert "sandbox allow-scripts" in page.headers["content-security-policy"]
    assert '<script id="data"' in page.text
    said = await other.get(f"/api/games/{made['id']}/review")
    if game in REVIEWERS:
        # Of the choices of people alone, in the words of who asks.
        assert set(said.json()["totals"]) == {"player_0"} and said.json()["sentences"][0].startswith("player 1 ")
        own = (await me.get(f"/api/games/{made['id']}/review?seat=0")).json()
        assert own["sentences"][0].startswith("You ") and len(own["mistakes"]) == len(said.json()["mistakes"])
        page = await other.get(f"/api/games/{made['id']}/review/page")
        assert "sandbox allow-scripts" in page.headers["content-security-policy"] and "review" in page.text
    else:
        assert said.status_code == 400 and said.json()["error"] == "there is no review: it fails"
    listed = (await other.get("/api/games")).json()
    assert listed[0]["id"] == made["id"] and listed[0]["is_over"] and listed[0]["winners"]


async def test_the_creator_plays_again_with_the_same_setup_and_seats(browser):
    host, stranger = browser(), browser()
    made = await created(host, "romans-go-home", (None, "greedy"))
    assert (await stranger.post(f"/api/games/{made['id']}/again")).status_code == 403
    again = (await host.post(f"/api/games/{made['id']}/again")).json()
    assert again["id"] != made["id"] and again["seats"] == [0]
    one, other = [(await host.get(f"/api/games/{game['id']}")).json() for game in (made, again)]
    assert {key: one[key] for key in ("setup", "players")} == {key: other[key] for key in ("setup", "players")}
    assert (await host.get(f"/api/games/{again['id']}/view?seat=0")).json()["choices"]


async def test_a_narrow_screen_has_pictures_of_its_own_which_show_no_more(browser):
    me, other = browser(), browser()
    made = await created(me, "romans-go-home", (None, "greedy"))
    own = (await me.get(f"/api/games/{made['id']}/view?seat=0&narrow=true")).json()
    assert own["picture"]["sheets"] == [[360, 4]] and own["spots"]
    theirs = (await other.get(f"/api/games/{made['id']}/view?narrow=true")).json()
    assert not any("in hand" in spot["name"] for spot in theirs["spots"])
    hand = {spot["name"].partition(" ")[0] for spot in own["spots"] if "in hand" in spot["name"]}
    shown = "".join(svg for _, svg in theirs["picture"]["bands"])
    assert hand and not any(f">{name}<" in shown for name in hand)


async def test_pictures_of_the_first_screen_are_files(browser):
    me = browser()
    shipped = [offer["game"] for offer in (await me.get("/api/offers")).json() if offer["has_picture"]]
    assert shipped == ["romans-go-home", "roma", "struggle"]
    for game in shipped:
        reply = await me.get(f"/{game}.svg")
        assert reply.headers["content-type"].startswith("image/svg+xml") and reply.text.startswith("<svg ")
    for path in ("/dice-race.svg", "/other.js", "/__init__.py", "/..%5Capp.js", "/api/ready/chess"):
        assert (await me.get(path)).status_code == 404
    for game in ("dice-race", "struggle"):
        assert (await me.get(f"/api/ready/{game}")).json() == {"is_ready": False, "preparing": None}
    await created(me, "dice-race", (None, "random"))
    assert (await me.get("/api/ready/dice-race")).json() == {"is_ready": True, "preparing": None}


async def test_who_waits_for_an_agent_that_is_compiled_is_told_how_much_is_ready_and_nobody_else():
    class Slow(InProcess):
        is_there = compiles = None

        async def prepare(self, kind, spec, view, told):
            await self.compiles.wait()
            told(Count(9, 14))
            await self.is_there.wait()

    thinker = Slow()

    async with browsers(Service(GameStore(":memory:"), thinker, OFFERS)) as browser:
        me, thinker.is_there, thinker.compiles = browser(), asyncio.Event(), asyncio.Event()
        told = {"ready": 9, "of": 14}

        async def waiting(game):
            views = {seat: await me.get(f"/api/games/{game}/view{seat}") for seat in ("?seat=0", "?seat=1", "")}
            return [view.json()["preparing"] for view in views.values() if view.status_code == 200]

        async def until(game, expected):
            while await waiting(game) != expected:
                await asyncio.sleep(0.01)

        people, agents = [(await created(me, seats=seats))["id"] for seats in ((None, None), ("greedy", "greedy"))]
        asked = asyncio.create_task(me.post(f"/api/games/{people}/hint", json={"seat": 0, "move": 0}))
        # While nothing is compiled, however long it takes, nothing is said.
        await asyncio.sleep(0.5)
        assert await waiting(people) == [None] * 3 and await waiting(agents) == [None]
        assert (await me.get("/api/ready/romans-go-home")).json()["preparing"] is None
        thinker.compiles.set()
        await until(agents, [told])
        await until(people, [told, None, None])
        assert (await me.get("/api/ready/romans-go-home")).json()["preparing"] == told
        thinker.is_there.set()
        assert (await asked).json()["agent"] == "random"
        await until(people, [None] * 3)
        await until(agents, [None])
        assert (await me.get("/api/ready/romans-go-home")).json()["preparing"] is None


async def test_what_is_asked_for_is_prepared_where_it_is_asked():
    """Games do not wait for an agent that is compiled for a hint, or for a review."""

    class Noted(InProcess):
        def __init__(self):
            super().__init__()
            self.prepared = []

        async def prepare(self, kind, spec, view, told):
            self.prepared.append((kind, spec))

    thinker = Noted()
    async with browsers(Service(GameStore(":memory:"), thinker, OFFERS)) as browser:
        me = browser()
        made = await created(me, "dice-race", (None, "random"))
        await me.post(f"/api/games/{made['id']}/hint", json={"seat": 0, "move": 0, "agent": "flat-mc:iterations=2"})
        await finished(me, made)
        assert (await me.get(f"/api/games/{made['id']}/review")).status_code == 200
    reviewer = spec_of("dice-race").reviewer
    assert set(thinker.prepared) == {("hint", "flat-mc:iterations=2"), ("act", "random"), ("review", reviewer)}


async def test_a_seat_is_a_cookie_that_no_script_reads_and_its_private_link(browser):
    host, friend, stranger = browser(), browser(), browser()
    body = {"game": "romans-go-home", "setup": "2+0", "seats": [{}, {"here": False, "name": "Ann"}]}
    reply = await host.post("/api/games", json=body)
    cookies = reply.headers.get_list("set-cookie")
    id = reply.json()["id"]
    assert len(cookies) == 2 and reply.json()["seats"] == [0]
    for cookie in cookies:
        assert "HttpOnly" in cookie and "SameSite=strict" in cookie and f"Path=/api/games/{id}" in cookie
    (link,) = reply.json()["links"]
    path, token = link["path"].split("#")
    assert path == f"/games/{id}" and len(token) == 22
    assert (await host.get(f"/api/games/{id}/view?seat=0")).status_code == 200
    for client in (host, friend, stranger):
        assert (await client.get(f"/api/games/{id}/view?seat=1")).status_code == 403
    joined = await friend.post(f"/api/games/{id}/join", json={"token": token})
    assert joined.json() == {"seat": 1}
    assert (await friend.get(f"/api/games/{id}/view?seat=1")).json()["viewer"] == "player_1"
    assert (await friend.get(f"/api/games/{id}")).json()["seats"] == [1]
    assert (await friend.get(f"/api/games/{id}/view?seat=0")).status_code == 403
    assert (await stranger.post(f"/api/games/{id}/join", json={"token": token[:-1]})).status_code == 403
    assert (await stranger.get(f"/api/games/{id}/links")).status_code == 403
    assert [link["seat"] for link in (await host.get(f"/api/games/{id}/links")).json()] == [0, 1]


async def test_a_stale_action_gets_409_and_the_current_view(browser):
    me = browser()
    made = await created(me)
    path = f"/api/games/{made['id']}"
    view = (await me.get(f"{path}/view?seat=0")).json()
    body = {"seat": 0, "move": view["move"], "plan": view["choices"][0]["action"]}
    assert (await me.post(f"{path}/act", json=body)).json()["played"] == 1
    again = await me.post(f"{path}/act", json=body)
    assert again.status_code == 409
    current = (await me.get(f"{path}/view?seat=0")).json()
    assert again.json()["view"] == current
    assert current["move"] == view["move"] + 1
    undone = await me.post(f"{path}/undo", json={"seat": 0, "move": current["move"]})
    assert undone.status_code == 200
    back = (await me.get(f"{path}/view?seat=0")).json()
    assert back["choices"] == view["choices"] and back["move"] == current["move"] + 1
    refused = await me.post(f"{path}/undo", json={"seat": 0, "move": back["move"]})
    assert refused.status_code == 409
    illegal = await me.post(f"{path}/act", json={**body, "move": back["move"], "plan": "place:axx"})
    assert illegal.status_code == 400 and "not legal" in illegal.json()["error"]


async def test_a_text_holds_a_whole_plan(browser):
    me = browser()
    made = await created(me)
    path = f"/api/games/{made['id']}"
    view = (await me.get(f"{path}/view?seat=0")).json()
    hand = [spot["name"].partition(",")[0].rpartition(" ")[0] for spot in view["spots"] if "hand" in spot["name"]]
    words = [title.lower().replace("'", "") for title in hand]
    assert len(words) == 7
    plan = f"player_0 discard:{words[0]} " + " ".join(words[1:])
    reply = await me.post(f"{path}/act", json={"seat": 0, "move": 0, "plan": plan})
    assert reply.status_code == 200, reply.text
    # The last warrior is placed by the rules, and so is one of two equal ones.
    assert reply.json()["played"] >= 5 and len(reply.json()["unused"]) <= 2 and reply.json()["error"] is None
    other = await created(me)
    reply = await me.post(
        f"/api/games/{other['id']}/act", json={"seat": 0, "move": 0, "plan": plan.split()[1] + " nobody"}
    )
    assert "not legal" in reply.json()["error"]


async def test_a_hint_has_probabilities_and_is_kept_in_the_record(browser):
    me = browser()
    made = await created(me, seats=(None, "random"))
    path = f"/api/games/{made['id']}"
    hint = (await me.post(f"{path}/hint", json={"seat": 0, "move": 0, "agent": "random"})).json()
    view = (await me.get(f"{path}/view?seat=0")).json()
    assert set(hint["probabilities"]) == {choice["action"] for choice in view["choices"]}
    assert sum(hint["probabilities"].values()) == pytest.approx(1, abs=0.01)
    assert (await me.post(f"{path}/hint", json={"seat": 0, "move": 5})).status_code == 409
    for agent, status in (("nobody", 400), ("broken", 400), ("policy:/etc/passwd", 400)):
        reply = await me.post(f"{path}/hint", json={"seat": 0, "move": 0, "agent": agent})
        assert reply.status_code == status and "\n" not in reply.json()["error"]
    await finished(me, made)
    record = (await me.get(f"{path}/record")).json()
    assert [(one["player"], one["agent"], one["action"]) for one in record["hints"]] == [("player_0", "random", 0)]


@pytest.mark.parametrize("agent", ["broken", "wrong"])
async def test_a_game_goes_on_when_an_agent_fails(browser, agent):
    me = browser()
    made = await created(me, "dice-race", (None, agent))
    await finished(me, made)
    record = (await me.get(f"/api/games/{made['id']}/record")).json()
    assert len(record["notes"]) == 5
    assert all("a random action was played instead" in note["text"] for note in record["notes"])


async def test_agents_play_each_other_as_fast_as_their_host_says(browser):
    host, stranger = browser(), browser()
    made = await created(host, "dice-race", ("random", "random"), pace=-1)
    path = f"/api/games/{made['id']}"
    await asyncio.sleep(0.05)
    assert (await stranger.get(f"{path}/view")).json()["serial"] == 0
    assert (await stranger.post(f"{path}/pace", json={"pace": 0})).status_code == 403
    assert (await host.post(f"{path}/pace", json={"pace": 17})).status_code == 400
    assert (await host.post(f"{path}/pace", json={"pace": 0})).status_code == 200
    for _ in range(500):
        await asyncio.sleep(0.01)
        if (await stranger.get(f"{path}/view")).json()["is_over"]:
            break
    assert (await stranger.get(f"{path}/view")).json()["is_over"]


async def test_a_private_game_is_invisible_to_strangers(browser):
    me, stranger = browser(), browser()
    made = await created(me, is_open=False)
    path = f"/api/games/{made['id']}"
    assert (await stranger.get("/api/games")).json() == []
    parts = ("/view", "/view?seat=0", "/events", "/events?seat=0", "/links", "/record", "/replay", "/review")
    for address in ("", *parts, "/review/events", "/review/page"):
        assert (await stranger.get(path + address)).status_code == 404
        absent = f"/api/games/absent{address}"
        assert (await stranger.get(path + address)).text == (await stranger.get(absent)).text
    move = {"seat": 0, "move": 0}
    bodies = {
        "join": {"token": "x"},
        "pace": {"pace": 1},
        "act": {**move, "plan": "x"},
        "undo": move,
        "hint": move,
    }
    for name, body in bodies.items():
        assert (await stranger.post(f"{path}/{name}", json=body)).status_code == 404
    assert (await me.get(path)).json()["seats"] == [0]
    assert (await me.get(f"{path}/view")).json()["viewer"] == "a spectator"


NOT_OFFERED = [
    ({"game": "chess"}, "there is no game 'chess'"),
    ({"setup": "9+9"}, "there is no setup '9+9'"),
    ({"fields": {"fort_deck": "/etc/passwd"}}, "there is no setting 'fort_deck'"),
    ({"seats": [{}]}, "the game has 2 seats, not 1"),
    ({"seats": [{}, {"agent": "nobody"}]}, "unknown agent 'nobody'"),
    ({"seats": [{}, {"agent": "my_bot.py:Bot"}]}, "may not be loaded here"),
    ({"seats": [{}, {"agent": "/etc/passwd.npz"}]}, "may not be loaded here"),
    ({"seats": [{}, {"name": "\x1b[2J"}]}, "a name has 1 to 24 letters"),
    ({"pace": 0.5}, "the pace is one of"),
    ({"pace": float("inf")}, "pace"),
]


async def test_what_is_not_offered_cannot_be_created(browser):
    for change, message in NOT_OFFERED:
        body = {"game": "romans-go-home", "setup": "2+0", "seats": [{}, {"agent": "greedy"}], **change}
        headers = {"content-type": "application/json"}
        reply = await browser().post("/api/games", content=json.dumps(body), headers=headers)
        assert reply.status_code in (400, 422) and message in reply.json()["error"]
        assert "\n" not in reply.json()["error"]
    assert (await browser().get("/api/games")).json() == []


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        (("Bob", "bob", "B0b"), ["Bob", "bob #2", "B0b #3"]),
        (
            ("You", "y\u00f3u", "\uff59\uff4f\uff55"),
            ["You (player)", "y\u00f3u (player) #2", "\uff59\uff4f\uff55 (player) #3"],
        ),
        # Cyrillic, Lisu, and a sign.
        (("y\u043eu", "\ua4ec\ua4f3\ua4f4", "y\u2218u"), ["y\u043eu #1", "\ua4ec\ua4f3\ua4f4 #2", "y\u2218u #3"]),
        (("Zo\u00eb", "zo", "greedy"), ["Zo\u00eb", "zo", "greedy"]),
    ],
)
async def test_no_name_looks_like_another_one_or_like_you(browser, typed, shown):
    me = browser()
    body = {"game": "romans-go-home", "setup": "3+0", "seats": [{"name": name} for name in typed]}
    id = (await me.post("/api/games", json=body)).json()["id"]
    view = (await browser().get(f"/api/games/{id}/view")).json()
    assert [one["name"] for one in view["players"]] == shown
    for wrong in ("a\u202eb", "a\u200bb", "Bob #2"):
        body["seats"][0]["name"] = wrong
        assert (await me.post("/api/games", json=body)).status_code == 400


HOSTS_AND_ORIGINS = {
    201: [
        *({"host": host} for host in ("LOCALHOST:8000", "[::1]:8000")),
        {"origin": BASE},
        {"sec-fetch-site": "same-origin"},
    ],
    403: [
        *({"origin": origin} for origin in ("http://romans.example", "http://127.0.0.1:9000", "null")),
        *({"sec-fetch-site": site} for site in ("cross-site", "same-site")),
    ],
    421: [
        *({"host": host} for host in ("romans.example", "127.0.0.1.romans.example:8000", "192.168.1.7:8000", "")),
        *({"host": host} for host in ("127.0.0.1:80x", "127.0.0.1:", "::1", "[::1", "[::1]x", "[127.0.0.1]:8000")),
    ],
}


async def test_host_and_origin_are_checked(browser):
    body = {"game": "romans-go-home", "setup": "2+0", "seats": people(None, "greedy")}
    for status, tried in HOSTS_AND_ORIGINS.items():
        for headers in tried:
            reply = await browser().post("/api/games", json=body, headers=headers)
            assert reply.status_code == status, (headers, reply.text)


async def test_a_header_that_decides_something_is_given_once(browser):
    for name in ("host", "origin", "content-type", "sec-fetch-site"):
        headers = [("host", "127.0.0.1:8000"), (name, "x"), (name, "x")]
        reply = await browser().get("/api/games", headers=headers)
        assert (reply.status_code, reply.json()) == (400, {"error": f"the header {name} may be given only once"})


async def test_on_a_network_addresses_and_allowed_names_are_hosts():
    async with browsers(hosts=["romans.example"], is_local=False) as browser:
        for host, status in (("192.168.1.7:8000", 200), ("romans.example", 200), ("other.example", 421)):
            assert (await browser().get("/api/games", headers={"host": host})).status_code == status


async def test_bodies_have_a_bounded_size(browser):
    async def parts():
        for _ in range(100):
            yield b" " * 1024

    client = browser()
    assert (await client.post("/api/games", content=b" " * 70_000)).status_code == 413
    assert (await client.post("/api/games", content=parts())).status_code == 413
    assert (await client.post("/api/games", json={}, headers={"content-length": "-1"})).status_code == 413


async def test_there_are_no_more_games_and_streams_than_the_server_bears():
    async with browsers(new_service(limits=Limits(games=1, streams=0))) as browser:
        me = browser()
        made = await created(me)
        body = {"game": "romans-go-home", "setup": "2+0", "seats": people(None, "greedy")}
        assert (await me.post("/api/games", json=body)).status_code == 429
        assert (await me.get(f"/api/games/{made['id']}/events")).status_code == 429


async def test_a_game_has_no_more_hints_and_choices_taken_back_than_it_may():
    async with browsers(new_service(limits=Limits(extras=2))) as browser:
        me = browser()
        made = await created(me)
        path, found = f"/api/games/{made['id']}", []
        for _ in range(3):
            view = (await me.get(f"{path}/view?seat=0")).json()
            plan = view["choices"][0]["action"]
            await me.post(f"{path}/act", json={"seat": 0, "move": view["move"], "plan": plan})
            found.append((await me.post(f"{path}/undo", json={"seat": 0, "move": view["move"] + 1})).status_code)
        assert found == [200, 200, 429]


async def test_every_answer_has_the_headers_that_shut_out_other_pages(browser):
    for path in ("/", "/games/abc", "/page.js", "/page.css", "/boards/roma.css", "/api/games", "/nothing"):
        headers = (await browser().get(path)).headers
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "access-control-allow-origin" not in headers


async def test_the_page_weighs_little_and_names_no_other_place(browser):
    weight = 0
    for path in ("/", *MODULES, "/page.css", "/boards/romans-go-home.css", "/api/offers"):
        text = (await browser().get(path)).text
        weight += len(text.encode())
        assert "//cdn" not in text and "https://" not in text
    assert weight < 300_000


async def test_the_page_names_its_modules_so_that_none_waits_for_another(browser):
    page = (await browser().get("/")).text
    assert sorted(re.findall(r'<link rel="modulepreload" href="([^"]+)">', page)) == sorted({*MODULES} - {"/page.js"})
    for path in MODULES:
        reply = await browser().get(path)
        assert reply.headers["content-type"].startswith("text/javascript")
        imported = re.findall(r'^(?:import|export) .*from "(.*)";$', reply.text, re.MULTILINE)
        assert {name.replace("./", "/", 1) for name in imported} <= {*MODULES}
        assert max(map(len, reply.text.splitlines())) <= 120


@pytest.mark.parametrize("name", ["__init__.py", "index.html", "..%2fapp.py", "constructor.js", ".js", "page.JS"])
async def test_no_other_file_is_served(browser, name):
    assert (await browser().get(f"/{name}")).status_code == 404


async def test_the_interface_describes_itself_and_the_rules_are_at_hand(browser):
    client = browser()
    described = (await client.get("/openapi.json")).json()
    assert "/api/games/{id}/act" in described["paths"]
    for game in GAMES:
        rules = (await client.get(f"/api/rules/{game}")).json()
        assert rules["title"]
    assert "<table>" in (await client.get("/api/rules/romans-go-home")).json()["html"]
    offers = {offer["game"]: offer for offer in (await client.get("/api/offers")).json()}
    assert set(offers) == set(GAMES)
    offered = {"name": "3+0", "label": "3 players, no neutral clan", "num_players": 3}
    assert offered in offers["romans-go-home"]["setups"]


async def test_a_game_is_played_again_with_agents_of_the_next_level(browser):
    me = browser()
    made = await created(me, seats=(None, "random"))
    path = f"/api/games/{made['id']}"
    assert (await me.get(path)).json()["has_stronger"] is True
    again = await me.post(f"{path}/again", json={"is_stronger": True})
    assert again.status_code == 201
    summary = (await me.get(f"/api/games/{again.json()['id']}")).json()
    assert [(one["agent"], one["level"]) for one in summary["players"]] == [(None, None), ("greedy", 3)]
    assert summary["has_stronger"] is False
    # The same rivals where no stronger ones are asked for, in a body or without one.
    for body in ({"json": {}}, {"json": {"is_stronger": False}}, {}):
        other = (await me.post(f"{path}/again", **body)).json()
        assert (await me.get(f"/api/games/{other['id']}")).json()["players"][1]["agent"] == "random"
    # Levels are those of the default setup.
    other = await created(me, seats=(None, "random", "random"), setup="3+0")
    assert (await me.get(f"/api/games/{other['id']}")).json()["has_stronger"] is False
    assert (await me.post(f"{path}/again", json={"is_stronger": "x"})).status_code == 422
    assert (await browser().post(f"{path}/again", json={"is_stronger": True})).status_code == 403


@pytest.mark.parametrize("game", GAMES)
async def test_the_end_has_a_table_of_points_and_nothing_before_it(browser, game):
    me = browser()
    made = await created(me, game, (None, *["random"] * (2 if game == "struggle" else 1)))
    first = await Player(me, made["id"], 0, random.Random(0)).view()
    assert first["score"] is None and (first["decision"] is None) == (not first["choices"])
    last = await finished(me, made)
    if game == "dice-race":
        assert last["score"] is None
        return
    assert [row[0] for row in last["score"]["rows"]] == ["you", *(one["name"] for one in last["players"][1:])]
    assert all(len(row) == len(last["score"]["columns"]) for row in last["score"]["rows"])


async def test_the_rules_have_a_coach_where_the_game_has_one(browser):
    client = browser()
    for game in GAMES:
        coach = (await client.get(f"/api/rules/{game}")).json()["coach"]
        assert (coach is None) == (game == "dice-race")
        assert coach is None or len(coach["aim"]) == 3


async def test_games_that_nobody_looks_at_leave_the_memory_and_come_back(tmp_path):
    service = new_service(tmp_path / "games.sqlite", limits=Limits(loaded=2))

    async with browsers(service) as browser:
        me = browser()
        games = [await created(me) for _ in range(6)]
        for game in games:
            player = Player(me, game["id"], 0, random.Random(0))
            await player.act(await player.view())
        assert len(service._live) <= 3
        for game in games:
            assert (await Player(me, game["id"], 0, random.Random(0)).view())["move"] == 1


@pytest.mark.parametrize(
    ("host", "is_local", "says"),
    [
        ("127.0.0.1:8000", True, "start it with romans serve --host 0.0.0.0"),
        ("localhost", True, "start it with romans serve --host 0.0.0.0"),
        ("[::1]:8000", True, "start it with romans serve --host 0.0.0.0"),
        ("[::1]", False, "open this page by its network address"),
        ("localhost:8000", False, "open this page by its network address"),
        ("192.168.1.7:8000", False, None),
        ("[fd00::7]:8000", False, None),
        ("games.example", True, None),
    ],
)
async def test_links_that_lead_nobody_here_are_said_to(host, is_local, says):
    async with browsers(hosts=["games.example"], is_local=is_local) as browser:
        client = browser(host=host)
        body = {"game": "dice-race", "setup": "10 turns", "seats": people(None, None)}
        made = await client.post("/api/games", json=body)
        summary = (await client.get(f"/api/games/{made.json()['id']}")).json()
        assert (says or "") in (summary["links_stay_here"] or "") and (summary["links_stay_here"] is None) == (
            says is None
        )
