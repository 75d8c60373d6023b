"""A database that is locked, full, or written by another server: nothing is lost, and pages and agents go on."""

import asyncio
import contextlib
import json
import logging
import random
import re
import shutil
import sqlite3
import time

import httpx2
import pytest

from romans_serve.errors import ConflictError
from romans_serve.games import agent_runs, store
from romans_serve.games.service import Limits
from romans_serve.games.spectator import SPECTATOR
from romans_serve.games.store import GameStore, GameStoreError
from romans_serve.web.app import make_app
from romans_training.compare.tournament.config import TournamentConfig
from romans_training.compare.tournament.store import FILE_NAME, MatchStore
from tests.serve.servers import new_service, people, rules_of

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    monkeypatch.setattr(agent_runs, "RETRY", 0.02)
    monkeypatch.setattr(store, "_BETWEEN_ATTEMPTS", 0.05)


@contextlib.contextmanager
def locked(path):
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()


@contextlib.contextmanager
def full(service):
    """No page can be added, as on a full disk."""
    database = service.store._database
    # A page of it is smaller than what is written below.
    database.execute("CREATE TABLE filler (x BLOB)")
    pages = database.execute("PRAGMA page_count").fetchone()[0]
    database.execute(f"PRAGMA max_page_count = {pages}")
    try:
        yield
    finally:
        database.execute("PRAGMA max_page_count = 1000000")


class Client:
    """A browser, and the service that it asks."""

    def __init__(self, service):
        self.service = service
        transport = httpx2.ASGITransport(make_app(service), raise_app_exceptions=False)
        self.http = httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1")

    async def create(self, *agents, pace=0):
        body = {"game": "romans-go-home", "setup": "2+0", "seats": people(*agents), "pace": pace}
        return await self.http.post("/api/games", json=body)

    async def view(self, id):
        return (await self.http.get(f"/api/games/{id}/view?seat=0")).json()

    async def post(self, id, what, **more):
        view = await self.view(id)
        body = {"seat": 0, "move": view["move"], **more}
        return await self.http.post(f"/api/games/{id}/{what}", json=body)

    async def act(self, id):
        view = await self.view(id)
        return await self.post(id, "act", plan=view["choices"][0]["action"])


async def taken(stream):
    """The kind and the data of an event that waits."""
    kind, data = (await stream.take(1)).removeprefix("event: ").split("\ndata: ")
    return kind, json.loads(data)


@contextlib.asynccontextmanager
async def opened(path, **options):
    """A browser of a server with this database."""
    client = Client(new_service(path, **options))
    try:
        yield client
    finally:
        await client.http.aclose()
        await client.service.close()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "games.sqlite"


@pytest.fixture
async def client(anyio_backend, path):
    async with opened(path) as client:
        yield client


@pytest.mark.parametrize("how", ["locked", "full"])
async def test_a_move_that_cannot_be_kept_changes_nothing_and_is_played_when_it_is_sent_again(
    client, path, how, caplog
):
    caplog.set_level(logging.WARNING)
    service = client.service
    id = (await client.create(None, None)).json()["id"]
    await client.act(id)
    live = await service.live(id)
    streams = [service.open_stream(live, viewer) for viewer in ("player_0", SPECTATOR)]
    before, entries = await client.view(id), service.store.entries(id)
    with locked(path) if how == "locked" else full(service):
        if how == "full":
            while (reply := await client.create(None, None)).status_code == 201:
                continue
            assert reply.status_code == 503
        started = time.monotonic()
        for reply in (
            ()
            if how == "full"
            else (
                await client.act(id),
                await client.post(id, "undo"),
                await client.http.post(f"/api/games/{id}/pace", json={"pace": 1}),
                await client.create(None, None),
            )
        ):
            assert reply.status_code == 503, reply.text
            assert reply.json() == {
                "error": "the games cannot be saved right now: nothing was changed; try again in a moment"
            }
        # Whoever only looks waits no longer than others' attempts take.
        assert (await client.http.get("/api/games")).status_code == 200
        assert time.monotonic() - started < 2.0
        assert await client.view(id) == before
        assert service.store.entries(id) == entries
    if how == "locked":
        # A hint, for which an agent has thought, waits.
        with locked(path):
            waiting = asyncio.create_task(client.post(id, "hint"))
            await asyncio.sleep(0.1)
            assert not waiting.done()
        assert (await waiting).status_code == 200
    await asyncio.sleep(0.1)
    assert (await client.act(id)).status_code == 200
    kind, look = await taken(streams[0])
    while kind != "look":
        kind, look = await taken(streams[0])
    assert look["serial"] > before["serial"]
    said = [record.getMessage() for record in caplog.records if record.name == "romans_serve.games.store"]
    # Once for each time that it cannot be used, not once a request.
    assert len(said) == 2 and "is unavailable at the moment" in said[0] and said[1].endswith("can be written again")


