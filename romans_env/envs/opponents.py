"""Opponents on the seats that the learner does not play, and the batch that environments of many games step."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from romans_env.envs.bounded_box import bounded_box
from romans_env.games import GameSpec, imported
from romans_env.protocol import Rules, States

T = TypeVar("T")


class LearnerResults(Protocol):
    """What a batch keeps of the learner in each game: its seat, and results of the games that ended last."""

    @property
    def seat(self) -> npt.NDArray[np.int8]: ...
    @property
    def won(self) -> npt.NDArray[np.int8]: ...
    @property
    def points(self) -> npt.NDArray[np.int64]: ...
    @property
    def waits(self) -> npt.NDArray[np.int8]: ...


class StepResults(Protocol):
    """What a step writes for each game; see `romans_agents.kernels.LearnerStep`."""

    @property
    def observations(self) -> npt.NDArray[Any]: ...
    @property
    def rewards(self) -> npt.NDArray[np.float64]: ...
    @property
    def ends(self) -> npt.NDArray[np.int8]: ...
    @property
    def final(self) -> npt.NDArray[Any]: ...


class LearnerBatch(Protocol):
    """What environments of many games ask of `romans_agents.single_agent_batch.SingleAgentBatch`, a layer above."""

    rules: Rules
    states: States
    agents: list[Any]
    masks: npt.NDArray[np.int8]
    is_started: bool
    learner: LearnerResults

    def seed(self, seeds: Sequence[int | None]) -> None: ...

    def seed_games(self, indices: npt.NDArray[np.int64], seeds: Sequence[int | None]) -> Any: ...

    def start(self, games: npt.NDArray[np.bool_] | None = None) -> npt.NDArray[Any]: ...

    def step(self, actions: npt.NDArray[Any]) -> StepResults: ...

    def seats(self) -> npt.NDArray[np.int8]: ...

    def saved(self) -> dict[str, npt.NDArray[Any]]: ...

    def restore(self, saved: dict[str, npt.NDArray[Any]]) -> None: ...


def rules_and_opponents(
    spec: GameSpec,
    opponents: Sequence[Any] | None,
    num_players: int | None,
    settings: Mapping[str, Any],
    is_pool: bool = False,
) -> tuple[Rules, list[Any]]:
    """The rules with the learner and its opponents, and the opponents; what is None follows from the other.

    Args:
        spec: the game.
        opponents: one for each other seat, or a pool; None: the game's default opponent everywhere.
        num_players: the learner included; None: one more than ``opponents``.
        settings: the game's other settings.
        is_pool: whether opponents are sampled from ``opponents``.

    Raises:
        ValueError: opponents that are not a list, a pool without ``num_players``, settings that do not exist. An
            error about the number of players says how they were counted.
    """
    if opponents is None:
        num_players = spec.default_players if num_players is None else num_players
        opponents = [spec.default_opponent] * (1 if is_pool else num_players - 1)
    if isinstance(opponents, str):
        raise ValueError(f"opponents is a list of agents, such as [{opponents!r}], not the text {opponents!r}")
    if num_players is None:
        if is_pool:
            raise ValueError("say num_players with mix_opponents: opponents is a pool, not a line-up")
        num_players = len(opponents) + 1
    try:
        return spec.make_rules(num_players=num_players, **settings), list(opponents)
    except ValueError as error:
        try:
            spec.make_rules(**settings)
        except ValueError:
            raise error from None
        raise ValueError(f"{error}; the players are the learner and its opponents, here {num_players}") from None


def check_opponents(opponents: Sequence[Any], num_players: int) -> None:
    """ValueError unless there is an opponent for each other seat."""
    if len(opponents) != num_players - 1:
        raise ValueError(
            f"opponents is a list of {num_players - 1} for {num_players} players, one for each other seat, "
            f"not {list(opponents)!r}"
        )


def check_seat(seat: int | None, num_players: int) -> None:
    """ValueError for a seat the table does not have."""
    if seat is not None and (not isinstance(seat, (int, np.integer)) or not 0 <= seat < num_players):
        raise ValueError(f"seat is None (a random one each game) or 0 to {num_players - 1}, not {seat!r}")


class Batched:
    """Mixed into environments of many games, one seat each for the learner, that call `_set_up_batch`."""

    _batch: LearnerBatch

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Legal actions of every game: bool, shape (num_envs, number of actions)."""
        return self._batch.masks.astype(np.bool_)

    def clone(self: T) -> T:
        """An independent copy, the games in progress included."""
        return copy.deepcopy(self)

    def _set_up_batch(self, rules: Rules, num_envs: int, *settings: Any) -> tuple[spaces.Box, spaces.Discrete]:
        """Make the games, with settings as for `SingleAgentBatch`; the spaces of one of them."""
        # Agents are a layer above: named by a string, and looked up when an environment is made.
        self._batch = imported("romans_agents.single_agent_batch:SingleAgentBatch")(num_envs, rules, *settings)
        return bounded_box(rules.observation_low, rules.observation_high), spaces.Discrete(rules.num_actions)
