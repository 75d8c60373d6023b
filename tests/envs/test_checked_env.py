"""`env()` has the guarantees of PettingZoo's three usual wrappers built in: both are played side by side."""

import numpy as np
import pytest
from pettingzoo.utils import wrappers
from pettingzoo.utils.env_logger import EnvLogger

from romans_env import romans_go_home_v0
from romans_env.engine.ends import ILLEGAL_REWARD
from tests.envs.playing import settings_of
from tests.romans_go_home.stages import COVERING, table_id

ATTRIBUTES = ("agents", "agent_selection", "rewards", "terminations", "truncations", "infos", "_cumulative_rewards")


@pytest.fixture(autouse=True)
def quiet():
    EnvLogger.suppress_output()
    EnvLogger.flush()
    yield
    EnvLogger.flush()
    EnvLogger.unsuppress_output()


def wrapped(*args, **kwargs):
    env = romans_go_home_v0.raw_env(*args, **kwargs)
    env = wrappers.TerminateIllegalWrapper(env, illegal_reward=ILLEGAL_REWARD)
    env = wrappers.AssertOutOfBoundsWrapper(env)
    return wrappers.OrderEnforcingWrapper(env)


def outcome(call):
    """What a call gives: its result or its error, and the warnings."""
    EnvLogger.flush()
    try:
        result = call()
    except Exception as error:
        result = (type(error), str(error))
    return result, list(EnvLogger.mqueue)


def seen(env):
    """All that a user sees of an environment."""
    told = {name: outcome(lambda name=name: getattr(env, name))[0] for name in ATTRIBUTES}
    if isinstance(told["_cumulative_rewards"], tuple):
        told["_cumulative_rewards"] = "missing"  # the error names the class
    told["num_agents"] = outcome(lambda: env.num_agents)[0]
    for agent in env.possible_agents:
        observation = outcome(lambda agent=agent: env.observe(agent))[0]
        told[f"observe {agent}"] = (
            {key: value.tolist() for key, value in observation.items()}
            if isinstance(observation, dict)
            else observation
        )
    state = outcome(env.state)[0]
    told["state"] = state.tolist() if isinstance(state, np.ndarray) else state
    return told


def both(table=(2, 0, "standard"), seed=None, **kwargs):
    """`env()`, and PettingZoo's wrappers around `raw_env()`; reset where a seed is given."""
    pair = [make(**settings_of(table), **kwargs) for make in (romans_go_home_v0.env, wrapped)]
    for env in pair if seed is not None else []:
        env.reset(seed=seed)
    return pair


def step_both(one, two, action):
    first, second = outcome(lambda: one.step(action)), outcome(lambda: two.step(action))
    assert first == second, action
    assert seen(one) == seen(two)
    return first


@pytest.mark.parametrize("table", COVERING, ids=table_id)
def test_whole_games_are_the_same(table):
    rng = np.random.default_rng(0)
    one, two = both(table, seed=1, reward="points" if table[0] == 2 else "win")
    while one.agents:
        mask = one.last()[0]["action_mask"]
        step_both(one, two, int(rng.choice(mask.nonzero()[0])) if mask.any() else None)
    _, warnings = step_both(one, two, None)
    assert "after all agents are terminated" in warnings[0]


@pytest.mark.parametrize(("table", "after"), [((1, 2), 0), ((2, 0), 25), ((4, 0, "vogel"), 7)])
def test_an_illegal_action_ends_the_game_alike(table, after):
    rng = np.random.default_rng(after)
    one, two = both(table, seed=2)
    for _ in range(after):
        step_both(one, two, int(rng.choice(one.last()[0]["action_mask"].nonzero()[0])))
    illegal = int(rng.choice(np.flatnonzero(one.last()[0]["action_mask"] == 0)))
    _, warnings = step_both(one, two, illegal)
    assert "Illegal move made" in warnings[0]
    while one.agents:
        assert one.last()[1:4] == two.last()[1:4]
        step_both(one, two, 5)  # an agent that has ended has no action
        step_both(one, two, None)
    one.reset(seed=3)
    two.reset(seed=3)
    assert seen(one) == seen(two)


@pytest.mark.parametrize("ended", [False, True])
def test_odd_actions_are_taken_alike(ended):
    for action in (None, -1, 56, 10**30, 3.0, 2.5, "axx", np.int64(4), np.int8(4), np.array(4), np.array([4])):
        one, two = both(seed=4)
        if ended:
            while not any(one.terminations.values()):
                action_of_both = int(one.last()[0]["action_mask"].argmax())
                one.step(action_of_both)
                two.step(action_of_both)
        step_both(one, two, action)


def test_nothing_before_reset_alike():
    one, two = both(render_mode="ansi")
    assert seen(one) == seen(two)
    for call in ("render", "agent_iter", "last"):
        first, second = (outcome(lambda env=env, call=call: getattr(env, call)())[0] for env in (one, two))
        assert first == second
        assert issubclass(first[0], (AssertionError, AttributeError))
    assert outcome(lambda: one.step(0)) == outcome(lambda: two.step(0))


def test_the_loop_over_agents_asks_for_steps():
    for env in both(seed=5):
        with pytest.raises(AssertionError, match="need to call step"):
            for _ in env.agent_iter():
                pass
        env.reset(seed=5)
        count = 0
        for _ in env.agent_iter(max_iter=7):
            env.step(int(env.last()[0]["action_mask"].argmax()))
            count += 1
        assert count == 7


def test_unknown_attributes_are_told():
    env = romans_go_home_v0.env()
    with pytest.raises(AttributeError, match="nonsense"):
        _ = env.nonsense
