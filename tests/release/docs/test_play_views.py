"""The page without a server shows what `romans serve` shows: the same pictures, choices, lines and records."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from romans_agents import make
from romans_env import Game, replay
from romans_env.core.games import spec_of
from romans_serve.games.served_game import ServedGame
from romans_serve.games.store import Seat
from romans_serve.games.views import frame_as_json, players_as_json, view_of

HERE = Path(__file__).parent
RIVALS = {
    "romans-go-home": ("greedy", "hoarder"),
    "roma": ("raider", "denier"),
    "struggle": ("chieftain", "trader", "plunderer"),
}
SETTINGS = {
    "romans-go-home": {
        "2 players, no neutral clan": {"num_players": 2},
        "2 players, 1 neutral clan": {"num_players": 2, "num_neutrals": 1},
        "3 players, no neutral clan": {"num_players": 3},
    },
    "roma": {"Roma": {}},
    "struggle": {"4 players": {"num_players": 4}, "3 players": {"num_players": 3}},
}
"""By game, the settings of the setups that the page offers."""
NUMBERS = {"romans-go-home": 5, "roma": 10, "struggle": 1}
"""Games of each setup."""
MOST = 400
"""Decisions of a game that are compared: those of Struggle for Rome may be a thousand."""
pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="needs node")


def rules_of(name, setup):
    return spec_of(name).part("rules").from_settings(**SETTINGS[name][setup])


def asked():
    """The games to be played, each from another seat, on a wide screen or a narrow one."""
    found = []
    for name, setup in ((name, setup) for name, setups in SETTINGS.items() for setup in setups):
        players = rules_of(name, setup).num_players
        for seed in range(NUMBERS[name]):
            agents = [RIVALS[name][(seed + k) % len(RIVALS[name])] for k in range(players)]
            agents[seed % players] = None
            found.append({"name": name, "setup": setup, "seed": seed, "agents": agents, "isNarrow": seed % 2 == 1})
    return [{**one, "most": MOST} for one in found]


@pytest.fixture(scope="module")
def answered(modules):
    (modules / "asked.json").write_text(json.dumps({"games": asked()}))
    subprocess.run(["node", HERE / "play_views.mjs", modules], check=True)
    return json.loads((modules / "answered.json").read_text())["played"]


def served(game):
    """The views that a server would send of a game, and the game."""
    rules, agents = rules_of(game["name"], game["setup"]), game["agents"]
    served = ServedGame(rules, [Seat(name=agent or "you", agent=agent) for agent in agents])
    served.game = Game(rules, seed=game["seed"])
    served._open()
    # On the page agents decide at once, so that nobody plans while another does.
    served.ahead = lambda seat: None
    viewer = rules.players[agents.index(None)]
    made = [make(agent, game=game["name"]) if agent else None for agent in agents]
    views = [{**view_of(served, viewer, game["isNarrow"]), "players": players_as_json(rules, served.seats, viewer)}]
    for number in range(game["most"]):
        if served.game.is_over:
            break
        seat, legal = served.game.seat_to_act, served.game.legal_actions()
        action = made[seat].act(served.game.view(seat)) if made[seat] else legal[number * 7 % len(legal)]
        for frame in served.act(action).frames[viewer]:
            views.append(frame_as_json(served, viewer, frame, game["isNarrow"]))
    return views, served.game


@pytest.mark.parametrize("number", range(len(asked())))
def test_what_is_shown_is_what_a_server_sends(answered, number):
    game, shown = asked()[number], answered[number]
    views, played = served(game)
    # On the page no choice is taken back.
    for view in views:
        view["may_undo"] = False
    assert len(shown["views"]) == len(views) > 20
    for here, there in zip(shown["views"], json.loads(json.dumps(views)), strict=True):
        assert {name: here[name] for name in there} == there
    assert shown["record"] == {**played.record(), "agents": dict(zip(played.players, game["agents"], strict=True))}
    if played.is_over:
        assert replay(shown["record"]).is_over
    else:
        assert game["name"] == "struggle"
