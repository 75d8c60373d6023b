"""How often agents of all games win: far from what is expected of them, so that chance does not decide."""

from dataclasses import dataclass, field
from typing import Any

import pytest

import romans_agents
from romans_env.core.games import spec_of
from romans_training.measure.evaluation import evaluate


@dataclass(frozen=True)
class Claim:
    """How often an agent wins.

    Attributes:
        agent: its spec.
        rival: the spec of the agent on all other seats.
        deals: how many are played, each from every seat.
        above: what the win rate, or the low end of its interval, is above.
        end: "low" or "mean".
        seed: of the deals.
        setup: settings of the game.
    """

    agent: str
    rival: str
    deals: int
    above: float
    end: str
    seed: int = 0
    setup: dict[str, Any] = field(default_factory=dict)


WINS = {
    "romans-go-home": [
        Claim("greedy", "random", deals=200, end="mean", above=0.65),  # 94 % are expected
        Claim("hoarder", "random", deals=60, end="mean", above=0.55),
        Claim("legionary", "random", deals=60, end="mean", above=0.55),
        Claim("mixer", "random", deals=60, end="mean", above=0.55),
        Claim("schemer", "greedy", deals=30, end="low", above=0.6),
        Claim("schemer:quick=true", "greedy", deals=30, end="low", above=0.6),
        Claim("plan-mc:iterations=400", "greedy", deals=25, end="low", above=0.55),
        Claim("round-ismcts:iterations=200", "greedy", deals=25, end="low", above=0.55),
        Claim("mo-ismcts:iterations=200", "greedy", deals=25, end="low", above=0.55),
        Claim("legate", "greedy", deals=60, seed=77, end="mean", above=0.6),  # 84 % by its card
    ],
    "roma": [
        Claim("forum-runner", "random", deals=30, end="low", above=0.85),
        Claim("raider", "random", deals=30, end="low", above=0.85),
        Claim("denier", "random", deals=30, end="low", above=0.85),
        Claim("expectimax", "forum-runner", deals=8, end="mean", above=0.6),
        Claim("mo-ismcts:iterations=100", "forum-runner", deals=8, end="mean", above=0.6),
        Claim("policy-rollouts:iterations=60", "forum-runner", deals=8, seed=7, end="mean", above=0.6),
        Claim("quaestor", "forum-runner", deals=60, seed=77, end="mean", above=0.6),  # 75 % by its card
    ],
    "struggle": [
        Claim("chieftain", "random", deals=20, end="low", above=0.7, setup={"player_trade": False}),  # even is 25 %
        Claim("plunderer", "random", deals=20, end="low", above=0.7),
        Claim("kingdom-builder", "random", deals=20, end="low", above=0.7),
        Claim("trader", "random", deals=20, end="low", above=0.7),
        Claim("flat-mc:iterations=20", "random", deals=3, end="mean", above=0.7, setup={"max_rounds": 12}),
        Claim(
            "stilicho:iterations=20", "kingdom-builder", deals=3, seed=7, end="mean", above=0.4, setup={"max_rounds": 8}
        ),
    ],
}


@pytest.mark.parametrize(
    ("game", "claim"),
    [
        pytest.param(game, claim, id=f"{game}-{claim.agent}-{claim.rival}")
        for game, claims in WINS.items()
        for claim in claims
    ],
)
def test_an_agent_wins_more_than_so_often(game, claim):
    rules = spec_of(game).make_rules(**claim.setup)
    rivals = [romans_agents.make(claim.rival, game=game) for _ in range(rules.num_players - 1)]
    found = evaluate(romans_agents.make(claim.agent, game=game), rivals, rules, claim.deals, claim.seed)
    assert getattr(found.win_rate, claim.end) > claim.above
