"""A reward of one's own, a function of (before, after), in every environment of every game."""

import copy
import math

import gymnasium
import numpy as np
import pytest

import romans_agents
from romans_agents.batches.self_play_batch import SelfPlayBatch
from romans_agents.loops.codes import LEARNER
from romans_env.envs.rewards import PotentialBasedShaping, RewardError, SeatState
from tests.envs.playing import Last, choices
from tests.harness import each_game
from tests.tools import Lcg

pytestmark = pytest.mark.usefixtures("toy")

NUM_GAMES = 5
NUM_STEPS = 60


def points(before, after):
    return after.points - before.points


def win(before, after):
    return after.game_return


def lambda_of_one(seat):
    return 0.0


def one(before, after):
    """The sum over a game is the number of decisions."""
    return 1


NAMED = {"win": win, "points": points}


def single_rewards(game, reward, seed=1, **settings):
    """The rewards of a game in which a learner plays at random, by its legal actions."""
    env, lcg = gymnasium.make(game.spec.env_id, reward=reward, seat=0, **settings, **game.short).unwrapped, Lcg(seed)
    env.reset(seed=seed)
    found = []
    while env.legal_actions():
        found.append(env.step(lcg.pick(env.legal_actions()))[1])
    return found


def aec_rewards(game, reward, setup, seed=1, make="env"):
    """The rewards of all after every step of a game, and who decided."""
    env, lcg = getattr(game.env, make)(reward=reward, **setup), Lcg(seed)
    env.reset(seed=seed)
    found = []
    while not all(env.terminations.values()):
        decided = env.agent_selection
        env.step(lcg.pick(env.legal_actions()))
        found.append((decided, dict(env.rewards)))
    return found


def vector_rewards(game, reward, opponents=None, **settings):
    env = gymnasium.make_vec(game.spec.env_id, NUM_GAMES, reward=reward, opponents=opponents, **settings, **game.short)
    observations, info = env.reset(seed=1)
    found = []
    for _ in range(NUM_STEPS):
        observations, rewards, ends, _, info = env.step(choices(observations, info["action_mask"] | no_mask(info)))
        found.append((rewards.tolist(), ends.tolist()))
    assert any(any(ends) for _, ends in found)
    return found


def no_mask(info):
    """Anything is legal where a game waits to be started."""
    return (info["action_mask"].sum(axis=1) == 0)[:, None]


# -- functions against the named rewards


@each_game
@pytest.mark.parametrize("name", NAMED)
def test_a_function_is_called_as_the_named_rewards_are(game, name):
    function = NAMED[name]
    assert single_rewards(game, name) == single_rewards(game, function)
    for mode in ("SameStep", "NextStep"):
        settings = {"autoreset_mode": mode}
        assert vector_rewards(game, name, **settings) == vector_rewards(game, function, **settings)
    others = [Last()] * (game.rules().num_players - 1)
    assert vector_rewards(game, name, others) == vector_rewards(game, function, others), "opponents in Python"
    for setup in game.setups[:2]:
        named, own = aec_rewards(game, name, setup), aec_rewards(game, function, setup)
        totals = [{who: sum(step[1][who] for step in steps) for who in named[0][1]} for steps in (named, own)]
        assert totals[0] == totals[1]


@each_game
def test_an_agent_is_rewarded_once_for_each_of_its_decisions(game):
    for setup in game.setups[:2]:
        for make in ("env", "raw_env"):
            steps = aec_rewards(game, one, setup, make=make)
            players = list(steps[0][1])
            asked = {who: sum(rewards[who] for _, rewards in steps) for who in players}
            decided = [who for who, _ in steps]
            # Up to its first decision an agent is rewarded as well, but for the one that begins.
            assert asked == {who: decided.count(who) + (who != decided[0]) for who in players}


@each_game
def test_a_function_sees_a_seat_at_its_decision_and_at_the_next_one(game):
    seen = []

    def reward(before, after):
        seen.append((before.view, after.view, before.observation, after.observation, after))
        return 0.0

    env, lcg = gymnasium.make(game.spec.env_id, reward=reward, seat=1, **game.short).unwrapped, Lcg(3)
    observation, _ = env.reset(seed=3)
    while legal := env.legal_actions():
        earlier, view = observation, env.view(env.player)
        observation, *_ = env.step(lcg.pick(legal))
        first, last, *observations, after = seen.pop()
        assert (first.seat, first.legal_actions()) == (1, legal) and last.legal_actions() == env.legal_actions()
        assert first.states.tobytes() == view.states.tobytes()
        assert last.states.tobytes() == env.view(env.player).states.tobytes()
        assert [one.tolist() for one in observations] == [earlier.tolist(), observation.tolist()]
    assert after.is_over and after.won == (env.player in env.winners())
    assert (after.points, after.game_return) == (env.game.points()[env.player], env.returns()[env.player])
    assert not seen