async def test_attempts_to_write_hold_the_server_up_once_in_a_while(client, path, monkeypatch):
    monkeypatch.setattr(store, "_BETWEEN_ATTEMPTS", 600.0)
    ids, statements = [(await client.create(None, None)).json()["id"] for _ in range(2)], []
    client.service.store._database.set_trace_callback(statements.append)
    with locked(path):
        await client.act(ids[0])
        for _ in range(20):
            assert (await client.act(ids[1])).status_code == 503
    # Each attempt waits for a moment, and with it the whole server.
    assert statements.count("BEGIN IMMEDIATE") == 1


async def test_an_agent_plays_on_when_the_database_can_be_written_again(client, path):
    id = (await client.create(None, "slow")).json()["id"]
    live = await client.service.live(id)
    while live.served.game.seat_to_act == 0:
        assert (await client.act(id)).status_code == 200
    stream = client.service.open_stream(live, "player_0")
    with locked(path):
        await asyncio.sleep(0.3)
        assert live.served.moves[1] == 0
    for _ in range(1000):
        await asyncio.sleep(0.02)
        if live.served.game.seat_to_act != 1:
            break
    assert live.served.moves[1] > 0
    kinds = []
    while (text := await stream.take(0.1)) is not None:
        kinds.append(text.split()[1])
    assert "look" in kinds


async def test_a_game_that_another_server_played_on_is_shown_anew_and_goes_on(client, path):
    made = await client.create(None, None)
    id = made.json()["id"]
    live = await client.service.live(id)
    async with opened(path) as other:
        other.http.cookies = client.http.cookies
        assert (await other.act(id)).status_code == 200
        stream = client.service.open_stream(live, "player_0")
        spectator = client.service.open_stream(live, SPECTATOR)
        reply = await client.act(id)
        assert reply.status_code == 409 and "another server has continued this game" in reply.json()["error"]
        kind, view = await taken(stream)
        assert kind == "view" and view["move"] == 1
        assert await client.service.live(id) is live
        assert (await client.act(id)).status_code == 200
        assert (await taken(stream))[0] == "look"
        # A spectator has seen nothing of all this, and is sent nothing.
        assert await spectator.take(0.1) is None


async def test_what_an_agent_decided_before_the_game_was_loaded_anew_is_not_played(client, path):
    id = (await client.create(None, None)).json()["id"]
    live = await client.service.live(id)
    pending = live.served.pending(live.served.game.legal_actions()[0])
    async with opened(path) as other:
        other.http.cookies = client.http.cookies
        assert (await other.act(id)).status_code == 200
        assert (await client.post(id, "hint", agent="random")).status_code == 409
        with pytest.raises(ConflictError, match="the game has moved on"):
            client.service.playing.commit(live, pending)
        assert len(client.service.store.entries(id)) == live.served.entries == 2


async def test_a_seed_is_of_one_decision_of_one_game_and_the_same_after_a_restart(client, path):
    found = {}
    for _ in range(2):
        live = await client.service.live((await client.create(None, None)).json()["id"])
        for number in range(3):
            found |= {(live.stored.id, seat, live.served.moves[seat], seat == 0): live.seed_of(seat) for seat in (0, 1)}
            if number < 2:
                assert (await client.act(live.stored.id)).status_code == 200
    # Seat 0 has made two decisions in each game.
    assert len(found) == len(set(found.values())) == 8
    async with opened(path) as other:
        again = await other.service.live(live.stored.id)
        assert [again.seed_of(seat) for seat in (0, 1)] == [live.seed_of(seat) for seat in (0, 1)]


async def test_the_seed_of_a_games_agents_cannot_be_found_by_trying_all(client):
    for _ in range(4):
        await client.create(None, None)
    assert max(game.seed.bit_length() for game in client.service.store.games(9, lambda stored: stored)) > 50


DAMAGED = {
    "games": [("setup", "{"), ("seats", "[1]"), ("seats", "[]"), ("created", "x"), ("id", b"x"), ("game", "nothing")],
    "games that are over": [("result", '{"winners": ["x"]}'), ("result", "5"), ("result", '{"winners": 5}')],
    "entries": [("value", "{"), ("value", "[" * 10_000), ("kind", "x"), ("kind", "hint")],
    "tokens": [("token", b"x"), ("seat", "x")],
}


@pytest.mark.parametrize("table", DAMAGED)
async def test_a_damaged_game_is_named_and_hurts_no_other_one(client, path, table):
    whole = (await client.create(None, None)).json()["id"]
    found = {}
    for number, (column, value) in enumerate(DAMAGED[table]):
        id = (await client.create(None, None)).json()["id"]
        key = "id" if table.startswith("games") else "game"
        client.service.store._database.execute(
            f"UPDATE OR IGNORE {table.partition(' ')[0]} SET {column} = ? WHERE {key} = ?", (value, id)
        )
        found[id] = f"{column} {number}"
    # As after a restart.
    async with opened(path) as other:
        listed = await other.http.get("/api/games")
        assert listed.status_code == 200 and whole in {game["id"] for game in listed.json()}
        for id, what in found.items():
            reply = await other.http.get(f"/api/games/{id}/view")
            assert reply.status_code in (404, 500), what
            assert re.search("is damaged in the database|do not fit the rules|no such game", reply.json()["error"])


