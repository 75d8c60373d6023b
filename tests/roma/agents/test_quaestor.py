"""The policy of Roma that comes with the package, and the search of one's own turn on top of it."""

from pathlib import Path

import numpy as np
import pytest

import recipes
import romans_agents
from romans_agents.loops import policy_loops
from romans_agents.loops.compiled_networks import last_hidden, likeliest, networks_of, output, value_of
from romans_agents.roma.trained.quaestor import QUAESTOR_FILE
from romans_agents.search import streams_for
from romans_env import Roma
from romans_env.compiling.templates import bound
from romans_env.engine.random_stream import WORDS
from romans_env.roma import step
from romans_training.config import TrainConfig, read_settings
from romans_training.evaluation import evaluate
from tests.policies import fingerprint, players_of_a_game_without_torch
from tests.roma.stages import new_game, played

COMPILED = bound(policy_loops, game=step)
SETTINGS = Path(recipes.__file__).parent / "quaestor" / "runs"


def test_the_file_is_small_and_has_a_card_that_says_how_it_was_made():
    assert QUAESTOR_FILE.stat().st_size < 2_000_000
    card = QUAESTOR_FILE.with_suffix(".md").read_text(encoding="utf-8")
    policy = romans_agents.make("quaestor", game="roma").policy
    assert policy.game == "roma"
    assert f"{policy.meta['trained_steps']:,} decisions" in card and "romans train --game roma --config" in card
    for agent in ("random", "denier", "raider", "forum-runner", "expectimax"):
        assert f"| {agent} " in card


def test_the_settings_in_the_repository_are_those_it_was_trained_with():
    runs = [TrainConfig.from_json(read_settings(SETTINGS / f"{number}.toml")) for number in range(1, 11)]
    assert TrainConfig.from_json(romans_agents.make("quaestor", game="roma").policy.meta["config"]) == runs[-1]
    starts = [None, *(f"runs/quaestor-{number}/policy.npz" for number in range(1, 10))]
    assert [run.start_from for run in runs] == starts
    assert {run.hidden_layers for run in runs} == {(256, 256)}


def test_it_plays_without_torch():
    found = players_of_a_game_without_torch("roma_v0", "quaestor", "roma")
    assert {f"player_{seat}" for seat in range(2)} <= set(found)


def test_it_is_the_policy_of_the_card():
    """The card says how strong it is; here it is known by what it thinks, and beats `forum-runner` (75 % there)."""
    expected = [-40.986, 0.221, 1.667, -0.416, 5.0, 0.377, -5.167, 0.489, 1.71, 0.444]
    assert fingerprint(romans_agents.policy_of("quaestor", game="roma")) == pytest.approx(expected, rel=0.01, abs=0.01)
    rival = romans_agents.make("forum-runner", game="roma")
    result = evaluate(romans_agents.make("quaestor", game="roma"), [rival], Roma(), num_deals=60, seed=77)
    assert result.win_rate.mean > 0.6


def test_the_compiled_networks_are_those_of_the_policy():
    policy = romans_agents.make("quaestor", game="roma").policy
    networks = networks_of(policy)
    for seed in range(5):
        game = played(new_game(seed), seed, 30)
        view = game.view(game.seat_to_act)
        x, at = last_hidden(view.observation, networks.scale, networks.pi, networks.is_tanh)
        logits = policy.logits(view.observation[None])[0]
        found = [output(x, at, networks.pi, k) for k in range(len(logits))]
        assert np.allclose(found, logits, rtol=1e-3, atol=1e-3)
        value = np.clip(policy.values(view.observation[None])[0], -1.0, 1.0)
        assert value_of(view.observation, networks) == pytest.approx(value, abs=1e-3)
        legal = np.array(view.legal_actions(), dtype=np.int64)
        assert likeliest(view.observation, networks, legal, len(legal)) == legal[logits[legal].argmax()]


def sums_of(view, actions, count, seed, networks):
    """Sums of values of actions, as a search of a seed finds them."""
    records, sums = np.repeat(view.states, policy_loops.NUM_RECORDS), np.zeros(len(actions))
    words = np.zeros((len(records), WORDS), dtype=np.int64)
    seen, scratch = np.empty_like(view.observation[None]), np.empty(301, dtype=np.int64)
    streams = streams_for(view, seed, 1)
    COMPILED.evaluate_actions(records, view.seat, actions, sums, count, streams, words, seen, scratch, networks)
    return sums


def test_without_weight_of_the_value_policy_rollouts_play_the_policy():
    policy = romans_agents.make("quaestor", game="roma")
    rollouts = romans_agents.make("policy-rollouts:iterations=12,value_weight=0", game="roma")
    for seed in range(8):
        game = played(new_game(seed), seed, 3 * seed)
        view = game.view(game.seat_to_act)
        assert rollouts.act(view) == policy.act(view)


def test_the_value_decides_where_its_weight_is_large():
    game = played(new_game(2), 2, 20)
    view = game.view(game.seat_to_act)
    heavy = romans_agents.make("policy-rollouts:iterations=60,value_weight=1e9,seed=1", game="roma")
    compared, _ = heavy.candidates(view)
    sums = sums_of(view, compared, 60 // len(compared), 1, networks_of(heavy.policy))
    assert heavy.act(view) == compared[sums.argmax()]


def test_policy_rollouts_beat_the_scripted():
    rival = romans_agents.make("forum-runner", game="roma")
    agent = romans_agents.make("policy-rollouts:iterations=60", game="roma")
    assert evaluate(agent, [rival], Roma(), num_deals=8, seed=7).win_rate.mean > 0.6
