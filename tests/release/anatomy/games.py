"""Games that the analyses are tried on, and what happened in them, taken from their records and events alone."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from notebooks.anatomy import PlayedGames, played_games
from romans_agents import PolicyAgent
from romans_env import Game, Table, replay
from tests.policies import some_policy
from tests.romans_go_home.stages import SMALL_TABLES

TABLES = ((2, 1, "standard"), (3, 0, "vogel"), *SMALL_TABLES[:2])
"""Arguments of the tables that countings are checked at."""


@cache
def some_games(table: tuple[Any, ...] = TABLES[0]) -> PlayedGames:
    """A few games of `random` (who does everything there is to do), of a policy, and of `greedy`."""
    policy = PolicyAgent.of(some_policy(), "policy", sample=True)
    return played_games(["random", policy, "greedy"][: table[0]], Table(*table), num_deals=8, seed=3)


def games_again(games: PlayedGames) -> Iterator[tuple[int, dict[str, Any], Game]]:
    """Each game's number, its record, and the game that the record gives."""
    for number in range(len(games.states)):
        record = games.record(number)
        yield number, record, replay(record)


@dataclass
class RecordedPlan:
    """A player's plan of a round, and its line as it was revealed.

    Attributes:
        agent: its label.
        hand: what it was dealt.
        set_aside: a name.
        line: as it was laid.
        wall: when the round began.
        shown: what it revealed, turn by turn; shorter where the game ended.
    """

    agent: str
    hand: list[str]
    wall: list[str]
    set_aside: str = ""
    line: list[str] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)


def recorded_plans(record: dict[str, Any], game: Game) -> list[RecordedPlan]:
    """The plans of a game: texts of its actions, filled up with what the hands leave."""
    plans: list[RecordedPlan] = []
    now: dict[str, RecordedPlan] = {}
    for event in game.events():
        if event.kind == "round":
            hands = record["deal"]["rounds"][event.details["round"] - 1]
            now = {
                player: RecordedPlan(agent, hands[player], event.details["wall"])
                for player, agent in record["agents"].items()
            }
            plans += now.values()
        elif event.kind == "action":
            kind, _, choice = event.details["action"].partition(":")
            if kind == "discard":
                now[event.details["clan"]].set_aside = choice
            elif kind == "place":
                now[event.details["clan"]].line.append(choice)
        elif event.kind == "reveal":
            for player, plan in now.items():
                plan.shown.append(event.details["warriors"][player])
    for plan in plans:
        left = Counter(plan.hand) - Counter(plan.line) - Counter([plan.set_aside])
        assert len(left) <= 1 or not plan.set_aside
        if plan.set_aside:
            plan.line += left.elements()
    return [plan for plan in plans if plan.set_aside]
