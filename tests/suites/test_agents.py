"""Agents of any kind play every game: what they are shown, in whose seats, and what is counted of their games."""

import numpy as np
import pytest

import romans_agents
from romans_agents import Agent
from romans_agents.batches.self_play_batch import SelfPlayBatch
from romans_agents.external import text_env
from romans_agents.loops.codes import LEARNER
from romans_env import replay
from romans_env.envs.sb3 import RomansVecEnv
from romans_training.measure import evaluation
from romans_training.measure.evaluation import evaluate
from tests.doubles import NotedSeeds, SeededAgent
from tests.harness import each_game

pytestmark = [pytest.mark.usefixtures("toy"), pytest.mark.slow]


class Last(Agent):
    """Plays the last legal action, and looks whether its view is a private one."""

    name = "last"

    def __init__(self):
        self.seats = set()

    def act(self, view):
        self.seats.add(view.seat)
        assert view.states.tobytes() == view.rules.redacted_for(view.states, 0, view.seat).tobytes()
        return view.legal_actions()[-1]


@each_game
def test_an_evaluation_is_that_of_its_records(game):
    rules, records = game.rules(**game.short), []
    num_players = rules.num_players
    others = [romans_agents.make("random", game=game.name) for _ in range(num_players - 1)]
    found = evaluate(Last(), others, rules, 3, seed=1, on_record=records.append)
    games = [replay(record) for record in records]
    players = [list(record["agents"].values()).index("last") for record in records]
    assert players == 3 * list(range(num_players))
    points, returns = (
        [list(of(one).values())[player] for one, player in zip(games, players, strict=True)]
        for of in (type(games[0]).points, type(games[0]).returns)
    )
    assert found.mean_points.mean == pytest.approx(np.mean(points))
    assert found.mean_return.mean == pytest.approx(np.mean(returns), abs=1e-6)
    assert found.win_rate.mean == pytest.approx(np.mean(np.array(returns) == 1.0))
    # All seatings of a deal meet the same chance.
    keys = [str(one.outcomes[:3]) for one in games]
    assert all(len(set(keys[k : k + num_players])) == 1 for k in range(0, len(keys), num_players))
    assert len(set(keys)) > 1


NUM_DEALS = 3
DEALS_AT_ONCE = 2
"""An evaluation of NUM_DEALS in such chunks has a whole one and a rest."""


def rules_with_most_players(game):
    return max((game.rules(**{**setup, **game.short}) for setup in game.setups), key=lambda rules: rules.num_players)


def records_of_evaluation(rules):
    """The records of an evaluation, and the agents that played."""
    agents, records = [SeededAgent() for _ in range(rules.num_players)], []
    evaluate(agents[0], agents[1:], rules, NUM_DEALS, seed=1, on_record=records.append)
    return records, agents


@each_game
def test_agents_games_and_control_variates_of_an_evaluation_have_seeds_of_their_own(game, monkeypatch):
    rules = rules_with_most_players(game)
    noted = NotedSeeds(evaluation, monkeypatch)
    monkeypatch.setattr(evaluation, "GAMES_AT_ONCE", DEALS_AT_ONCE * rules.num_players)
    records, agents = records_of_evaluation(rules)
    assert all(len(agent.seeds) == 1 for agent in agents)
    assert len({seed for agent in agents for seed in agent.seeds}) == rules.num_players
    # A deal has a game for every seating; control variates are computed once for every chunk.
    assert len(set(noted.of_games)) == len(noted.of_games) == NUM_DEALS * rules.num_players == len(records)
    assert len(set(noted.of_draws)) == len(noted.of_draws) == 2


@each_game
def test_an_evaluation_has_the_same_games_in_one_chunk_or_in_several(game, monkeypatch):
    rules = rules_with_most_players(game)
    in_one, _ = records_of_evaluation(rules)
    monkeypatch.setattr(evaluation, "GAMES_AT_ONCE", DEALS_AT_ONCE * rules.num_players)
    in_several, _ = records_of_evaluation(rules)
    assert in_several == in_one


class Seen:
    """The positions of whole games with the words of their chance; judges those at which others begin."""

    def __init__(self, game):
        self.in_play, self.words, self.began = game.in_play, {}, []

    def look(self, batch, started):
        """Return the seats that decide; ``started``: the games that have just started."""
        seats = batch.rules.seats_to_act(batch.states)
        self.began += batch.restarted[started].tolist() if self.words else []
        for i in np.flatnonzero(~batch.restarted & (seats >= 0)).tolist():
            self.words.setdefault(batch.states[i].tobytes(), set()).add(batch.arrays.words[i].tobytes())
        for i in started[batch.restarted[started]].tolist():
            assert seats[i] >= 0 and batch._line_ups[i, seats[i]] == LEARNER
            # As it was, with the hidden cards, but for the chance to come.
            assert (batch.arrays.words[i].tobytes() not in self.words[batch.states[i].tobytes()]) == self.in_play
        return seats


