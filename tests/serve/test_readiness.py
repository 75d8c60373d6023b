"""What a begun game needs is made ready first; what nobody began waits, and is then done in order."""

import asyncio

import pytest

from romans_env.core.games import spec_of
from romans_serve.games import readiness
from romans_serve.games.readiness import Readiness
from romans_serve.games.service import Service
from romans_serve.games.store import GameStore
from romans_serve.thinking import Count, ThinkingError
from tests.serve.servers import OFFERS, InProcess, rules_of, seats

pytestmark = pytest.mark.anyio


class Compiler(InProcess):
    """A thinker whose preparations take until they are let go; what was begun, given up and done, in order."""

    def __init__(self):
        super().__init__()
        self.said, self.free, self.fails = [], asyncio.Event(), False

    async def prepare(self, kind, spec, view, told):
        what = f"{kind} {view.rules.name} {spec}"
        self.said.append(f"begin {what}")
        told(Count(1, 3))
        try:
            await self.free.wait()
        except asyncio.CancelledError:
            self.said.append(f"give up {what}")
            raise
        if self.fails:
            raise ThinkingError("it fails")
        self.said.append(f"done {what}")

    async def rest(self):
        self.said.append("rest")


@pytest.fixture
async def compiler(anyio_backend, monkeypatch):
    monkeypatch.setattr(readiness, "_LOOK", 0.01)
    loaded = []
    monkeypatch.setattr(readiness, "_load_code", lambda rules: loaded.append(rules.name))
    found = Compiler()
    found.loaded = loaded
    return found


async def until(is_so):
    for _ in range(500):
        if is_so():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it does not come")


def offers(*names):
    return {offer.game: offer for offer in OFFERS if offer.game in names}


async def test_games_that_nobody_began_come_after_the_one_that_was_begun(compiler):
    ready = Readiness(compiler, offers("romans-go-home", "roma"))
    ahead = asyncio.create_task(ready.prepare_ahead())
    await until(lambda: compiler.said == ["begin ahead romans-go-home greedy"])
    assert ready.counts == {"romans-go-home": (1, 3)} and not ready.is_ready("romans-go-home")
    ready.begin(rules_of("roma"), ["raider", "raider"])
    await ready.rules(rules_of("roma"))
    assert compiler.loaded == ["roma"] and ready.is_ready("roma")
    await until(lambda: "give up ahead romans-go-home greedy" in compiler.said)
    await asyncio.sleep(0.05)
    assert compiler.said[1:] == ["begin act roma raider", "give up ahead romans-go-home greedy"]
    assert ready.counts == {"roma": (1, 3)}
    compiler.free.set()
    await ahead
    begun = [line.removeprefix("begin ") for line in compiler.said if line.startswith("begin ahead")]
    # What is left of the begun game is first, then the others, by what is asked for first.
    reviewers = {game: spec_of(game).reviewer for game in ("roma", "romans-go-home")}
    assert begun == [
        "ahead romans-go-home greedy",
        "ahead roma random",
        f"ahead roma {reviewers['roma']}",
        "ahead romans-go-home greedy",
        "ahead romans-go-home random",
        f"ahead romans-go-home {reviewers['romans-go-home']}",
    ]
    assert compiler.said[-1] == "rest" and compiler.loaded == ["roma", "romans-go-home"] and not ready.counts


async def test_a_game_has_its_rivals_prepared_before_they_must_decide(compiler):
    service = Service(GameStore(":memory:"), compiler, OFFERS)
    # A person begins.
    made = await service.create("romans-go-home", "2+0", {}, seats(None, "greedy"))
    await until(lambda: compiler.said == ["begin act romans-go-home greedy"])
    live = await service.live(made.id)
    assert live.served.game.seat_to_act == 0 and live.runner is None
    compiler.free.set()
    await until(lambda: compiler.said[-1] == "done act romans-go-home greedy")
    # It is prepared once.
    stream = service.open_stream(live, "player_0")
    service.close_stream(live, stream)
    await service.create("romans-go-home", "2+0", {}, seats(None, "greedy"))
    await asyncio.sleep(0.02)
    assert len(compiler.said) == 2
    await service.close()


async def test_what_fails_is_tried_again_by_who_asks_next_and_holds_up_nothing(compiler, monkeypatch):
    ready = Readiness(compiler, offers("dice-race"))
    compiler.fails = True
    compiler.free.set()
    await ready.prepare_ahead()
    assert compiler.said[-1] == "rest"
    game = rules_of("dice-race")
    ready.begin(game, ["random"])
    view = readiness._view_of(game)
    with pytest.raises(ThinkingError, match="it fails"):
        await ready.agent("act", "random", view, lambda count: None)
    compiler.fails = False
    await ready.agent("act", "random", view, lambda count: None)
    assert compiler.said[-1] == "done act dice-race random"

    def broken(rules):
        raise MemoryError("too little memory")

    ready = Readiness(compiler, offers("dice-race"))
    monkeypatch.setattr(readiness, "_load_code", broken)
    for _ in range(2):
        with pytest.raises(MemoryError):
            await ready.rules(game)
    monkeypatch.setattr(readiness, "_load_code", lambda rules: None)
    await ready.rules(game)
    assert ready.is_ready("dice-race")
