"""Games with a learner on any seats: who decides is who the line-up says, and every seat gets its reward."""

import numpy as np
import pytest

import romans_agents
from romans_agents.base import BatchAgent
from romans_agents.batches.self_play_batch import SelfPlayBatch
from romans_agents.loops.codes import LEARNER
from romans_env import IllegalActionError, Table
from romans_env.romans_go_home.state import PHASE_GAME_OVER
from tests.envs.playing import Last


class InBatches(BatchAgent):
    """Chooses outside of the games: there is nothing it could be asked in here."""

    def act_batch(self, observations, masks):
        raise AssertionError("asked")


def first_legal(masks):
    return np.argmax(masks, axis=1)


def play_to_the_end(batch, line_up, turns=400):
    """Every game once, with the first legal actions: each seat's return, and who decided how often from outside."""
    everybody = np.arange(batch.num_games)
    batch.start(everybody, np.tile(line_up, (batch.num_games, 1)))
    rewards = np.zeros((batch.num_games, batch.rules.num_players))
    decided = np.zeros((batch.num_games, batch.rules.num_players), dtype=int)
    in_batches = decided.copy()
    is_over = np.zeros(batch.num_games, dtype=bool)
    for _ in range(turns):
        waiting = batch.pending()
        own = waiting.who == LEARNER
        decided[waiting.games[own], waiting.seats[own]] += 1
        in_batches[waiting.games[~own], waiting.seats[~own]] += 1
        batch.play_agents()
        outcome = batch.step(waiting.games, first_legal(waiting.masks))
        rewards[~is_over] += outcome.rewards[~is_over]
        is_over |= outcome.ended
        if is_over.all():
            return rewards, decided, in_batches
    raise AssertionError("the games do not end")


@pytest.mark.parametrize("size", [(2, 2), (4, 0)])
def test_a_learner_on_every_seat_decides_for_every_seat(size):
    batch = SelfPlayBatch(20, Table(*size), [], seed=1)
    rewards, decided, _ = play_to_the_end(batch, [LEARNER] * size[0])
    assert (decided[:, : size[0]] >= 15).all()  # set one aside, place 4 (RULES 3, 4.14)
    assert decided.shape == (20, size[0])
    assert np.allclose(rewards.sum(axis=1), 0.0, atol=1e-6)  # RULES 7.4
    assert np.array_equal(rewards[:, : size[0]], batch.returns(np.arange(20)).astype(float))


@pytest.mark.parametrize(
    ("others", "own"),
    [(["greedy", "hoarder", "random"], 1), ([InBatches(), Last(), "mixer"], 0), ([InBatches(), Last(), "greedy"], 3)],
)
def test_others_decide_on_their_seats_alone(others, own):
    members = [romans_agents.make(one) if isinstance(one, str) else one for one in others]
    batch = SelfPlayBatch(10, Table(4, 0), members, seed=2)
    line_up = [0, 1, 2]
    line_up.insert(own, LEARNER)
    _, decided, in_batches = play_to_the_end(batch, line_up)
    assert (decided[:, own] >= 15).all()
    assert (np.delete(decided, own, axis=1) == 0).all()
    assert (batch.line_ups() == line_up).all()
    seat = line_up.index(0)
    assert (np.delete(in_batches, seat, axis=1) == 0).all()
    assert (in_batches[:, seat] >= (15 if isinstance(members[0], InBatches) else 0)).all()


def test_a_game_that_ended_waits_for_its_start_and_gets_a_fresh_deal():
    batch = SelfPlayBatch(4, Table(2, 0), [], seed=4)
    play_to_the_end(batch, [LEARNER, LEARNER])
    before = batch.states.copy()
    assert not batch.pending().games.size
    assert batch.step(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)).ended.all()
    batch.start(np.array([1, 3]), np.full((2, 2), LEARNER))
    assert (batch.states["phase"] == PHASE_GAME_OVER).tolist() == [True, False, True, False]
    assert batch.states[[0, 2]].tobytes() == before[[0, 2]].tobytes()
    assert batch.pending().games.tolist() == [1, 3]


def test_mistakes_are_errors():
    with pytest.raises(ValueError, match="the number of games is at least 1, not 0"):
        SelfPlayBatch(0, Table(2, 0), [], seed=1)
    with pytest.raises(ValueError, match="reward"):
        SelfPlayBatch(1, Table(2, 0), [], seed=1, reward="fame")
    batch = SelfPlayBatch(2, Table(2, 0), [], seed=1)
    batch.start(np.arange(2), np.full((2, 2), LEARNER))
    games = batch.pending().games
    with pytest.raises(IllegalActionError, match="is not legal"):
        batch.step(games, np.full(games.size, batch.rules.action_id("take:1")))
    with pytest.raises(TypeError, match="actions are integers"):
        batch.step(games, np.zeros(games.size))
