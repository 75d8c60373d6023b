"""OpenSpiel's tabular policies as agents of this library, and their exact values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from open_spiel.python.algorithms.cfr import CFRSolver
from open_spiel.python.algorithms.expected_game_score import policy_value
from open_spiel.python.algorithms.exploitability import nash_conv
from open_spiel.python.policy import TabularPolicy

from romans_agents import Agent, BatchAgent
from romans_env import View


class TabularAgent(BatchAgent):
    """Plays a tabular policy of OpenSpiel; the observation determines the row.

    Args:
        table: an `open_spiel.python.policy.TabularPolicy`.
        name: the name of the agent.
    """

    def __init__(self, table: Any, name: str):
        self.name, self.table = name, table
        seats = [state.current_player() for state in table.states]
        observed = [
            np.array(state.information_state_tensor(seat), dtype=np.float32).tobytes()
            for state, seat in zip(table.states, seats, strict=True)
        ]
        self._rows = {key: row for row, key in enumerate(observed)}
        self.seed(0)

    def seed(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)

    def action_probabilities(self, view: View) -> npt.NDArray[np.float64]:
        found: npt.NDArray[np.float64] = self.table.action_probability_array[self._rows[view.observation.tobytes()]]
        return found

    def act_batch(self, observations: npt.NDArray[Any], masks: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        rows = [self._rows[one.astype(np.float32).tobytes()] for one in observations]
        sums = self.table.action_probability_array[rows].cumsum(axis=1)
        return (self._rng.random((len(rows), 1)) * sums[:, -1:] > sums).sum(axis=1).astype(np.int64)


def policies(game: Any, number: int, seed: int = 0) -> list[tuple[str, Any]]:
    """Return policies of every strength with their names: uniform, random, and CFR after various numbers of iterations.

    Args:
        game: an OpenSpiel game for two players.
        number: the number of policies.
        seed: seed of the random ones.
    """
    rng = np.random.default_rng(seed)
    found: list[tuple[str, Any]] = [("uniform", TabularPolicy(game))]
    for k in range(number // 2 - 1):
        table, sharpness = TabularPolicy(game), 4.0 ** (k % 3)
        weights = rng.random(table.action_probability_array.shape) ** sharpness * table.legal_actions_mask
        table.action_probability_array[:] = weights / weights.sum(axis=1, keepdims=True)
        found.append((f"random-{k}", table))
    solver, done = CFRSolver(game), 0
    for k in range(number - len(found)):
        iterations = round(1.6**k)
        while done < iterations:
            solver.evaluate_and_update_policy()
            done += 1
        average, table = solver.average_policy(), TabularPolicy(game)
        table.action_probability_array[:] = average.action_probability_array
        found.append((f"cfr-{iterations}", table))
    return found


def exact_response(game: Any, table: Any) -> float:
    """Return the exploitability of a policy in a zero-sum game: the mean return of a best response over both seats."""
    found: Any = nash_conv(game, table, use_cpp_br=True)
    return float(found) / 2


def exact_value(game: Any, own: Any, other: Any) -> float:
    """Return the mean return of a policy against another one over both seats."""
    first = policy_value(game.new_initial_state(), [own, other])[0]
    second = policy_value(game.new_initial_state(), [other, own])[1]
    return float(first + second) / 2


def expected(state: Any, tables: Sequence[Any], worth: Callable[[Any], Any], luck: Sequence[int] = ()) -> Any:
    """Return the expected value of the end of a game.

    Args:
        state: the current state.
        tables: the policy of each player.
        worth: returns the value of a terminal state: a number or an array.
        luck: the outcomes of the next chance events; later ones have the game's probabilities.
    """
    if state.is_terminal():
        return worth(state)
    if state.is_chance_node() and luck:
        return expected(state.child(luck[0]), tables, worth, luck[1:])
    if state.is_chance_node():
        chances = state.chance_outcomes()
    else:
        chances = tables[state.current_player()].action_probabilities(state).items()
    return sum(share * expected(state.child(move), tables, worth, luck) for move, share in chances if share)


def tabular(game: Any, agent: Agent, rules: Any) -> Any:
    """Return an agent's strategy in every state as a tabular policy."""
    table = TabularPolicy(game)
    for row, state in enumerate(table.states):
        if len(state.legal_actions()) == 1:  # forced moves are played without asking the agent
            table.action_probability_array[row] = table.legal_actions_mask[row]
            continue
        history = np.array([move.action for move in state.full_history()], dtype=np.int32)
        place, seat = rules.places.at(history.tobytes()), state.current_player()
        table.action_probability_array[row] = agent.action_probabilities(
            View(rules, rules.private_at(place, seat), seat)
        )
    return table
