"""A run of several processes: one batch's gradient, games of their own, and one word for all."""

import copy
import dataclasses
import random
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="training needs the extra: pip install '.[train]'")

import itertools

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger

from romans_env.envs.sb3 import RomansVecEnv
from romans_training.learn import processes as module
from romans_training.learn.config import TrainConfig
from romans_training.learn.masked_ppo import MaskedPolicy, MaskedRolloutBuffer, optimizer_arguments
from romans_training.learn.masked_ppo_run import MaskablePPORun
from romans_training.learn.processes import ALONE, Processes, ProcessesError
from romans_training.learn.run_folder import RunFolder
from romans_training.learn.self_play.learner import Learner
from romans_training.learn.self_play.run import SelfPlay
from romans_training.learn.shared_memory import SharedSums
from romans_training.learn.torch_networks import policy_arguments
from romans_training.settings import ConfigError
from tests.training.parallel import beside_each_other
from tests.training.rollouts import random_rollout
from tests.training.runs import SMALL

SIZES = (70, 20, 41)
"""Decisions of three processes."""
CONFIG = TrainConfig(self_play=1.0, hidden_layers=(16, 8), magnet=0.5, full_state_critic=True, epochs=1)
RULES = CONFIG.rules


class Columns:
    """Stands for a rollout: its columns are there."""

    def __init__(self, columns):
        self._columns = columns

    def columns(self, gamma, gae_lambda):
        return self._columns


def columns_and_learner():
    """Decisions of a rollout, with advantages large enough for gradients that are clipped."""
    rng = np.random.default_rng(1)
    torch.manual_seed(1)
    learner = Learner(RULES, CONFIG)
    made = {"like": RULES.observation_size, "num_actions": RULES.num_actions, "others": RULES.observation_size}
    decide = lambda seen, masks, of: learner.decide(seen, masks, None, of)  # noqa: E731
    rollout = random_rollout(rng, decide, length=60, num_seats=2, **made)[0]
    rollout.log_probabilities += torch.from_numpy(rng.normal(0, 0.4, len(rollout.actions)).astype(np.float32))
    columns = {name: column[: sum(SIZES)] for name, column in rollout.columns(0.9, 0.7).items()}
    columns["returns"] = columns["returns"] + 5
    return columns, learner


def parts_of(columns):
    ends = np.cumsum((0, *SIZES))
    return [{name: column[start:end] for name, column in columns.items()} for start, end in itertools.pairwise(ends)]


def learned(learner, columns, config, processes=ALONE):
    """The gradients, the weights and the figures after an epoch of one minibatch."""
    own = Learner(RULES, config, processes)
    own.restore(copy.deepcopy(learner.saved()))
    figures = own.learn([Columns(columns)], 3e-3, 0.2)
    networks = (own.policy, own.critic, own.magnet)
    weights = [one.detach() for network in networks for one in network.parameters()]
    return [one.grad for network in networks[:2] for one in network.parameters()], weights, figures


