"""Reviews in the browser: their parts as they come, who may see them, and mistakes to be tried again."""

import asyncio
import json
import random

import pytest

from romans_serve.games.service import Service
from romans_serve.games.store import GameStore
from romans_serve.thinking import Reviewed, ReviewPart, ThinkingError
from romans_serve.web import latest
from tests.serve.servers import GAMES, OFFERS, InProcess, Player, browsers, people

pytestmark = pytest.mark.anyio


class Judging(InProcess):
    """A thinker that finds two mistakes of the first player, of which the second one cost more."""

    is_wrong = False

    async def review(self, rules, record, on_part):
        own = [k for k, line in enumerate(record["actions"]) if line.startswith("player_0 ")]
        found = [self._mistake(record, action, loss) for action, loss in ((own[-3], 0.1), (own[-2], 0.24))]
        for number, mistake in enumerate(found, 1):
            on_part(ReviewPart(0.4 * number, mistake))
            await asyncio.sleep(3 * latest.LOOK_FOR_CLIENT)
        if self.is_wrong:
            raise ThinkingError("it fails")
        return Reviewed("<html>", ["player_0 lost with 2 mistakes."], {"player_0": {"loss": 0.34}}, found[::-1])

    def _mistake(self, record, action, loss):
        name = record["actions"][action].split()[1]
        return {
            "action": action,
            "player": "player_0",
            "line": f"turn 3: {loss}",
            "loss": loss,
            "played": "keep what player_1 left",
            "better": "take what player_1 left",
            "share": 0.4,
            "better_share": 0.4 + loss,
            "better_actions": ["the best"],
            "shares": [[[name], 0.4], [["the best"], 0.4 + loss]],
        }


@pytest.fixture(autouse=True)
def fast(monkeypatch):
    monkeypatch.setattr(latest, "LOOK_FOR_CLIENT", 0.02)


async def over(client, game="dice-race", **more):
    """A game against an agent that was played to its end."""
    body = {"game": game, "setup": GAMES[game], "seats": people(None, "random"), **more}
    made = (await client.post("/api/games", json=body)).json()
    player = Player(client, made["id"], 0, random.Random(3))
    while not (view := await player.view())["is_over"]:
        if view["choices"]:
            await player.act(view)
        await asyncio.sleep(0)
    return made["id"]


def events_in(text):
    parts = [part for part in text.split("\n\n") if part.startswith("event: ")]
    return [(head.removeprefix("event: "), json.loads(data)) for head, data in (p.split("\ndata: ") for p in parts)]


def judged(path=":memory:"):
    return Service(GameStore(path), Judging(), OFFERS)


async def test_mistakes_are_sent_as_they_are_found_and_then_the_whole_with_the_worst_first():
    async with browsers(judged()) as browser:
        me, other = browser(), browser()
        id = await over(me)
        replies = await asyncio.gather(
            me.get(f"/api/games/{id}/review/events?seat=0"), other.get(f"/api/games/{id}/review/events")
        )
        own, others = (events_in(reply.text) for reply in replies)
        assert replies[0].headers["content-type"].startswith("text/event-stream")
        for events in (own, others):
            assert [kind for kind, _ in events] == ["part", "part", "review"]
            assert [event["share"] for _, event in events[:2]] == [0.4, 0.8]
            assert [one["loss"] for _, event in events[:2] for one in event["mistakes"]] == [0.1, 0.24]
            assert [one["loss"] for one in events[2][1]["mistakes"]] == [0.24, 0.1]
        assert own[2][1]["sentences"] == ["You lost with 2 mistakes."]
        assert others[2][1]["sentences"] == ["player 1 lost with 2 mistakes."]
        assert own[0][1]["mistakes"][0]["name"] == "you" and "player_1" not in own[0][1]["mistakes"][0]["played"]
        # What is better is told; which of all choices were compared is not sent.
        assert "shares" not in own[0][1]["mistakes"][0]
        again = events_in((await me.get(f"/api/games/{id}/review/events?seat=0")).text)
        assert again == own[2:]
        assert (await me.get(f"/api/games/{id}/review?seat=0")).json() == own[2][1]


async def test_a_review_that_fails_is_told_in_a_line_and_can_be_asked_for_again():
    service = judged()
    service.thinker.is_wrong = True
    async with browsers(service) as browser:
        me = browser()
        id = await over(me)
        events = events_in((await me.get(f"/api/games/{id}/review/events")).text)
        assert events[-1] == ("failed", {"error": "there is no review: it fails"})
        service.thinker.is_wrong = False
        assert events_in((await me.get(f"/api/games/{id}/review/events")).text)[-1][0] == "review"