async def test_a_damaged_file_is_not_said_to_be_busy(client, path):
    for _ in range(20):
        await client.create(None, None)
    await client.service.close()
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (size - 4096))
    async with opened(path) as other:
        reply = await other.http.get("/api/games")
        assert reply.status_code == 500
        assert reply.json() == {"error": "the database of games is damaged: restart the server with another file"}


def results_of_a_tournament(path):
    MatchStore(path.parent, TournamentConfig(["greedy", "random"], rules_of("romans-go-home").setup)).close()
    return path.with_name(FILE_NAME)


def table_of_another_program(path, script, is_open=False):
    """A database; where it is open, what is written lies in a file of its own beside it."""
    source = path.with_name("source.sqlite")
    with contextlib.closing(sqlite3.connect(source, isolation_level=None)) as database:
        database.executescript(script)
        for end in ("", "-wal") if is_open else ("",):
            shutil.copy(f"{source}{end}", f"{path}{end}")
    return path


OTHERS = {
    "a tournament's results": results_of_a_tournament,
    "a table": lambda path: table_of_another_program(path, "CREATE TABLE mine (x); INSERT INTO mine VALUES (1)"),
    "a table, and a version": lambda path: table_of_another_program(
        path, "CREATE TABLE mine (x); PRAGMA user_version = 1"
    ),
    "a table of the same name": lambda path: table_of_another_program(path, "CREATE TABLE games (id, changed)"),
    "tables of the same names": lambda path: table_of_another_program(
        path, "CREATE TABLE games (id); CREATE TABLE entries (id); CREATE TABLE tokens (id); PRAGMA user_version = 1"
    ),
    "a version": lambda path: table_of_another_program(path, "PRAGMA user_version = 7"),
    "a table that is being written": lambda path: table_of_another_program(
        path, "PRAGMA journal_mode = WAL; CREATE TABLE mine (x); INSERT INTO mine VALUES (1)", is_open=True
    ),
}


@pytest.mark.parametrize("other", OTHERS)
def test_a_database_of_something_else_is_refused_and_not_a_byte_of_it_is_written(path, other):
    file = OTHERS[other](path)
    wal = file.with_name(f"{file.name}-wal")
    before = [one.read_bytes() for one in (file, wal) if one.exists()]
    with pytest.raises(GameStoreError, match=r"is not a database of games of romans-env: name another file$"):
        GameStore(file)
    assert [one.read_bytes() for one in (file, wal) if one.exists() and one.stat().st_size] == before
    if file.name == FILE_NAME:
        results_of_a_tournament(path)  # which goes on with it


async def test_an_empty_file_and_one_that_was_begun_become_databases_of_games(path):
    begun = table_of_another_program(path.with_name("begun.sqlite"), "PRAGMA journal_mode = WAL")
    path.touch()
    for file in (path, begun, begun):
        async with opened(file) as client:
            assert (await client.create(None, None)).status_code == 201
    assert GameStore(begun).count() == 2


async def test_a_database_with_any_byte_changed_is_used_or_refused_in_a_line(path):
    async with opened(path) as client:
        for _ in range(2):
            await client.create(None, "random")
    whole, changed, rng = path.read_bytes(), path.with_name("changed.sqlite"), random.Random(1)
    page = int.from_bytes(whole[16:18], "big")
    # The texts of the tables and their columns, in the first page, where an error has parts of what is damaged.
    texts = rng.sample(range(whole.index(b"CREATE"), page), 60)
    refusals, changed_by_refusals = [], False
    for place in [*range(0, 100, 3), *texts, *rng.sample(range(page, len(whole)), 40)]:
        changed.with_name("changed.sqlite-wal").unlink(missing_ok=True)
        damaged = whole[:place] + bytes([whole[place] ^ 0x80]) + whole[place + 1 :]
        changed.write_bytes(damaged)
        try:
            store = GameStore(changed)
        except GameStoreError as error:
            refusals.append(str(error))
            changed_by_refusals |= changed.read_bytes() != damaged
            continue
        with contextlib.closing(store), contextlib.suppress(GameStoreError):
            for game in store.games(10, lambda stored: stored):
                store.entries(game.id)
                store.tokens(game.id)
    assert len(refusals) > 20 and not changed_by_refusals
    assert [text for text in refusals if "name another file" not in text or "\n" in text] == []


async def test_agents_that_wait_leave_the_memory(path):
    before = asyncio.all_tasks()
    async with opened(path, limits=Limits(loaded=3)) as client:
        ids = [(await client.create("random", "random", pace=-1)).json()["id"] for _ in range(8)]
        assert len(client.service._live) <= 4
        await asyncio.sleep(0)
        live = await client.service.live(ids[0])
        client.service.playing.set_pace(live, 0.0)
        for _ in range(500):
            await asyncio.sleep(0.02)
            if live.served.game.is_over:
                break
        assert live.served.game.is_over
    await asyncio.sleep(0.05)
    assert asyncio.all_tasks() == before
