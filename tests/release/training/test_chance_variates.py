"""Control variates of chance in play: of expectation zero, and worth something."""

from dataclasses import replace

import numpy as np
import pytest

import romans_agents
from romans_agents.batches.arena import Arena
from romans_agents.variates.chance_variates import ChanceVariates
from romans_env.core import games
from romans_env.core.games import spec_of
from romans_env.core.protocol import CHANCE
from romans_env.engine.random_stream import streams_from_seeds
from romans_training.measure.deals import deal_games
from tests.envs.playing import Last

GAMES = {"roma": ("raider", "denier"), "struggle": ("trader", "plunderer", "chieftain")}


def rules_of(game):
    return spec_of(game).make_rules(num_players={"roma": 2, "struggle": 3}[game])


@pytest.fixture
def effort(monkeypatch):
    def given(game, *numbers):
        monkeypatch.setattr(spec_of(game).part("evaluator"), "EFFORT", numbers)

    return given


def variates_of_games(game, seats, deals):
    rules = rules_of(game)
    states, words = deal_games(rules, range(deals), 5)
    seated = [seats] * deals
    variates = ChanceVariates(rules, seated, 0, words)
    for _ in Arena(rules, states, seated, range(deals), words=words, callback=variates).play():
        pass
    return variates.values()


@pytest.mark.parametrize("others", ["compiled", "random", "not compiled"])
@pytest.mark.parametrize("game", GAMES)
def test_variates_are_of_expectation_zero(game, others, effort):
    effort(game, 3, 2, 1)
    seats = [romans_agents.make(name, game=game) for name in GAMES[game]]
    if others != "compiled":
        seats[0] = Last() if others == "not compiled" else romans_agents.make("random", game=game)
    values = variates_of_games(game, seats, {"roma": 300, "struggle": 40}[game])
    assert values.shape[1:] == (len(seats), len(rules_of(game).outcomes))
    varies = values.std(axis=0, ddof=1)
    assert (varies > 0).any()
    assert (np.abs(values.mean(axis=0)) <= 4.5 * varies / np.sqrt(len(values)) + 1e-12).all()


@pytest.mark.parametrize("game", GAMES)
def test_what_an_event_brings_is_compared_with_all_that_it_might_have_brought(game, effort):
    effort(game, 3000, 300, 1)
    rules, rng = rules_of(game), np.random.default_rng(3)
    spread = 0.0
    for state, action, after in one_event_each(rules, rng):
        outcomes = dict(rules.chance_outcomes(after, 0))
        words = {}
        while len(words) < len(outcomes):
            drawn = streams_from_seeds([int(rng.integers(2**32))])
            words[rules.draw_outcome(after, 0, drawn, 0)] = drawn
        states = np.repeat(state, len(words))
        seats = [[romans_agents.make(name, game=game) for name in GAMES[game]]] * len(words)
        variates = ChanceVariates(rules, seats, 1, np.concatenate(list(words.values())))
        variates.see(states, np.arange(len(words)), np.full(len(words), action))
        weights = np.array([outcomes[outcome] for outcome in words]) / sum(outcomes.values())
        values = variates.values().sum(axis=2)
        assert np.abs(weights @ values).max() < 0.03
        spread = max(spread, float(np.abs(values).max()))
    assert spread > 0.1


def one_event_each(rules, rng, count=6):
    """Positions, an action, and the position after it, where a single chance event comes next."""
    found = 0
    while found < count:
        states, words = deal_games(rules, range(1), int(rng.integers(1000)))
        for _ in range(int(rng.integers(20, 200))):
            if rules.seat_to_act(states, 0) < 0:
                break
            action = int(rng.choice(rules.legal_actions(states, 0)))
            before = states.copy()
            comes = rules.act(states, 0, action)
            if comes == CHANCE and all(
                rules.act_chance(states.copy(), 0, outcome) >= 0 for outcome, _ in rules.chance_outcomes(states, 0)
            ):
                found += 1
                yield before, action, states
                break
            while comes == CHANCE:
                comes = rules.play_chance(states, 0, words, 0)[1]


def test_a_game_without_a_evaluator_has_variates_of_expectation_zero_that_are_worth_something(monkeypatch):
    spec = spec_of("roma")
    monkeypatch.setitem(games._SPECS, "roma", replace(spec, evaluator=None))
    values = variates_of_games("roma", [romans_agents.make(name, game="roma") for name in GAMES["roma"]], 60)
    varies = values.std(axis=0, ddof=1)
    assert (varies > 0).any()
    assert (np.abs(values.mean(axis=0)) <= 4.5 * varies / np.sqrt(len(values)) + 1e-12).all()