@each_game
def test_half_of_the_games_of_self_play_begin_at_positions_of_whole_ones_wherever_they_were_saved(game):
    rules, rng, n = game.rules(**game.short), np.random.default_rng(1), 16
    agents = [romans_agents.make("random", game=game.name)]
    batch, other = (SelfPlayBatch(n, rules, agents, seed=3, reward="points") for _ in range(2))
    for one in (batch, other):
        one.begin_at_positions(0.5, seed=2)
    seen, line_up, started = Seen(game), [0] * (rules.num_players - 1) + [LEARNER], np.arange(n)
    points = np.zeros((n, rules.num_players))
    while len(seen.began) < 200:
        batch.start(started, np.tile(line_up, (len(started), 1)))
        seen.look(batch, started)
        begun = np.where(batch.restarted[:, None], rules.points_of(batch.states), game.start_points)
        points[started] = begun[started]
        if len(seen.words) % 5 == 0:
            other.restore(batch.saved())
            batch, other = other, batch
        waiting = batch.pending()
        actions = np.where(waiting.masks, rng.random(waiting.masks.shape), -1.0).argmax(axis=1)
        step = batch.step(waiting.games, actions)
        points, started = points + step.rewards, np.flatnonzero(step.ended)
        assert np.array_equal(points, rules.points_of(batch.states))
    assert 0.35 < np.mean(seen.began) < 0.65


@each_game
def test_half_of_the_games_of_a_learner_begin_so_and_its_reward_is_what_comes_after(game):
    rules, rng, n = game.rules(**game.short), np.random.default_rng(1), 16
    env = RomansVecEnv(n, rules=rules, opponents=["random"], mix_opponents=True, reward="points", seed=1)
    env.begin_at_positions(0.5, seed=2)
    observations, batch, at_start = env.reset(), env._batch, np.full(n, game.start_points)
    seen, flags = Seen(game), np.zeros(n, dtype=bool)
    seen.look(batch, np.arange(n))
    while len(seen.began) < 200:
        masks = env.action_masks()
        assert np.array_equal(batch.observed(np.arange(n))[0], observations) and masks.any(axis=1).all()
        observations, _, dones, infos = env.step(np.where(masks, rng.random(masks.shape), -1.0).argmax(axis=1))
        for i in np.flatnonzero(dones).tolist():
            assert infos[i]["episode"]["r"] == infos[i]["points"] - at_start[i]
            assert ("restarted" in infos[i]) == flags[i]
        seats, flags = seen.look(batch, np.flatnonzero(dones)), batch.restarted.copy()
        assert np.array_equal(seats, env._batch.seats())
        points = rules.points_of(batch.states)[np.arange(n), seats]
        at_start = np.where(dones, np.where(flags, points, game.start_points), at_start)
    assert 0.35 < np.mean(seen.began) < 0.65


@each_game
def test_opponents_of_a_text_sit_from_its_left_on_and_its_seat_is_any(game, monkeypatch):
    rules = max((game.rules(**setup) for setup in game.setups), key=lambda one: one.num_players)
    seats, opponents = set(), []
    monkeypatch.setattr(text_env, "agent_of", lambda spec, game: opponents.append(Last()) or opponents[-1])
    env = text_env.make_text_env(game.name, against=["random"] * (rules.num_players - 1), setup=rules)
    for seed in range(30):
        text = env.reset(seed=seed)
        seats.add(next(seat for seat, player in enumerate(rules.players) if f"You are {player}" in text))
    assert seats == set(range(rules.num_players))
    for one in opponents:
        one.seats.clear()
    env.reset(seed=1, seat=1)
    while not (env.is_over or all(one.seats for one in opponents)):
        env.choose(env.legal_actions[0])
    assert [one.seats for one in opponents] == [{(2 + k) % rules.num_players} for k in range(rules.num_players - 1)]


@each_game
def test_opponents_of_a_text_draw_anew_in_every_turn_each_by_itself(game, monkeypatch):
    rules, opponents = max((game.rules(**setup) for setup in game.setups), key=lambda one: one.num_players), []
    monkeypatch.setattr(text_env, "agent_of", lambda spec, game: opponents.append(SeededAgent()) or opponents[-1])
    env, found = text_env.make_text_env(game.name, against=["random"] * (rules.num_players - 1), setup=rules), []
    for seed in (1, 2, 1):
        for one in opponents:
            one.seeds.clear()
        env.reset(seed=seed, seat=0)
        while not env.is_over and min(len(one.seeds) for one in opponents) < 2:
            env.choose(env.legal_actions[0])
        found.append([tuple(one.seeds) for one in opponents])
    seeds = [seed for of_game in found[:2] for of_agent in of_game for seed in of_agent]
    assert found[0] == found[2] and len(set(seeds)) == len(seeds) >= 4 * len(opponents)
