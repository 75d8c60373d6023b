"""ROMA 8: decisions and actions."""

from romans_env.roma.actions import ACTION_NAMES
from romans_env.roma.material import CARDS
from tests.roma.stages import RULES, positions

MAY_ASK = {
    "give": {"give"},
    "lay": {"lay", "stop"},
    "triple": {"throw", "stand"},
    "main": {"lay", "money", "cards", "activate", "end"},
    "keep": {"keep"},
    "take": {"take"},
    "own": {"own", "stop"},
    "rival": {"rival"},
    "die": {"die", "stop"},
    "sign": {"plus", "minus"},
    "buy": {"buy"},
}


def test_8_1_kinds_of_decision_and_their_actions():
    asked = set()
    for game in positions(range(40)):
        if game.is_over:
            continue
        kind = game.position()["decision"]["kind"]
        asked.add(kind)
        assert {game.action_name(action).split(":")[0] for action in game.legal_actions()} <= MAY_ASK[kind]
        assert game.rules.decision_kind(game.states, 0) == kind
    assert asked == set(MAY_ASK)


def test_8_2_the_ids():
    ids = {f"give:{card}": kind for kind, card in enumerate(CARDS)}
    ids |= {f"lay:{card}:{disc}": 24 + 6 * k + disc for k, card in enumerate(CARDS) for disc in range(1, 7)}
    ids |= {"throw": 175, "stand": 176, "end": 195, "plus": 264, "minus": 265, "stop": 266}
    blocks = {"money": 176, "cards": 182, "activate": 188, "own": 245, "rival": 251, "die": 257}
    ids |= {f"{name}:{n}": first + n for name, first in blocks.items() for n in range(1, 7)}
    ids |= {f"keep:{card}": 196 + kind for kind, card in enumerate(CARDS)}
    ids |= {f"take:{card}": 221 + kind for kind, card in enumerate(CARDS)}
    ids |= {f"buy:{n}": 266 + n for n in range(1, 35)}
    assert {name: action for action, name in enumerate(ACTION_NAMES)} == ids
    assert all(RULES.action_id(name) == action and RULES.action_name(action) == name for name, action in ids.items())
    assert RULES.num_actions == 301
