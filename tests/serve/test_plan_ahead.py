"""Several people plan at the same time (RULES 3.2): nobody sees that another does, and the record is as ever."""

import json
import random

import pytest

import romans_env
from romans_env.core.game import Game
from romans_serve.games.plan_ahead import ahead_of
from romans_serve.games.served_game import ServedGame
from romans_serve.games.spectator import SPECTATOR
from romans_serve.games.store import GameEntry, GameStoreError, Seat
from romans_serve.games.views import view_of
from tests.serve.servers import Player, browsers, new_service, people, rules_of

pytestmark = pytest.mark.anyio
RULES = rules_of("romans-go-home")
PEOPLE = [Seat("Ann"), Seat("Ben")]


async def begun(browser, *agents, setup="2+0", **more):
    body = {"game": "romans-go-home", "setup": setup, "seats": people(*agents), **more}
    me = browser()
    made = (await me.post("/api/games", json=body)).json()
    return me, [Player(me, made["id"], seat, random.Random(seat)) for seat in range(len(agents))]


async def planned(player):
    """Choose as long as the seat is asked; the last view."""
    while (view := await player.view())["choices"]:
        reply = await player.act(view)
        assert reply.status_code == 200, reply.text
    return view


def bytes_of(view):
    return json.dumps(view, sort_keys=True)


async def test_the_second_plans_first_and_the_record_is_in_the_order_of_the_seats(browser):
    me, (ann, ben) = await begun(browser, None, None)
    before = [bytes_of(await ann.view()), (await me.get(f"/api/games/{ann.id}/view")).text]
    listed = (await me.get("/api/games")).text
    first = await ben.view()
    assert first["choices"] and first["question"] and first["to_act"] == "player_1" and not first["may_undo"]
    waiting = await planned(ben)
    assert waiting["is_waiting"] and waiting["question"] is None and waiting["may_undo"]
    # Neither the other, nor a spectator, nor the list of games shows anything of it.
    assert [bytes_of(await ann.view()), (await me.get(f"/api/games/{ann.id}/view")).text] == before
    assert (await me.get("/api/games")).text == listed
    refused = await ben.client.post(
        f"/api/games/{ben.id}/act", json={"seat": 1, "move": waiting["move"], "plan": "place:axx"}
    )
    assert refused.status_code == 409 and refused.json()["error"].startswith("your plan is complete")
    view = await planned(ann)
    # The attack has begun: both are shown the first turn.
    assert any("Turn 1" in line for line in view["log"]["lines"])
    assert any("Turn 1" in line for line in (await ben.view())["log"]["lines"])


async def test_whole_games_of_people_who_plan_ahead_replay():
    service = new_service()
    async with browsers(service) as browser:
        for setup, number in (("2+0", 2), ("3+0", 3)):
            _, players = await begun(browser, *[None] * number, setup=setup)
            live, ahead = await service.live(players[0].id), 0
            while not live.served.game.is_over:
                for player in reversed(players):
                    ahead += live.served.ahead(player.seat) is not None
                    if (view := await player.view())["choices"]:
                        assert (await player.act(view)).status_code == 200
            record = live.served.record()
            assert romans_env.replay(record).is_over and ahead >= 3 * (number - 1)
            entries = service.store.entries(players[0].id)
            assert {"held"} <= {entry.kind for entry in entries}
            assert [f"player_{one.seat} {one.value}" for one in entries if one.kind == "action"] == record["actions"]
            again = ServedGame(live.served.rules, live.served.seats, entries)
            assert again.record() == record and again.moves == live.served.moves and not any(again.held)


async def test_what_is_held_can_be_taken_back_and_is_kept_when_the_server_starts_again(tmp_path):
    path = tmp_path / "games.sqlite"
    async with browsers(new_service(path)) as browser:
        me, (ann, ben) = await begun(browser, None, None)
        views = [await ben.view()]
        for _ in range(3):
            await ben.act(views[-1])
            views.append(await ben.view())
        body = {"seat": 1, "move": views[3]["move"]}
        assert (await me.post(f"/api/games/{ben.id}/undo", json=body)).status_code == 200
        view = await ben.view()
        assert view["choices"] == views[2]["choices"] and view["picture"] == views[2]["picture"]
        # The number of a decision that was taken back is that of no other one.
        assert (await me.post(f"/api/games/{ben.id}/undo", json=body)).status_code == 409
    async with browsers(new_service(path)) as browser:
        client = browser()
        client.cookies = me.cookies
        ann, ben = (Player(client, ann.id, seat, random.Random(seat)) for seat in (0, 1))
        assert (await ben.view())["choices"] == view["choices"]
        # The first has planned before the second is ready: what is held is played, and the second goes on.
        await planned(ann)
        now = await ben.view()
        assert now["choices"] == view["choices"] and now["picture"] == view["picture"] and now["move"] == view["move"]
        await planned(ben)
        assert any("Turn 1" in line for line in (await ben.view())["log"]["lines"])