async def test_only_so_many_wait_for_a_review(monkeypatch):
    monkeypatch.setattr(latest, "MOST_WAITING", 2)
    monkeypatch.setattr(latest, "MOST_MAKING", 1)
    async with browsers(judged()) as browser:
        me = browser()
        one, other = await over(me), await over(me)
        waiting = [asyncio.create_task(me.get(f"/api/games/{one}/review/events")) for _ in range(2)]
        await asyncio.sleep(0.03)
        for path in (f"{one}/review/events", f"{one}/review", f"{other}/review/events"):
            assert (await me.get(f"/api/games/{path}")).status_code == 429
        for reply in await asyncio.gather(*waiting):
            assert events_in(reply.text)[-1][0] == "review"
        assert events_in((await me.get(f"/api/games/{other}/review/events")).text)[-1][0] == "review"


async def test_a_mistake_is_tried_again_from_the_position_before_it(tmp_path):
    path = tmp_path / "games.sqlite"
    async with browsers(judged(path)) as browser:
        me, other = browser(), browser()
        id = await over(me)
        record = (await me.get(f"/api/games/{id}/record")).json()
        worst = (await me.get(f"/api/games/{id}/review")).json()["mistakes"][0]
        made = await me.post(f"/api/games/{id}/puzzle", json={"action": worst["action"]})
        assert made.status_code == 201 and made.json()["seats"] == [0] and made.json()["links"] == []
        new = made.json()["id"]
        player = Player(me, new, 0, random.Random(0))
        view = await player.view()
        assert view["choices"] and not view["may_undo"]
        assert view["puzzle"] == {"line": "turn 3: 0.24", "answer": None}
        # It is nobody else's, and is not listed.
        assert (await other.get(f"/api/games/{new}/view")).status_code == 404
        assert new not in [one["id"] for one in (await other.get("/api/games")).json()]
        spectators = (await me.get(f"/api/games/{new}/view")).json()
        assert "puzzle" not in spectators
    # It is there after a restart, too.
    async with browsers(judged(path)) as browser:
        client = browser()
        client.cookies = me.cookies
        player = Player(client, new, 0, random.Random(0))
        assert (await player.view())["puzzle"] == view["puzzle"]
        played = record["actions"][worst["action"]].split()[1]
        body = {"seat": 0, "move": view["move"], "plan": played}
        assert (await client.post(f"/api/games/{new}/act", json=body)).status_code == 200
        answer = (await player.view())["puzzle"]["answer"]
        assert answer == "That leaves 40 % to win. Better, with 64 %: take what random left."
        while not (view := await player.view())["is_over"]:
            if view["choices"]:
                await player.act(view)
            await asyncio.sleep(0)
        again = (await client.get(f"/api/games/{new}/record")).json()
        assert again["actions"][: worst["action"] + 1] == record["actions"][: worst["action"] + 1]


async def test_the_answer_says_what_it_was_worth():
    service = judged()
    async with browsers(service) as browser:
        me = browser()
        id = await over(me)
        worst = (await me.get(f"/api/games/{id}/review")).json()["mistakes"][0]
        said = []
        for best in (True, False):
            made = (await me.post(f"/api/games/{id}/puzzle", json={"action": worst["action"]})).json()
            live = await service.live(made["id"])
            player = Player(me, made["id"], 0, random.Random(0))
            view = await player.view()
            if best:
                live.served.puzzle._better = (view["choices"][0]["action"],)
                live.served.puzzle._shares = {(view["choices"][0]["action"],): 0.64}
            else:
                live.served.puzzle._shares = {}
            body = {"seat": 0, "move": view["move"], "plan": view["choices"][0]["action"]}
            await me.post(f"/api/games/{made['id']}/act", json=body)
            said.append((await player.view())["puzzle"]["answer"])
        assert said[0] == "That was the best choice found: 64 % to win."
        assert said[1].startswith("That choice was not examined. The best of those examined, with 64 % to win: ")


async def test_what_is_no_mistake_of_a_game_that_is_over_is_refused():
    async with browsers(judged()) as browser:
        me, other = browser(), browser()
        id, hidden = await over(me), await over(me, is_open=False)
        body = {"game": "dice-race", "setup": GAMES["dice-race"], "seats": people(None, "random")}
        running = (await me.post("/api/games", json=body)).json()["id"]
        for game, asked, status in (
            (id, {"action": 0}, 404),
            (id, {"action": -1}, 422),
            (id, {"action": 10**9}, 422),
            (id, {"action": "0"}, 422),
            (id, {}, 422),
            (id, {"action": 0, "more": 1}, 422),
            (running, {"action": 0}, 409),
            ("x", {"action": 0}, 404),
        ):
            reply = await me.post(f"/api/games/{game}/puzzle", json=asked)
            assert reply.status_code == status and "\n" not in reply.json()["error"]
        reply = await me.post(f"/api/games/{id}/puzzle", json={"action": 0})
        assert "no mistake was made at action 0; mistakes were made at " in reply.json()["error"]
        assert (await other.post(f"/api/games/{hidden}/puzzle", json={"action": 0})).status_code == 404
        assert (await other.get(f"/api/games/{hidden}/review/events")).status_code == 404
        assert (await other.get(f"/api/games/{id}/review/events?seat=0")).status_code == 403