@each_game
def test_a_function_in_many_games_sees_what_it_sees_in_one(game):
    def hashed(before, after):
        return math.fsum(before.observation * np.arange(before.observation.size)) + 1e6 * after.observation.sum()

    settings = {"opponents": [Last()] * (game.rules().num_players - 1), **game.short}
    many = gymnasium.make_vec(game.spec.env_id, NUM_GAMES, reward=hashed, **settings)
    earlier, info = many.reset(seed=1)
    num_ended = 0
    for _ in range(NUM_STEPS):
        observations, rewards, ends, _, info = many.step(choices(earlier, info["action_mask"]))
        for i in range(NUM_GAMES):
            last = info["final_obs"][i] if ends[i] else observations[i]
            assert rewards[i] == math.fsum(earlier[i] * np.arange(last.size)) + 1e6 * last.sum()
        num_ended += ends.sum()
        earlier = observations
    assert num_ended


@each_game
def test_copies_go_on_with_the_same_rewards(game):
    env = game.env.env(reward=points, **game.setups[-1])
    env.reset(seed=5)
    lcg = Lcg(5)
    for _ in range(2):
        env.step(lcg.pick(env.legal_actions()))
    twins = [env.unwrapped.clone(), copy.deepcopy(env)]
    while not all(env.terminations.values()):
        action = lcg.pick(env.legal_actions())
        for one_env in (env, *twins):
            one_env.step(action)
        assert env.rewards == twins[0].rewards == twins[1].rewards


# -- self-play


@each_game
def test_self_play_rewards_each_decision_of_the_learner_once(game):
    """With an agent in Python and one that is compiled on other seats, in games that are saved and restored."""
    rules = game.rules(**game.setups[-1])
    agents = [Last(), romans_agents.make("random", game=game.name)]
    batch = SelfPlayBatch(NUM_GAMES, rules, agents, seed=1, reward=one)
    line_ups = np.full((NUM_GAMES, rules.num_players), LEARNER)
    line_ups[1, -1], line_ups[2, 0], line_ups[3, 0] = 0, 0, 1
    for _ in range(2):  # the second time the games start anew
        batch.start(np.arange(NUM_GAMES), line_ups)
        decided, rewarded = np.zeros((2, *line_ups.shape))
        going = np.ones(NUM_GAMES, dtype=bool)
        while going.any():
            if rewarded.sum() > NUM_GAMES:
                batch.restore(batch.saved())
            waiting = batch.pending()
            own = going[waiting.games]
            decided[waiting.games[own], waiting.seats[own]] += 1
            batch.play_agents()
            actions = choices(waiting.observations, waiting.masks).astype(np.int64)
            step = batch.step(waiting.games[own], actions[own])
            rewarded[going] += step.rewards[going]
            going &= ~step.ended
        assert (decided == rewarded).all() and decided.any(axis=1).all()


# -- shaping


@each_game
def test_shaping_sums_up_to_the_potential_at_the_first_decision(game):
    def potential(state):
        assert isinstance(state, SeatState) and not state.is_over
        return 0.5 + state.points + 0.01 * float(state.observation.sum())

    env = gymnasium.make(game.spec.env_id, seat=0, **game.short).unwrapped
    env.reset(seed=1)
    first = potential(env._seat_states([0])[0])
    for name in NAMED:
        shaped = single_rewards(game, PotentialBasedShaping(potential, name))
        assert math.fsum(shaped) == pytest.approx(math.fsum(single_rewards(game, name)) - first)


# -- mistakes


@each_game
@pytest.mark.parametrize(("wrong", "text"), [(lambda b, a: None, "None"), (lambda b, a: math.nan, "nan")])
def test_a_reward_that_is_no_number(game, wrong, text):
    message = f"the reward function <lambda> returned {text}; it must return a finite number"
    with pytest.raises(RewardError, match=message):
        single_rewards(game, wrong)
    with pytest.raises(RewardError, match=message):
        aec_rewards(game, wrong, game.setups[0])
    env = gymnasium.make_vec(game.spec.env_id, NUM_GAMES, reward=wrong, **game.short)
    _, info = env.reset(seed=1)
    with pytest.raises(RewardError, match=message):
        env.step(info["action_mask"].argmax(axis=1))
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(info["action_mask"].argmax(axis=1))
    with pytest.raises(RewardError, match="the reward function <lambda> raised ZeroDivisionError: division") as raised:
        single_rewards(game, lambda before, after: 1 / 0)
    assert isinstance(raised.value.__cause__, ZeroDivisionError)
    with pytest.raises(RewardError, match="the reward function lambda_of_one raised TypeError: "):
        single_rewards(game, lambda_of_one)
    shaped = PotentialBasedShaping(lambda state: text)
    with pytest.raises(RewardError, match="the potential <lambda> returned '"):
        single_rewards(game, shaped)


@pytest.mark.parametrize("wrong", ["gold", None, 1.0, float, "my_reward.py:shaped"])
def test_what_is_no_reward(wrong):
    for make in (gymnasium.make, gymnasium.make_vec):
        with pytest.raises(ValueError, match="reward is one of 'win', 'points' or a function of"):
            make("Roma-v0", reward=wrong)
    with pytest.raises(ValueError, match="reward is one of"):
        PotentialBasedShaping(lambda state: 0.0, wrong)
