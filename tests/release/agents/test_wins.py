"""How often agents of all games win: far from what is expected of them, so that chance does not decide."""

import pytest

import romans_agents
from romans_env.core.games import spec_of
from romans_training.measure.evaluation import evaluate

WINS = {
    "romans-go-home": [
        ("greedy", "random", {}, 200, 0, "mean", 0.65),  # 94 % are expected
        *((agent, "random", {}, 60, 0, "mean", 0.55) for agent in ("hoarder", "legionary", "mixer")),
        *((agent, "greedy", {}, 30, 0, "low", 0.6) for agent in ("schemer", "schemer:quick=true")),
        *(
            (f"{agent}:iterations={iterations}", "greedy", {}, 25, 0, "low", 0.55)
            for agent, iterations in (("plan-mc", 400), ("round-ismcts", 200), ("mo-ismcts", 200))
        ),
        ("legate", "greedy", {}, 60, 77, "mean", 0.6),  # 84 % by its card
    ],
    "roma": [
        *((agent, "random", {}, 30, 0, "low", 0.85) for agent in ("forum-runner", "raider", "denier")),
        *((agent, "forum-runner", {}, 8, 0, "mean", 0.6) for agent in ("expectimax", "mo-ismcts:iterations=100")),
        ("policy-rollouts:iterations=60", "forum-runner", {}, 8, 7, "mean", 0.6),
        ("quaestor", "forum-runner", {}, 60, 77, "mean", 0.6),  # 75 % by its card
    ],
    "struggle": [
        ("chieftain", "random", {"player_trade": False}, 20, 0, "low", 0.7),  # even is 25 %
        *((agent, "random", {}, 20, 0, "low", 0.7) for agent in ("plunderer", "kingdom-builder", "trader")),
        ("flat-mc:iterations=20", "random", {"max_rounds": 12}, 3, 0, "mean", 0.7),
        ("stilicho:iterations=20", "kingdom-builder", {"max_rounds": 8}, 3, 7, "mean", 0.4),
    ],
}
"""Agents, the rival on all other seats, the setup, deals and their seed, and what an end of the win rate is above."""


@pytest.mark.parametrize(
    ("game", "agent", "rival", "setup", "deals", "seed", "end", "least"),
    [pytest.param(game, *row, id=f"{game}-{row[0]}-{row[1]}") for game, rows in WINS.items() for row in rows],
)
def test_an_agent_wins_more_than_so_often(game, agent, rival, setup, deals, seed, end, least):
    rules = spec_of(game).make_rules(**setup)
    rivals = [romans_agents.make(rival, game=game) for _ in range(rules.num_players - 1)]
    found = evaluate(romans_agents.make(agent, game=game), rivals, rules, deals, seed)
    assert getattr(found.win_rate, end) > least
