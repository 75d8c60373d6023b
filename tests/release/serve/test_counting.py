"""Nobody can count how often a seat is asked in secret: not by what is sent, nor by its order, size or time.

Each test plays two games that differ in the hidden choices of player_1 alone, one of them with a decision more (RULES
4.14), and compares all that the others are sent, to the byte and with the times of an event loop whose clock stands
still while something is computed.
"""

import asyncio
import json
import random
from collections import Counter

import httpx2
import pytest

from romans_env.core.game import Game
from romans_serve.games import agent_runs
from romans_serve.games.served_game import ServedGame
from romans_serve.games.service import Service
from romans_serve.games.spectator import SPECTATOR
from romans_serve.games.store import GameEntry, GameStore, Seat, StoredGame
from romans_serve.thinking import Hint, ThinkingError
from romans_serve.web.app import make_app
from tests.serve.servers import OFFERS, InProcess, rules_of

HANDS = {
    "plan": "qween druhid archr axx filchy chariott chariott",
    "reorder": "qween zvord horsie filchy axx chariott chariott",
    "reorder, then keep": "zvord archr horsie filchy axx chariott chariott",
}
PLANS = {
    # The last two are equal and lie where they must, or differ.
    "plan": (
        "discard:filchy place:qween place:druhid place:archr place:axx",
        "discard:chariott place:qween place:druhid place:archr place:axx place:filchy",
    ),
    # Of four hidden warriors, two of them equal.
    "reorder": tuple(
        f"discard:horsie place:qween place:zvord place:chariott place:chariott place:axx {reorder}"
        for reorder in ("reorder:filchy reorder:axx", "reorder:filchy reorder:chariott reorder:axx")
    ),
    # Zvord takes an Unwary fort: the others see something when that is decided, too.
    "reorder, then keep": tuple(
        f"discard:archr place:zvord place:chariott place:chariott place:filchy place:axx {reorder} unwary:keep"
        for reorder in (
            "reorder:filchy reorder:axx reorder:horsie",
            "reorder:filchy reorder:axx reorder:chariott reorder:horsie",
        )
    ),
}
DECISIONS = {"plan": (5, 6), "reorder": (2, 3), "reorder, then keep": (3, 4)}
FIRST_DIFFERENT_TURN = {"plan": 5, "reorder": 4, "reorder, then keep": 4}
OWN_HAND = "qween druhid zvord axx archr filchy horsie"
WALL = "unwary-2 legion-1 dinary-3 dinary-4 signal-4 tax-8"
"""The turn in which the plans of a case show different warriors."""


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose time goes on where it would wait, and nowhere else."""

    def __init__(self):
        super().__init__()
        self._now, select = 0.0, self._selector.select

        def jump(timeout=None):
            if timeout is None:  # a thread is at work
                return select(None)
            events = select(0)
            if not events:
                self._now += timeout
            return events

        self._selector.select = jump

    def time(self):
        return self._now


class Planner(InProcess):
    """Plays a given plan while it can, then whatever comes first."""

    def __init__(self, plan, seconds=0.0, fails=False):
        self.plan, self.seconds, self.fails = plan.split(), seconds, fails

    def choice(self, game):
        """The next action."""
        names = [game.action_name(action) for action in game.legal_actions()]
        if self.plan and self.plan[0] in names:
            return game.action_id(self.plan.pop(0))
        return game.legal_actions()[0]

    async def act(self, spec, view, seed):
        await asyncio.sleep(self.seconds)
        if self.fails:
            self.view = view
            raise ThinkingError(f"it holds {view.position()['clans']['player_1']['hand']}")
        return self.choice(view)

    async def hint(self, spec, view, seed):
        return Hint(spec, {}, None)


def deal_with(hand):
    deal = Game(rules_of("romans-go-home", "2+0"), seed=3).deal()
    deal["forts"] = [*WALL.split(), *(Counter(deal["forts"]) - Counter(WALL.split())).elements()]
    deal["rounds"][0] = {"player_0": OWN_HAND.split(), "player_1": hand.split()}
    return deal


class Watch:
    """Two games on a server, one of which is watched in every way there is.

    Attributes:
        sent: by viewer, and for the list of games, everything with its time.
    """

    def __init__(self, case, planner, agent, pace):
        self.loop, self.planner = asyncio.get_running_loop(), planner
        self.service = Service(GameStore(":memory:"), planner, OFFERS, now=lambda: 1_000_000.0 + self.loop.time())
        setup = rules_of("romans-go-home", "2+0").setup.as_json()
        self.case, self.sent = case, {"player_0": [], SPECTATOR: [], "list": []}
        for id, seat, hand in (("watched", Seat("Eve", agent), HANDS[case]), ("other", Seat("Bo"), HANDS["plan"])):
            stored = StoredGame(id, 0.0, 0.0, "romans-go-home", setup, (Seat("Ann"), seat), True, pace, 7)
            tokens = {0: "a", -1: "h"} | ({} if seat.agent else {1: "b"})
            self.service.store.create(stored, tokens, [GameEntry("deal", None, deal_with(hand))])

    def is_alike(self):
        """Whether what happens now is the same whatever was planned."""
        position = self.live.served.game.position()
        return position["round"] == 1 and position["turn"] < FIRST_DIFFERENT_TURN[self.case]

    async def run(self, play):
        await self.service.readiness.rules(rules_of("romans-go-home", "2+0"))
        self.live, self.other = await self.service.live("watched"), await self.service.live("other")
        watching = [asyncio.create_task(self.follow(viewer)) for viewer in ("player_0", SPECTATOR)]
        watching.append(asyncio.create_task(self.poll()))
        try:
            await asyncio.wait_for(play(self), 600)
        finally:
            for task in watching:
                task.cancel()
            await asyncio.gather(*watching, return_exceptions=True)
            await self.service.close()
        return self.sent, self.counted()

    def counted(self):
        """How many secret decisions of Eve there were in the first round."""
        words, number = ("reorder",) if self.case != "plan" else ("discard", "place"), 0
        for player, name in self.live.served.game.actions:
            if player == "player_0" and name.startswith("discard") and number > 1:
                break
            number += player == "player_1" and name.partition(":")[0] in words
        return number

    async def follow(self, viewer):
        live = self.live
        stream = self.service.open_stream(live, viewer)
        async for text in stream.texts(lambda: live.view(viewer)):
            if self.is_alike():
                self.sent[viewer].append((round(self.loop.time(), 6), text))

    async def poll(self):
        """A stranger lists the games again and again, and moves one of his own to the top."""
        async with httpx2.AsyncClient(
            transport=httpx2.ASGITransport(make_app(self.service)), base_url="http://127.0.0.1"
        ) as client:
            while self.is_alike():
                for part in ("", "/watched", "/watched/view", "/watched/record"):
                    reply = await client.get(f"/api/games{part}")
                    self.sent["list"].append((round(self.loop.time(), 6), reply.text, str(reply.headers)))
                seat = self.other.served.game.seat_to_act
                if seat == 0 and self.other.served.may_undo(0):
                    self.service.playing.undo(self.other, 0, self.other.served.moves[0])
                elif seat == 0:
                    action = self.other.served.game.legal_actions()[0]
                    name = self.other.served.game.action_name(action)
                    self.service.playing.act(self.other, 0, self.other.served.moves[0], name)
                await asyncio.sleep(0.21)


async def played_by_an_agent(watch):
    """Ann plays whatever comes first, as soon as she is asked."""
    while watch.is_alike():
        game = watch.live.served.game
        if game.seat_to_act == 0:
            name = game.action_name(game.legal_actions()[0])
            watch.service.playing.act(watch.live, 0, watch.live.served.moves[0], name)
        await asyncio.sleep(0.0517)


async def played_by_people(watch):
    """Eve takes twelve seconds for what nobody sees, asks for hints, and takes choices back."""
    live, playing = watch.live, watch.service.playing
    while watch.is_alike():
        seat = live.served.game.seat_to_act
        started = watch.loop.time()
        while live.served.game.seat_to_act == seat and watch.is_alike():
            game, served = live.served.game, live.served
            kind = watch.live.served.rules.decision_kind(game.states, 0)
            action = watch.planner.choice(game) if seat == 1 else game.legal_actions()[0]
            pending = served.pending(action)
            if seat == 1 and kind in ("discard", "place", "reorder", "unwary"):
                is_last = bool(pending.frames[SPECTATOR])
                if not is_last:
                    playing.act(live, 1, served.moves[1], game.action_name(action))
                    await playing.hint(live, 1, served.moves[1], "random")
                    playing.undo(live, 1, served.moves[1])
                await asyncio.sleep(started + 12.0 - watch.loop.time() if is_last else 1.1)
            playing.act(live, seat, served.moves[seat], game.action_name(action))
            if pending.frames[SPECTATOR]:
                started = watch.loop.time()
        await asyncio.sleep(0.0517)


def watched(case, plan, play, agent=None, pace=0.0, seconds=0.0, fails=False, patch=None):
    """All that is sent in a game; the number of hidden decisions in it."""
    planner = Planner(plan, seconds, fails)
    if patch is not None:
        patch.setattr(agent_runs.secrets, "choice", lambda legal: planner.choice(planner.view))
    loop = VirtualLoop()
    try:

        async def run():
            return await Watch(case, planner, agent, pace).run(play)

        return loop.run_until_complete(run())
    finally:
        loop.close()


def assert_alike(case, **how):
    (one, fewer), (other, more) = (watched(case, plan, **how) for plan in PLANS[case])
    assert (fewer, more) == DECISIONS[case]
    for viewer in one:
        assert len(one[viewer]) > 2
        assert one[viewer] == other[viewer], viewer
    return one


@pytest.mark.parametrize(
    ("case", "seconds", "pace"),
    [
        *(("plan", *times) for times in ((0.0, 0.0), (0.007, 1.0), (0.3, 0.0), (2.7, 0.0))),
        *(("reorder", *times) for times in ((0.007, 1.0), (0.25, 0.0))),
        *(("reorder, then keep", *times) for times in ((0.0, 0.0), (1.0, 1.0))),
    ],
)
def test_an_agents_hidden_decisions_cannot_be_counted(case, seconds, pace):
    sent = assert_alike(case, play=played_by_an_agent, agent="greedy", pace=pace, seconds=seconds)
    thinks = [text for _, text in sent[SPECTATOR] if text.startswith("event: thinks") and "player_1" in text]
    assert bool(thinks) == (seconds >= 0.25)


@pytest.mark.parametrize("case", PLANS)
def test_an_agents_faults_cannot_be_counted_and_its_cards_are_not_named(case, monkeypatch):
    how = {"agent": "greedy", "seconds": 0.4, "fails": True, "patch": monkeypatch}
    sent = assert_alike(case, play=played_by_an_agent, **how)
    notes = [json.loads(text.partition("data: ")[2]) for _, text in sent[SPECTATOR] if text.startswith("event: note")]
    assert notes and {note["text"] for note in notes} == {
        "greedy failed: random actions are played instead, and the record will say why"
    }


@pytest.mark.parametrize("case", PLANS)
def test_a_persons_hidden_decisions_cannot_be_counted(case):
    assert_alike(case, play=played_by_people)


@pytest.mark.parametrize("setup", ["2+0", "3+0", "1+1", "4+0"])
def test_no_seat_is_asked_more_often_in_secret_than_the_game_says(setup):
    rules, rng = rules_of("romans-go-home", setup), random.Random(5)
    most, met = rules.hidden_decisions, Counter()
    for _ in range(25):
        served = ServedGame(rules, [Seat(player) for player in rules.players])
        first, number = None, 0
        while not served.game.is_over:
            seat = served.game.seat_to_act
            first = first or rules.decision_kind(served.game.states, 0)
            number += 1
            frames = served.act(rng.choice(served.game.legal_actions())).frames
            if any(found for viewer, found in frames.items() if viewer != rules.players[seat]):
                # What else is asked follows from cards that lie open.
                assert number <= most.get(first, number), (first, number)
                met[first, number], first, number = met[first, number] + 1, None, 0
    assert met["discard", 6] and met["reorder", 2]
