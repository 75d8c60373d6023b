"""Plausible plans of opponents whose agent is not known."""

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
    """Return a distribution over plans of the quick `schemer`, for all hands that the seat may have drawn.

    Args:
        root: a game at the start of the round, shape ``(1,)``.
        seat: the planning seat.
        table: the setup of the game.
        each: the number of plans for each hand.
        rng: the generator of the samples.
    """
    hands, chances = possible_hands(table)
    states = np.repeat(root, len(hands) * each)
    begin_planning(states, seat, np.repeat(hands, each, axis=0), table)
    return Plans(searched_plans(QUICK_SCHEMER, states, rng), np.repeat(chances / each, each))


def searched_plans(agent_code: int, states: States, rng: np.random.Generator) -> Cards:
    """Return plans of `schemer` or `mixer` for the seat that is about to plan in each game.

    Args:
        agent_code: the code of the player.
        states: records, shape ``(n,)``.
        rng: the generator of the player's samples.

    Returns:
        Plans: int8, shape ``(n, 7)``.
    """
    plans = np.zeros((len(states), HAND_SIZE), dtype=np.int64)
    records = np.empty(plan_search.NUM_RECORDS, dtype=states.dtype)
    streams = rng.integers(0, 2**32, size=(1, 4), dtype=np.int64)
    for k, seat in enumerate(states["seat"].tolist()):
        records[:] = states[k]
        RomansGoHome.compiled.redact(records, 0, seat)
        plan_search.make_plan_in(agent_code, records, seat, plans[k], streams)
    return plans.astype(np.int8)


def plausible_plans(root: States, seat: int, table: Table, each: int, rng: np.random.Generator) -> Plans:
    """Return a distribution over candidate plans, at most ``each`` for every hand, uniform for each hand.

    Args:
        root: a game at the start of the round, shape ``(1,)``.
        seat: the planning seat.
        table: the setup of the game.
        each: the most plans for each hand.
        rng: the generator of the samples.
    """
    hands, chances = possible_hands(table)
    found = [candidate_plans(root, seat, hand, each, table, rng) for hand in hands]
    weights = [np.full(len(plans), chance / len(plans)) for plans, chance in zip(found, chances, strict=True)]
    return Plans(np.concatenate(found), np.concatenate(weights))


def candidate_plans(root: States, seat: int, hand: Cards, count: int, table: Table, rng: np.random.Generator) -> Cards:
    """Return distinct candidate plans for a hand.

    Args:
        root: a game at the start of the round, shape ``(1,)``.
        seat: the planning seat.
        hand: the hand, as kinds of warriors: int8, shape ``(hand_size,)``.
        count: the most plans.
        table: the setup of the game.
        rng: the generator of the samples.

    Returns:
        Plans: int8, shape ``(n, 7)``, with n at most ``count``.
    """
    views = root.copy()
    views["hand"][0, seat] = np.bincount(hand, minlength=NUM_WARRIORS)
    plans = np.zeros((count, HAND_SIZE), dtype=np.int64)
    sample_plans(views, seat, plans, rng.integers(0, 2**32, size=(1, 4), dtype=np.int64))
    plans[:, table.hand_size :] = 0
    return np.unique(plans, axis=0).astype(np.int8)


def mixed(parts: list[tuple[Plans, float]]) -> Plans:
    """Return the mixture of several distributions over plans, given with their shares, which sum to 1."""
    return Plans(
        np.concatenate([one.plans for one, _ in parts]), np.concatenate([one.weights * share for one, share in parts])
    )
