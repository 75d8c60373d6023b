"""Heuristic values: the value of a fort to a clan, and of a game between two rounds to its players.

The value of a game is each player's probability of winning, with odds exp(x / scale), where x is the player's points
plus a bonus for Legion forts while three are still possible (RULES 5.4). Scales and bonuses were fitted by maximum
likelihood to 20 000 games between `greedy` and players with loose plans, on each of 2+0, 2+1, 2+2, 3+0, 3+1 and 4+0.
They depend on the number of clans that share the forts.
"""

from __future__ import annotations

import numpy as np

from romans_agents.loops.score_priors import exponentiate
from romans_env.compiling.decorators import inlined, jitted
from romans_env.romans_go_home.end import return_of
from romans_env.romans_go_home.material import MAX_CLANS, NONE, NUM_LEGION_KINDS, NUM_ROUNDS, POINTS, TAX, UNWARY
from romans_env.romans_go_home.state import PHASE_GAME_OVER, State

# Chosen from eight variants by the win rate against `random` on 2+0, 2+1, 4+0 and in 1+2, 4 000 games or more each.
# Higher values win more on 2+0 (93 % for 6, 12, 40) and less with three rivals; with none at all 2+0 falls to 26 %.
LEGION_VALUES = np.array([4.0, 10.0, 40.0, 40.0])
"""The value of a Legion fort, in points, by the number that the player holds, if three are still possible."""

# For each number of clans, by the number of finished rounds: scales, and bonuses for one and for two Legion forts.
_TWO_CLANS = [12.0, 11.9, 8.8], [15.0, 15.0, 9.0], [25.0, 25.0, 27.0]
_THREE_CLANS = [9.0, 7.7, 5.9], [7.6, 7.6, 2.6], [16.0, 15.7, 19.5]
_FOUR_CLANS = [7.0, 5.5, 4.2], [5.5, 5.5, 0.8], [13.0, 13.0, 16.0]
_SCALES, _ONE_LEGION, _TWO_LEGION = (
    np.array([_TWO_CLANS, _TWO_CLANS, _TWO_CLANS, _THREE_CLANS, _FOUR_CLANS]).transpose(1, 0, 2).copy()
)


@inlined
def fort_value(state: State, seat, fort):
    """Return the value of a fort to a clan, in points."""
    if fort == NONE:
        return 0.0
    if fort < NUM_LEGION_KINDS and seat < state.num_players:
        held = np.int64(state.num_legion[seat])
        if held + legion_within_reach(state) >= 3:
            return LEGION_VALUES[min(held, np.int64(3))]
    value = float(POINTS[fort])
    if fort == UNWARY:
        value += 1.0
    elif fort == TAX:
        value -= 1.5
    return value


@inlined
def legion_within_reach(state: State):
    """Return the number of Legion forts that have been neither captured nor discarded."""
    count = np.int64(0)
    for fort in range(NUM_LEGION_KINDS):
        count += state.fort_deck[fort] - state.lost_forts[fort]
    for seat in range(state.num_clans):
        count -= np.int64(state.num_legion[seat])
    return count


@inlined
def counts_as_rival(state: State, seat):
    """Return whether a clan competes for the win: players, and neutrals in a solo game (RULES 7.3)."""
    return seat < state.num_players or state.num_players == 1


@inlined
def rounds_over(state: State):
    """Return the number of finished rounds, of three; a shorter game counts as the last rounds of three."""
    return NUM_ROUNDS - state.num_rounds + state.round_index


@inlined
def rated_points(state: State, seat):
    """Return a clan's points plus the bonus for its Legion forts."""
    value = float(state.points[seat])
    held = np.int64(state.num_legion[seat])
    if seat < state.num_players and held > 0 and held + legion_within_reach(state) >= 3:
        table = _ONE_LEGION if held == 1 else _TWO_LEGION
        value += table[state.num_clans, rounds_over(state)]
    return value


@jitted
def expected_returns(state: State, returns):
    """Write each player's return (RULES 7.3, 7.4): the actual one if the game is over, otherwise the expected one.

    Args:
        state: the record.
        returns: float64, shape ``(4,)``; the players' entries are written.
    """
    if state.phase == PHASE_GAME_OVER:
        for seat in range(state.num_players):
            returns[seat] = return_of(state, seat)
        return
    ranked = state.num_clans if state.num_players == 1 else state.num_players
    scale = _SCALES[state.num_clans, rounds_over(state)]
    odds = np.zeros(MAX_CLANS)
    for seat in range(ranked):
        odds[seat] = rated_points(state, seat) / scale
    total = exponentiate(odds, ranked, 1.0)
    for seat in range(state.num_players):
        share = odds[seat] / total
        if state.num_players == 1:
            returns[seat] = 2.0 * share - 1.0
        else:
            returns[seat] = (state.num_players * share - 1.0) / (state.num_players - 1.0)
