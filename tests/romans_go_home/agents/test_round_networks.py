"""The networks that rounds are searched with: what they see, what they decide, and what a file of them must be."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import romans_agents
from recipes.equilibria.plan_regret import round_starts
from recipes.rounds.explored_games import ExploredGames
from recipes.rounds.kernels import heuristic_values, value_inputs
from romans_agents.romans_go_home.planning_agent import own_plans
from romans_agents.romans_go_home.rounds.attack import determinized
from romans_agents.romans_go_home.rounds.compiled import record_loops
from romans_agents.romans_go_home.rounds.compiled.attack import NETWORK_PHASES
from romans_agents.romans_go_home.rounds.compiled.values import COMMON, HIGHEST_OF_OTHERS, MEAN_OF_OTHERS, NUM_INPUTS
from romans_agents.romans_go_home.rounds.opponent_model import RolloutPlayer
from romans_agents.romans_go_home.rounds.payoffs import payoffs_of, redacted
from romans_agents.romans_go_home.rounds.round_networks import (
    ATTACK_POLICY_FILE,
    ROUND_VALUES_FILE,
    load_attack_network,
    load_value_network,
    round_networks,
)
from romans_env import RomansGoHome, Table
from romans_env.romans_go_home.material import NUM_FORTS
from romans_env.romans_go_home.state import PHASE_GAME_OVER, PHASE_TAKE, States


def round_ends(table: Table, num_games: int, seed: int) -> States:
    """Games at the start of their later rounds, and at their ends."""
    games = ExploredGames(romans_agents.make("legate-1"), table, num_games, seed)
    found = [games.states[games.begun[games.rounds_of(games.begun) > 0]].copy() for _ in games.play()]
    return np.concatenate([*found, games.states])


def values_of(states: States, players: int) -> np.ndarray:
    values = np.empty((players, len(states)))
    for seat in range(players):
        record_loops.round_end_values(states, seat, round_networks(), values[seat])
    return values


@pytest.mark.parametrize("table", [Table(3, 0), Table(2, 2)])
def test_values_sum_up_to_zero_and_are_true_at_the_end(table):
    states, rules = round_ends(table, 30, 3), RomansGoHome(table)
    values = values_of(states, table.num_players)
    assert values.sum(axis=0) == pytest.approx(0.0, abs=1e-6)
    assert values.min() >= -1.0 / (table.num_players - 1) - 1e-6 and values.max() <= 1.0
    over = np.flatnonzero(states["phase"] == PHASE_GAME_OVER)
    assert len(over) == 30
    for i in over:
        true = [rules.game_return(states, int(i), seat) for seat in range(table.num_players)]
        assert values[:, i] == pytest.approx(true)


def test_values_know_seats_by_what_they_hold_alone():
    """Two players who change places change values: the network treats all players alike."""
    states = round_ends(Table(2, 0), 80, 5)
    states = states[states["phase"] != PHASE_GAME_OVER]
    other = states.copy()
    for name in ("points", "num_forts", "num_legion", "forts"):
        other[name][:, [0, 1]] = states[name][:, [1, 0]]
    assert values_of(other, 2)[0] == pytest.approx(values_of(states, 2)[1], abs=1e-6)


def test_values_say_more_about_the_winner_than_the_heuristic_does():
    games = ExploredGames(romans_agents.make("legate-1"), Table(2, 0), 400, 8)
    kept, numbers = [], []
    for _ in games.play():
        begun = games.begun[(games.rounds_of(games.begun) > 0) & games.is_settled(games.begun)]
        kept.append(games.states[begun].copy())
        numbers.append(begun)
    states, returns = np.concatenate(kept), games.returns()[np.concatenate(numbers), 0]
    heuristic = np.empty(len(states))
    heuristic_values(states, 0, heuristic)
    errors = [((one - returns) ** 2).mean() for one in (values_of(states, 2)[0], heuristic)]
    assert errors[0] < errors[1]


def test_inputs_are_what_the_docstring_says():
    states = round_ends(Table(3, 0), 30, 2)
    states = states[states["phase"] != PHASE_GAME_OVER]
    inputs = np.empty((len(states), 3, NUM_INPUTS), dtype=np.float32)
    value_inputs(states, inputs)
    points = states["points"][:, :3] / 10
    assert inputs[:, :, 0] == pytest.approx(points)
    for player in range(3):
        others = np.delete(points, player, axis=1)
        assert inputs[:, player, HIGHEST_OF_OTHERS] == pytest.approx(others.max(axis=1))
        assert inputs[:, player, MEAN_OF_OTHERS] == pytest.approx(others.mean(axis=1), abs=1e-6)
    to_come = inputs[:, 0, COMMON : COMMON + NUM_FORTS].sum(axis=1) * 2
    assert to_come == pytest.approx(18 - 6 * states["round_index"])


def test_the_attack_network_decides_three_kinds_of_decisions_and_nothing_illegal():
    games = ExploredGames(romans_agents.make("legate-1"), Table(2, 0), 60, 1)
    networks, decided = round_networks(), {False: 0, True: 0}
    opposite, nothing = -networks.attack.last, np.zeros_like(networks.attack.remembered)
    changed = networks._replace(attack=networks.attack._replace(last=opposite, remembered=nothing))
    for pending in games.play():
        attack = games.states["phase"][pending.games] > PHASE_TAKE - 1
        states = games.states[pending.games[attack]].copy()
        if not len(states):
            continue
        actions, others = (np.empty(len(states), dtype=np.int64) for _ in range(2))
        record_loops.rollout_actions(states, networks, actions)
        record_loops.rollout_actions(states, changed, others)
        assert (pending.masks[attack][np.arange(len(states)), actions] == 1).all()
        by_network = np.isin(states["phase"], NETWORK_PHASES)
        assert (actions == others)[~by_network].all()
        decided[True] += int((actions != others)[by_network].sum())
        decided[False] += int((~by_network).sum())
    assert decided[True] > 50 and decided[False] > 50


def test_rollouts_attack_as_the_policy_does_that_their_network_was_distilled_from():
    legate = romans_agents.make("legate")
    legate.seed(0)
    games, agreed = ExploredGames(legate, Table(2, 0), 100, 6), []
    for pending in games.play():
        rows = np.isin(games.states["phase"][pending.games], NETWORK_PHASES)
        states, actions = games.states[pending.games[rows]].copy(), np.empty(rows.sum(), dtype=np.int64)
        record_loops.rollout_actions(states, round_networks(), actions)
        likely = legate.action_probabilities_batch(pending.observations[rows], pending.masks[rows]).argmax(axis=1)
        agreed.append(actions == likely)
    agreed = np.concatenate(agreed)
    assert len(agreed) > 300 and agreed.mean() > 0.9


def played_one_by_one(root, plans, others, seed):
    """The return of seat 0 with each plan, as a mean over plans of seat 1, action by action."""
    laid = np.stack([np.repeat(plans, len(others), axis=0), np.tile(others, (len(plans), 1))], axis=1)
    states = np.tile(determinized(redacted(root, 0), 0, len(others), np.random.default_rng(seed)), len(plans))
    record_loops.begin_attacks(states, laid)
    while (rest := (states["round_index"] == root["round_index"][0]) & (states["phase"] != PHASE_GAME_OVER)).any():
        played = states[rest]
        record_loops.act_each(played, RolloutPlayer().probabilities(played).argmax(axis=1))
        states[rest] = played
    returns = np.empty(len(states))
    record_loops.round_end_values(states, 0, round_networks(), returns)
    return returns.reshape(len(plans), len(others)).mean(axis=1)


def test_rollouts_are_games_with_their_attack():
    """`payoffs_of` plays them in one compiled loop."""
    root, rng = round_starts(RomansGoHome(Table(2, 0)), 1)[1], np.random.default_rng(2)
    plans = own_plans(root, 0)[::40][:20]
    others = own_plans(root, 1)[::60][:12]
    laid = np.stack([np.zeros_like(others), others], axis=1)
    payoffs = payoffs_of(redacted(root, 0), 0, plans, laid, rng).mean(axis=1)
    assert payoffs == pytest.approx(played_one_by_one(root, plans, others, seed=3))


@pytest.mark.parametrize(
    ("load", "file"), [(load_value_network, ROUND_VALUES_FILE), (load_attack_network, ATTACK_POLICY_FILE)]
)
def test_a_file_that_is_no_such_network_is_refused(load, file, tmp_path: Path):
    path = tmp_path / "network.npz"
    path.write_bytes(file.read_bytes()[:500])
    with pytest.raises(ValueError, match=r"network\.npz is not what it should be"):
        load(path)
    with np.load(file) as arrays:
        np.savez(path, **{**arrays, "last": arrays["last"][:5]})
    with pytest.raises(ValueError, match="last has the shape"):
        load(path)
    path.unlink()
    with pytest.raises(FileNotFoundError):
        load(path)


def test_what_the_network_chose_is_remembered_and_changes_no_payoff():
    root, rng = round_starts(RomansGoHome(Table(2, 0)), 1)[1], np.random.default_rng(5)
    plans, others = own_plans(root, 0)[::25][:80], own_plans(root, 1)[::30][:60]
    laid = np.stack([np.zeros_like(others), others], axis=1)
    roots = determinized(redacted(root, 0), 0, len(laid) + 1, rng)

    def payoffs(networks):
        found = np.empty((len(plans), len(laid)))
        record_loops.rollout_payoffs(roots.copy(), laid.copy(), 0, plans, networks, found)
        return found

    def changed(**arrays):
        return round_networks()._replace(attack=round_networks().attack._replace(**arrays))

    nothing = np.zeros_like(round_networks().attack.remembered)
    remembered, by_threads = nothing.copy(), nothing.copy()
    first = payoffs(changed(remembered=remembered))
    # More than two choices of a rollout are the network's; half of them were made before.
    assert 100 < np.count_nonzero(remembered) < 1.5 * first.size
    assert np.array_equal(payoffs(changed(remembered=remembered)), first)
    with ThreadPoolExecutor(4) as threads:
        for found in threads.map(payoffs, [changed(remembered=by_threads)] * 8):
            assert np.array_equal(found, first)
    # Other weights choose otherwise, unless what is remembered is of those before; a few choices were overwritten.
    opposite = -round_networks().attack.last
    assert np.mean(payoffs(changed(last=opposite, remembered=remembered)) == first) > 0.8
    assert np.mean(payoffs(changed(last=opposite, remembered=nothing)) == first) < 0.2
