"""Potential-based shaping leaves the optimal policies of a small table as they are (Ng et al. 1999)."""

import pytest

from romans_env.envs.rewards import PotentialBasedShaping
from romans_env.envs.single import SingleSeatEnv
from romans_env.romans_go_home.setup import SMALL_TABLE

GAMMA = 0.9
TABLE = {**SMALL_TABLE.as_json(), "num_rounds": 2, "fort_deck": 2 * SMALL_TABLE.as_json()["fort_deck"]}


def potential(state):
    """A potential that misleads: it likes few points, and depends on all that the seat sees."""
    return -2.0 * state.points + 0.1 * float(state.observation.sum())


def naive(before, after):
    """The potential as a bonus, without subtracting what the seat had already: no potential-based shaping."""
    return after.game_return + (0.0 if after.is_over else potential(after))


def values(env, found):
    """Note the values of all actions wherever the learner decides, its best play from there on assumed.

    Returns:
        The value of the position.
    """
    of_actions = {}
    for action in env.legal_actions():
        after = env.clone()
        _, reward, is_over, *_ = after.step(action)
        of_actions[action] = reward + (0.0 if is_over else GAMMA * values(after, found))
    (state,) = env._seat_states([env.seat])
    found.append((of_actions, potential(state)))
    return max(of_actions.values())


def solved(reward, seed):
    """All decisions of the learner against a player without chance, in the deal of a seed."""
    env = SingleSeatEnv(["greedy"], seat=seed % 2, reward=reward, **TABLE)
    env.reset(seed=seed)
    found = []
    values(env, found)
    return found


def best(of_actions):
    most = max(of_actions.values())
    return {action for action, value in of_actions.items() if value == pytest.approx(most, abs=1e-9)}


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("reward", ["win", "points"])
def test_optimal_actions_stay(seed, reward):
    plain, shaped = solved(reward, seed), solved(PotentialBasedShaping(potential, reward, GAMMA), seed)
    assert len(plain) == len(shaped) > 50
    for (of_actions, phi), (of_shaped, _) in zip(plain, shaped, strict=True):
        assert best(of_actions) == best(of_shaped)
        assert of_shaped == pytest.approx({action: value - phi for action, value in of_actions.items()})


def test_a_bonus_that_is_no_difference_of_potentials_changes_them():
    pairs = zip(solved("win", 0), solved(naive, 0), strict=True)
    assert any(best(one) != best(other) for (one, _), (other, _) in pairs)
