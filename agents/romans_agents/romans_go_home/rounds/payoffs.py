"""Payoffs of plans against the other players' plans, by rollouts to the end of a round; and redacted round starts."""

from __future__ import annotations

import numpy as np

from romans_agents.romans_go_home.rounds.attack import determinized
from romans_agents.romans_go_home.rounds.compiled import record_loops
from romans_agents.romans_go_home.rounds.plan_distributions import Cards, Floats
from romans_agents.romans_go_home.rounds.round_networks import round_networks
from romans_env import RomansGoHome
from romans_env.romans_go_home.material import NONE
from romans_env.romans_go_home.state import States


def payoffs_of(root: States, seat: int, plans: Cards, laid: Cards, rng: np.random.Generator) -> Floats:
    """Play every plan of a seat against every sample of the others' plans, and return the seat's payoffs.

    Args:
        root: the record at the start of the round, redacted for the seat, shape ``(1,)``.
        seat: the seat whose plans are compared.
        plans: its plans: int8, shape ``(n, 7)``.
        laid: samples of the plans of all players: int8, shape ``(m, players, 7)``; the seat's own are overwritten.
        rng: the generator of the determinizations, one for each sample.

    Returns:
        The expected returns of the seat: float64, shape ``(n, m)``.
    """
    payoffs = np.empty((len(plans), len(laid)))
    # The last record is the scratch in which the games are played.
    roots = determinized(root, seat, len(laid) + 1, rng)
    record_loops.rollout_payoffs(roots, laid, seat, plans, round_networks(), payoffs)
    return payoffs


def redacted(root: States, seat: int) -> States:
    """Return a copy of a record, shape ``(1,)``, redacted for a seat."""
    view = root.copy()
    RomansGoHome.compiled.redact(view, 0, seat)
    return view


def public_start(root: States) -> States:
    """Return the start of a round between two players with their common knowledge only, a record of shape ``(1,)``.

    The result is the same for the views of both players and for the full state.
    """
    start = root
    for seat in range(2):
        start = redacted(start, seat)
    start["hand"], start["line"] = 0, NONE
    start["set_aside"][0, start["round_index"][0]] = NONE
    record_loops.open_planning(start, 0)
    start["legal"] = 0
    return start
