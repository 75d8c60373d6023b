"""The vector environment of tensors: the games of arrays, no copy on the processor, no wait on a device."""

import copy

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

pytest.importorskip("torch", reason="needs torch: pip install '.[train]'")

import torch

from romans_agents import Policy, PolicyAgent
from romans_training.learn.device_policy import DevicePolicyAgent, on_device
from romans_training.settings import ConfigError
from tests.envs.playing import Last
from tests.envs.tensors import CopyingEnv, TensorVectorEnv, Waits, as_arrays
from tests.harness import each_game

pytestmark = pytest.mark.usefixtures("toy")
each_way = pytest.mark.parametrize("kind", [TensorVectorEnv, CopyingEnv])
CPU = torch.device("cpu")


def seen_of(given):
    """What an environment gave, as plain data; a mask of bools is that of int8."""
    *others, info = as_arrays(given)
    return [one.tolist() for one in others], info.pop("action_mask").astype(int).tolist(), repr(info)


@each_game
@each_way
@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_the_games_are_those_of_arrays(game, kind, mode):
    opponents = ["random"] * (game.rules(**game.short).num_players - 2) + [Last()]
    settings = {"opponents": opponents, "autoreset_mode": mode, "illegal_actions": "replace", **game.short}
    arrays = gymnasium.make_vec(game.spec.env_id, 4, **settings).unwrapped
    tensors = kind(4, game=game.name, **settings)
    assert seen_of(tensors.reset(seed=5)) == seen_of(arrays.reset(seed=5))
    for turn in range(90):
        actions, waiting = (
            arrays.action_masks().argmax(axis=1) - (turn % 9 == 8),
            arrays._batch.learner.needs_reset == 1,
        )
        if mode is AutoresetMode.DISABLED and waiting.any():
            mine = tensors.reset(options={"reset_mask": torch.from_numpy(waiting)})
            assert seen_of(mine) == seen_of(arrays.reset(options={"reset_mask": waiting}))
            continue
        given = torch.from_numpy(actions.copy())
        tensors.send(given if turn % 2 else given.int())
        given.fill_(-9)  # they have been taken
        twin = copy.deepcopy(tensors) if turn == 40 else None  # in the midst of a step
        expected = seen_of(arrays.step(actions))
        assert [seen_of(one.recv()) for one in (tensors, twin) if one] == [expected] * (1 + bool(twin))


def test_tensors_are_the_memory_of_the_arrays_on_the_processor(monkeypatch):
    env, steps = TensorVectorEnv(3, ["random"]), []
    step = env._batch.step
    monkeypatch.setattr(env._batch, "step", lambda actions: steps.append(step(actions)) or steps[-1])
    _, info = env.reset(seed=1)
    assert info["action_mask"].dtype == torch.bool and (env.action_masks() == info["action_mask"]).all()
    observations, rewards, *_ = env.step(info["action_mask"].int().argmax(dim=1))
    for tensor, array in ((observations, steps[0].observations), (rewards, steps[0].rewards)):
        assert tensor.data_ptr() == array.__array_interface__["data"][0]


def test_a_device_is_waited_for_where_actions_are_read_and_nowhere_else():
    halves = [CopyingEnv(8, ["greedy", "random"], mix_opponents=True, num_players=2) for _ in range(2)]
    given = [half.reset(seed=8 * k) for k, half in enumerate(halves)]
    with Waits() as waits:
        for turn in range(120):
            half = halves[turn % 2]
            half.send(given[turn % 2][-1]["action_mask"].int().argmax(dim=1))
            if turn:
                given[1 - turn % 2] = halves[1 - turn % 2].recv()
            assert waits.found == (turn, 0)
        given[0][0].sum().item()
        halves[0]._transfer._actions.copy_(torch.zeros(8))
        assert waits.found == (119, 2)  # what would be noticed
        halves[0].reset()  # what is on its way is not overwritten
    assert waits.found == (120, 2)


@each_way
def test_what_is_refused(kind):
    env = kind(3, ["random"])
    env.reset(seed=1)
    with pytest.raises(RuntimeError, match=r"call send\(\) before recv\(\)"):
        env.recv()
    for dtype in (torch.float32, torch.bool, torch.bfloat16):
        with pytest.raises(TypeError):
            env.send(torch.zeros(3, dtype=dtype))
    with pytest.raises(ConfigError, match="torch cannot compute on device 'nowhere' here"):
        kind(3, ["random"], device="nowhere")


@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_a_policy_on_a_device_chooses_as_on_the_processor(activation):
    rng = np.random.default_rng(1)
    layers = [[rng.normal(size=(b, a)).astype(np.float32), np.zeros(b, np.float32)] for a, b in ((20, 16), (16, 9))]
    policy = Policy(layers, layers, np.full(20, 0.1, np.float32), {"activation": activation})
    seen, masks = rng.integers(-9, 9, (500, 20)).astype(np.int8), (rng.random((500, 9)) < 0.5).astype(np.int8)
    masks[:, 4] = 1
    agent = PolicyAgent.of(policy, "mine")
    assert on_device(agent, CPU) is agent
    assert (DevicePolicyAgent(agent, CPU).act_batch(seen, masks) == agent.act_batch(seen, masks)).all()
    for cut in (0.0, 0.4):
        agent = PolicyAgent.of(policy, "mine", sample=True, cut=cut)
        drawing = DevicePolicyAgent(agent, CPU)
        drawing.seed(2)
        drawn = drawing.act_batch(*(np.repeat(one[:3], 4000, axis=0) for one in (seen, masks))).reshape(3, 4000)
        shares = np.array([np.bincount(row, minlength=9) / 4000 for row in drawn])
        expected = agent.action_probabilities_batch(seen[:3], masks[:3])
        assert (shares[expected == 0] == 0).all() and abs(shares - expected).max() < 0.03
