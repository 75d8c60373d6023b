"""What rivals whose agent is not known may lay: as a policy does, or as a player who evaluates plans by samples."""

from __future__ import annotations

import numpy as np

from romans_agents.romans_go_home import plan_search
from romans_agents.romans_go_home.plan_mc import sample_plans
from romans_agents.romans_go_home.rounds.beliefs import begin_planning, possible_hands
from romans_agents.romans_go_home.rounds.plan_distributions import Cards, Plans
from romans_agents.romans_go_home.styles import QUICK_SCHEMER
from romans_env import RomansGoHome, Table
from romans_env.romans_go_home.material import HAND_SIZE, NUM_WARRIORS
from romans_env.romans_go_home.state import States


def schemed_plans(root: States, seat: int, table: Table, each: int, rng: np.random.Generator) -> Plans:
    """Plans that `schemer` may make with few samples, over all hands that the seat may have drawn.

    Args:
        root: a game at the start of the round, shape (1,).
        seat: whose plans.
        table: of the game.
        each: plans for each hand.
        rng: of the samples.
    """
    hands, chances = possible_hands(table)
    states = np.repeat(root, len(hands) * each)
    begin_planning(states, seat, np.repeat(hands, each, axis=0), table)
    return Plans(searched_plans(QUICK_SCHEMER, states, rng), np.repeat(chances / each, each))


def searched_plans(agent_code: int, states: States, rng: np.random.Generator) -> Cards:
    """Plans that a player makes who evaluates plans by samples: of the seat that begins to plan, int8, shape (n, 7)."""
    plans = np.zeros((len(states), HAND_SIZE), dtype=np.int64)
    records = np.empty(plan_search.NUM_RECORDS, dtype=states.dtype)
    streams = rng.integers(0, 2**32, size=(1, 4), dtype=np.int64)
    for k, seat in enumerate(states["seat"].tolist()):
        records[:] = states[k]
        RomansGoHome.compiled.redact(records, 0, seat)
        plan_search.make_plan_in(agent_code, records, seat, plans[k], streams)
    return plans.astype(np.int8)


def plausible_plans(root: States, seat: int, table: Table, each: int, rng: np.random.Generator) -> Plans:
    """Plans that a seat may well make, at most ``each`` for every hand, each as likely as the next."""
    hands, chances = possible_hands(table)
    found = [candidate_plans(root, seat, hand, each, table, rng) for hand in hands]
    weights = [np.full(len(plans), chance / len(plans)) for plans, chance in zip(found, chances, strict=True)]
    return Plans(np.concatenate(found), np.concatenate(weights))


def candidate_plans(root: States, seat: int, hand: Cards, count: int, table: Table, rng: np.random.Generator) -> Cards:
    """Different plans worth a try from a hand: int8, shape (n, 7), n at most ``count``."""
    views = root.copy()
    views["hand"][0, seat] = np.bincount(hand, minlength=NUM_WARRIORS)
    plans = np.zeros((count, HAND_SIZE), dtype=np.int64)
    sample_plans(views, seat, plans, rng.integers(0, 2**32, size=(1, 4), dtype=np.int64))
    plans[:, table.hand_size :] = 0
    return np.unique(plans, axis=0).astype(np.int8)


def mixed(parts: list[tuple[Plans, float]]) -> Plans:
    """Plans of several distributions, each with its share of the probability."""
    return Plans(
        np.concatenate([one.plans for one, _ in parts]), np.concatenate([one.weights * share for one, share in parts])
    )