def test_the_step_of_all_processes_is_that_of_one_with_their_whole_batch():
    columns, learner = columns_and_learner()
    parts = parts_of(columns)
    whole = learned(learner, columns, dataclasses.replace(CONFIG, minibatch_size=sum(SIZES)))
    config = dataclasses.replace(CONFIG, minibatch_size=sum(SIZES) // 3 + 1)
    found = beside_each_other(3, lambda processes: learned(learner, parts[processes.rank], config, processes))
    for gradients, weights, figures in found:
        for one, other in zip(gradients + weights, whole[0] + whole[1], strict=True):
            torch.testing.assert_close(one, other, rtol=1e-4, atol=2e-6)
        assert figures == found[0][2]
    assert all(torch.equal(*pair) for one in found for pair in zip(one[1], found[0][1], strict=True))
    # They were clipped, each network's by itself, after they had been averaged.
    policy = len(list(learner.policy.parameters()))
    for part in (whole[0][:policy], whole[0][policy:]):
        assert float(torch.cat([one.flatten() for one in part]).norm()) == pytest.approx(0.5, rel=1e-3)
    alone = learned(learner, parts[0], dataclasses.replace(CONFIG, minibatch_size=SIZES[0]))
    assert not torch.allclose(alone[0][0], whole[0][0], rtol=1e-2)


def trained_model(contents, weights, processes=ALONE):
    """A model of MaskablePPO that has learned from a rollout of one minibatch; gives its gradients and weights."""
    games = contents["rewards"].shape[1]
    env = RomansVecEnv(games, opponents=["random"], seed=1)
    made = policy_arguments((16,), RULES.observation_scale) | optimizer_arguments()
    model = MaskablePPO(
        MaskedPolicy,
        env,
        n_steps=len(contents["rewards"]),
        batch_size=contents["rewards"].size,
        n_epochs=1,
        ent_coef=0.1,
        policy_kwargs=made,
        rollout_buffer_class=MaskedRolloutBuffer,
        rollout_buffer_kwargs={"processes": processes},
        normalize_advantage=False,
        device="cpu",
    )
    processes.train_alike(model.policy.parameters())
    model.set_logger(Logger(folder=None, output_formats=[]))
    model.policy.load_state_dict(weights)
    for name, column in contents.items():
        getattr(model.rollout_buffer, name)[:] = column
    model.rollout_buffer.full = True
    model.train()
    return [part for one in model.policy.parameters() for part in (one.grad, one.detach())]


def test_a_step_of_maskable_ppo_is_that_of_one_process_with_the_whole_batch():
    rng, steps, games = np.random.default_rng(2), 6, 16
    env = RomansVecEnv(games, opponents=["random"], seed=1)
    arguments = policy_arguments((16,), RULES.observation_scale)
    weights = MaskedPolicy(env.observation_space, env.action_space, lambda _: 1e-3, **arguments).state_dict()
    masks = rng.random((steps, games, RULES.num_actions)) < 0.3
    masks[..., 0] = True
    contents = {
        "observations": rng.integers(0, 3, (steps, games, RULES.observation_size)),
        "actions": np.zeros((steps, games, 1)),
        "action_masks": masks,
        "log_probs": rng.normal(-2, 0.5, (steps, games)),
        **{name: rng.normal(3, 2, (steps, games)) for name in ("advantages", "returns", "values", "rewards")},
    }
    whole = trained_model(contents, weights)

    def part(processes):
        own = slice(processes.rank * games // 2, (processes.rank + 1) * games // 2)
        return trained_model({name: column[:, own] for name, column in contents.items()}, weights, processes)

    for found in beside_each_other(2, part):
        for one, other in zip(found, whole, strict=True):
            torch.testing.assert_close(one, other, rtol=1e-4, atol=2e-6)


def test_networks_begin_as_those_of_the_first_process_and_get_the_mean_gradient():
    store = torch.distributed.HashStore()
    layers = [torch.nn.Linear(3, 2) for _ in range(2)]
    first = layers[0].weight.detach().clone()

    def come(rank):
        processes = Processes(rank, 2, store=store)
        processes.train_alike(layers[rank].parameters())
        with processes.together({}, lambda *_: None):
            layers[rank](torch.full((1, 3), rank + 1.0)).sum().backward()

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(come, range(2)))
    assert torch.equal(layers[1].weight, first) and torch.equal(layers[0].weight, first)
    assert torch.equal(layers[0].bias, layers[1].bias)
    assert all(torch.equal(one.weight.grad, torch.full((2, 3), 1.5)) for one in layers)


def gradients_of_a_process(processes):
    """What a process gets in turns of various length, and of a network that was not there at the start."""
    draw, found = random.Random(processes.rank), []
    first, later = torch.nn.Parameter(torch.zeros(5)), torch.nn.Parameter(torch.zeros(7))
    processes.train_alike([first])
    with processes.together({}, gradients_of_a_process):
        for turn in range(60):
            time.sleep(0.003 * draw.random() * (draw.random() < 0.3))
            first.grad = None
            (first * 10.0**processes.rank * (turn + 1)).sum().backward()
            found.append(first.grad)
        processes.train_alike([later])
        (later * 10.0**processes.rank).sum().backward()
    return found, later.grad


def test_processes_of_one_machine_get_the_mean_gradient_through_its_memory(monkeypatch):
    sums = []
    monkeypatch.setattr(module, "SharedSums", lambda *arguments: sums.append(SharedSums(*arguments)) or sums[0])
    found, later = gradients_of_a_process(Processes(0, 3))
    for turn, gradient in enumerate(found):
        torch.testing.assert_close(gradient, torch.full((5,), 37.0 * (turn + 1)))
    torch.testing.assert_close(later, torch.full((7,), 37.0))
    assert sums[0].size == 5 and sums[0]._turn == 60


@pytest.mark.parametrize("sizes", [(640,), (700,), (563,), (100, 333, 40), (90, 1, 90)])
def test_shares_of_minibatches_are_whole_and_weighted_by_their_size(sizes):
    sizes, size = np.array(sizes), 128
    shares = [Processes(rank, len(sizes)).minibatches(sizes, size) for rank in range(len(sizes))]
    counts = np.array([[one.rows.stop - one.rows.start for one in own] for own in shares])
    assert counts.min() > 0 and counts[0].size > 0
    np.testing.assert_allclose(
        [[one.weight for one in own] for own in shares], len(sizes) * counts / counts.sum(axis=0)
    )
    for own in shares:
        ends = [one.rows.stop for one in own]
        assert [one.rows.start for one in own][1:] == ends[:-1] or len(sizes) > 1
    if len(sizes) == 1:
        # As torch splits them; a last one of less than half the size is left out.
        expected = [len(part) for part in torch.arange(int(sizes[0])).split(size) if len(part) >= size // 2]
        assert counts[0].tolist() == expected
    else:
        assert np.abs(counts.sum(axis=0)[:-1] - size).max(initial=0) < len(sizes)


def test_numbers_rows_and_bytes_reach_all():
    def exchange(processes):
        rank = processes.rank
        rows = processes.gather_rows(np.full((rank, 2), float(rank)))
        values = torch.arange(5.0)[: 2 + rank] * (rank + 1)
        return processes.gather([rank, 0.1]), rows, processes.bring(b"x" * rank), processes.normalized([values])[0]

    found = beside_each_other(3, exchange)
    whole = torch.tensor([0.0, 1, 0, 2, 4, 0, 3, 6, 9])
    expected = (whole - whole.mean()) / (whole.std() + 1e-8)
    torch.testing.assert_close(torch.cat([one[3] for one in found]), expected)
    for rank, (numbers, rows, brought, _) in enumerate(found):
        assert numbers.tolist() == [[0, 0.1], [1, 0.1], [2, 0.1]]
        assert rows.tolist() == [[1, 1], [2, 2], [2, 2]]
        assert brought == ([b"x", b"xx"] if rank == 0 else [])


def test_processes_play_games_of_their_own(tmp_path):
    folder, two = RunFolder(tmp_path), dataclasses.replace(SMALL, processes=2)
    runs = [MaskablePPORun(SMALL, folder), *(MaskablePPORun(two, folder, Processes(rank, 2)) for rank in range(2))]
    for run in runs:
        run.begin(None)
    whole, *parts = [run.model._last_obs for run in runs]
    np.testing.assert_array_equal(np.concatenate(parts), whole)  # each game as in one process
    weights = [list(run.model.policy.parameters()) for run in runs]
    assert all(torch.equal(one, other) for own in weights[1:] for one, other in zip(weights[0], own, strict=True))
    assert len({float(torch.rand(1)) + run.processes.own_seed(7) for run in runs[1:]}) == 2

    runs = [SelfPlay(dataclasses.replace(two, self_play=0.5), folder, Processes(rank, 2)) for rank in range(2)]
    for run in runs:
        run.begin()
    first, second = [run._games.saved()[0]["batches"][0] for run in runs]
    assert runs[0]._rng.bit_generator.state == runs[1]._rng.bit_generator.state
    assert first.keys() == second.keys() and not same_states(first, second)
    assert same_states(first, runs[0]._games.saved()[0]["batches"][0])


def same_states(one, other):
    if isinstance(one, dict):
        return all(same_states(one[name], other[name]) for name in one)
    if isinstance(one, (list, tuple)):
        return all(map(same_states, one, other))
    return np.array_equal(one, other)


def test_settings_that_do_not_fit_the_processes_are_refused_in_one_line():
    for wrong in ({"num_envs": 33}, {"minibatch_size": 127}, {"num_envs": 2, "minibatch_size": 8, "processes": 4}):
        with pytest.raises(ConfigError, match=r"must be multiples of processes") as error:
            dataclasses.replace(SMALL, **{"processes": 2} | wrong)
        assert "\n" not in str(error.value)
    with pytest.raises(ConfigError, match="at least the number of setups, 3, in each"):
        TrainConfig(self_play=1, setups=("2+0", "3+0", "4+0"), num_envs=4, minibatch_size=2, processes=2)
    assert TrainConfig().threads == 2
    assert TrainConfig(processes=2).threads == 1
    assert TrainConfig(processes=2, threads=3).threads == 3


def test_another_number_of_processes_than_torchrun_started_is_refused(monkeypatch):
    place = {"RANK": "1", "WORLD_SIZE": "4", "TORCHELASTIC_RUN_ID": "a"}
    for name, value in place.items():
        monkeypatch.setenv(name, value)
    assert Processes.of(4).rank == 1
    with pytest.raises(ConfigError, match="the run has processes = 2, but 4 were started"):
        Processes.of(2)


def test_processes_of_other_settings_or_versions_are_named():
    with pytest.raises(
        ProcessesError, match=r"process \d of 2 has version = '.', but this one '.': start all with the"
    ):
        beside_each_other(2, lambda processes: None, lambda rank: {"seed": 1, "version": str(rank)})


@pytest.mark.parametrize("late", [0, 1])
def test_processes_that_start_anew_do_not_meet_those_before_them(late):
    store = torch.distributed.HashStore()

    def come(rank, start):
        time.sleep(0.3 * (rank == late))
        processes = Processes(rank, 2, store=store)
        with processes.together({}, lambda *_: None):
            return processes.gather([10 * start + rank])[:, 0].tolist()

    for start in range(3):
        with ThreadPoolExecutor(2) as pool:
            found = list(pool.map(come, range(2), [start] * 2))
        assert found == [[10 * start, 10 * start + 1]] * 2


def test_a_process_that_does_not_come_is_named(monkeypatch):
    monkeypatch.setattr(module, "START_SECONDS", 0.2)
    store, began = torch.distributed.HashStore(), time.monotonic()
    alone = Processes(0, 2, store=store).together({}, lambda *_: None)
    with pytest.raises(ProcessesError, match="process 1 of 2 has not joined within 0 seconds"), alone:
        pass
    assert time.monotonic() - began < 5


def test_the_others_say_what_went_wrong_in_one():
    def work(processes):
        if processes.rank == 1:
            raise ValueError("the disk is full\nand more")
        processes.meet()

    def told(rank):
        with pytest.raises((ProcessesError, ValueError)) as error:
            work(rank)
        return error

    with pytest.raises(ProcessesError) as error:
        beside_each_other(2, work)
    assert str(error.value) == r"process 1 of 2: the disk is full\nand more"