async def test_a_plan_that_does_not_fit_is_refused_in_a_line(browser):
    me, (_, ben) = await begun(browser, None, None)
    for plan, says in (("place:axx", "not legal now"), ("x" * 3000, "not legal now"), ("discard:" + "\n" * 9, "legal")):
        reply = await me.post(f"/api/games/{ben.id}/act", json={"seat": 1, "move": 0, "plan": plan})
        assert reply.status_code == 400 and says in reply.json()["error"] and "\n" not in reply.json()["error"]
    assert (await ben.view())["move"] == 0
    reply = await me.post(f"/api/games/{ben.id}/act", json={"seat": 1, "move": 1, "plan": "place:axx"})
    assert reply.status_code == 409


def test_what_a_seat_sees_ahead_is_the_same_whatever_the_others_have_or_have_chosen():
    """At every decision of the first seat, and for other cards and choices of it, to the byte."""
    seen = set()
    deal = Game(RULES, seed=4).deal()
    for other in range(4):
        deal["rounds"][0]["player_0"] = Game(RULES, seed=10 + other).deal()["rounds"][0]["player_0"]
        served = ServedGame(RULES, PEOPLE)
        served.game = Game(RULES, deal=deal)
        served._open()
        choose = random.Random(other)
        while served.game.seat_to_act == 0:
            seen.add(bytes_of(view_of(served, "player_1")))
            served.act(choose.choice(served.game.legal_actions()))
    assert len(seen) == 1


def test_no_viewer_but_its_own_is_shown_what_a_seat_holds():
    served = ServedGame(RULES, PEOPLE)
    before = [bytes_of(view_of(served, viewer)) for viewer in ("player_0", SPECTATOR)]
    while not (ahead := served.ahead(1)).is_complete:
        own = bytes_of(view_of(served, "player_1"))
        served.hold(1, ahead.game.action_name(ahead.game.legal_actions()[0]))
        assert bytes_of(view_of(served, "player_1")) != own
        assert [bytes_of(view_of(served, viewer)) for viewer in ("player_0", SPECTATOR)] == before
    assert "held" not in served.record() and not served.record()["actions"]


def test_who_may_see_something_first_waits():
    """In an attack, and in games in which nothing is decided in secret."""
    game, choose, waited = Game(RULES, seed=2), random.Random(2), 0
    while not game.is_over:
        other = 1 - game.seat_to_act
        kind = game.rules.decision_kind(game.states, 0)
        ahead = ahead_of(game, other, (), lambda *_: True)
        assert ahead is None
        if kind not in game.rules.hidden_decisions:
            assert ahead_of(game, other, (), lambda *_: False) is None
            waited += 1
        game.act(choose.choice(game.legal_actions()))
    assert waited
    roma = Game(rules_of("roma"), seed=0)
    assert ahead_of(roma, 1, (), lambda *_: False) is None


@pytest.mark.parametrize(
    "entry", [GameEntry("held", 7, "place:axx"), GameEntry("held", None, "x"), GameEntry("released", 1, None)]
)
def test_damaged_entries_of_what_is_held_are_refused(entry):
    served = ServedGame(RULES, PEOPLE)
    with pytest.raises(GameStoreError):
        ServedGame(RULES, PEOPLE, [*served.first_entries(), entry])


def test_what_is_held_and_does_not_fit_the_game_is_not_shown():
    served = ServedGame(RULES, PEOPLE)
    served.hold(1, served.game.action_name(served.game.legal_actions()[0]))
    served.held[1] = ["place:axx"]
    assert served.ahead(1) is None and not view_of(served, "player_1")["choices"]
