"""A private view answers all that an agent may ask, however it is made."""

import json
import pickle

import numpy as np
import pytest

from romans_agents import Agent
from romans_agents.batches.batch_with_agents import BatchWithAgents
from romans_env import Game, View
from tests.harness import each_game
from tests.tools import decisions

pytestmark = pytest.mark.usefixtures("toy")


class Asks(Agent):
    """Asks for all that a view has, and answers with the name of an action."""

    def __init__(self):
        self.seen = []

    def act(self, view):
        sampled = view.sample_game(np.random.default_rng(0))
        self.seen.append(json.dumps([view.position(), sampled.view(view.seat).position()]))
        return view.action_name(view.legal_actions()[0])


@each_game
def test_every_way_to_make_a_view_gives_records_with_attributes(game):
    live = game.new_game(1, **game.short)
    for number, _ in enumerate(decisions(live, 1)):
        if number == 5:
            break
    rules, seat, asks = live.rules, live.seat_to_act, Asks()
    # As numpy joins records of two equal types, one of which was pickled: without attributes.
    bare = live.states.view(np.dtype((np.void, live.states.dtype)))
    private = rules.redacted_for(bare, 0, seat)
    made = [
        live.view(seat),
        View(rules, private, seat),
        View(rules, pickle.loads(pickle.dumps(private)), seat),
        Game.of_states(rules, bare.copy()).view(seat),
    ]
    for view in made:
        first = live.action_id(asks.act(view))
        assert asks.action_probabilities(view).nonzero()[0].tolist() == [first]
    batch = BatchWithAgents(rules, bare.copy(), [asks])
    batch.arrays.who[:] = 0
    assert batch.play_agents() == 1
    assert len(set(asks.seen)) == 1
    assert Game.of_states(rules, bare).position() == live.position()
