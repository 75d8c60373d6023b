"""The commands that fit the networks of rounds."""

import numpy as np
import pytest
from click.testing import CliRunner

pytest.importorskip("sb3_contrib", reason="training needs the extra: pip install '.[train]'")

import torch

import romans_agents
from recipes.rounds import distil_attack, fit_round_values
from recipes.rounds.explored_games import TABLES, ExploredGames, parts_of
from romans_agents.romans_go_home.rounds.compiled import record_loops
from romans_agents.romans_go_home.rounds.compiled.attack import NETWORK_PHASES
from romans_agents.romans_go_home.rounds.round_networks import load_attack_network, load_value_network, round_networks
from romans_env import Table
from romans_env.romans_go_home.state import PHASE_DISCARD, PHASE_PLACE


@pytest.mark.parametrize(
    ("command", "load"), [(fit_round_values.main, load_value_network), (distil_attack.main, load_attack_network)]
)
def test_a_network_is_fitted_that_can_be_read(command, load, tmp_path):
    to = tmp_path / "network.npz"
    result = CliRunner().invoke(command, [str(to), "--games", "320", "--agent", "legate-1"], catch_exceptions=False)
    assert result.exit_code == 0
    assert result.output.count("%" if load is load_attack_network else "of the heuristic") == len(TABLES)
    assert all(np.isfinite(array).all() for array in load(to))


@pytest.mark.parametrize("command", [fit_round_values.main, distil_attack.main])
def test_an_agent_without_a_policy_is_refused(command, tmp_path):
    result = CliRunner().invoke(command, [str(tmp_path / "network.npz"), "--agent", "greedy"])
    assert result.exit_code == 2 and "greedy is not a policy" in result.output
    assert not list(tmp_path.iterdir())


def test_the_compiled_network_is_the_one_that_was_fitted(tmp_path):
    agent, table = romans_agents.make("legate-1"), Table(3, 0)
    agent.seed(0)
    decisions = distil_attack.play_decisions(agent, table, 60, 4)
    net = distil_attack.Net(agent.policy.scale)
    distil_attack.fit(net, decisions, epochs=2)
    net.save(tmp_path / "network.npz")
    networks = round_networks()._replace(attack=load_attack_network(tmp_path / "network.npz"))
    games, same = ExploredGames(agent, table, 60, 5), []
    for pending in games.play():
        rows = np.isin(games.states["phase"][pending.games], NETWORK_PHASES)
        states, actions = games.states[pending.games[rows]].copy(), np.empty(rows.sum(), dtype=np.int64)
        record_loops.rollout_actions(states, networks, actions)
        with torch.no_grad():
            fitted = net(torch.from_numpy(pending.observations[rows]), torch.from_numpy(pending.masks[rows]))
        same.append(actions == fitted.numpy().argmax(axis=1))
    # Weights are rounded in the file, so near ties may fall to the other side.
    assert np.concatenate(same).mean() > 0.99


def test_the_fit_gets_better_than_the_heuristic():
    agent = romans_agents.make("legate-1")
    agent.seed(0)
    learned, tested = (fit_round_values.play_examples(agent, Table(2, 0), 1500, seed) for seed in (1, 2))
    net = fit_round_values.Net()
    fit_round_values.fit(net, [learned], epochs=20)
    fitted, heuristic = fit_round_values.cross_entropies(net, tested)
    assert fitted < heuristic


def test_rounds_are_planned_at_random_only_before_they_settle():
    """The agent here always takes the last legal action, so that every other one was drawn."""

    class Last(romans_agents.BatchAgent):
        name = "last"

        def act_batch(self, observations, masks):
            return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)

    games, strays = ExploredGames(Last(), Table(2, 0), 200, 4), {False: 0, True: 0}
    before = None
    for pending in games.play():
        if before is not None:
            numbers, actions, settled = before
            now = games.states["line"][numbers]
            strays[True] += int((now != actions).any(axis=(1, 2))[settled].sum())
            strays[False] += int((now != actions).any(axis=(1, 2))[~settled].sum())
        planning = np.isin(games.states["phase"][pending.games], (PHASE_DISCARD, PHASE_PLACE))
        numbers = pending.games[planning]
        twin = games.states[numbers].copy()
        chosen = Last().act_batch(pending.observations[planning], pending.masks[planning])
        record_loops.act_each(twin, chosen)
        before = numbers, twin["line"], games.is_settled(numbers)
    assert strays[True] == 0 and strays[False] > 100


def test_the_parts_are_all_games():
    parts = list(parts_of(40_000))
    assert sum(part for _, _, part in parts) == pytest.approx(40_000, abs=len(TABLES))
    assert max(part for _, _, part in parts) <= 4096
    assert {table for table, _, _ in parts} == set(TABLES)
