"""A stable-baselines3 ``VecEnv``: many games with one learner's seat each, stepped in compiled code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from romans_env.errors import needs_extra

with needs_extra(__name__, "train"):
    from stable_baselines3.common.vec_env import VecEnv

from romans_env.core.games import DEFAULT_GAME
from romans_env.core.parts import AgentLike
from romans_env.core.protocol import Rules
from romans_env.engine.ends import ENDED, ENDED_ILLEGAL
from romans_env.engine.saved_games import SavedGamesError, restore_arrays
from romans_env.engine.seeds import as_seed, seeds_of_games
from romans_env.envs.batch_env import BatchEnv
from romans_env.envs.opponents import OpponentSeats, line_up_of
from romans_env.envs.reset_arguments import checked_options
from romans_env.envs.rewards import Reward


class RomansVecEnv(BatchEnv, VecEnv):
    """Many games as a stable-baselines3 ``VecEnv``, with the learner's opponents inside.

    A step plays the learner's action in every game and goes on to its next decision; the reward is all that its seat
    receives until then, including a loss on an opponent's turn. Observations have shape
    ``(num_envs, observation_size)`` and the game's dtype, int8, int16 or float32; rewards are float32, shape
    ``(num_envs,)``. ``action_masks()`` returns the action masks: bool, shape ``(num_envs, num_actions)``.

    A game that ends starts again in the same step, and its ``info`` holds:

    - ``"terminal_observation"``: the last observation, shape ``(observation_size,)``;
    - ``"episode"``: the return (``"r"``) and the number of decisions (``"l"``);
    - ``"points"``, ``"won"`` (0 or 1) and ``"seat"`` of the learner;
    - ``"is_success"``: whether it won; from it stable-baselines3 computes ``rollout/success_rate``.

    An illegal action ends the game or is replaced by a legal one, with reward ``illegal_reward``;
    ``info["illegal_action"]`` is 1 then. Compiled opponents play in compiled code, other opponents in batches or one
    view at a time.

    The arrays and infos that ``step`` and ``reset`` return are new each time. The environment starts its own worker
    threads; if several threads of the caller share it, they need a lock.

    Args:
        num_envs: number of games.
        num_players: number of players, the learner included; by default one more than ``opponents``.
        opponents: an agent spec or an agent for each other seat, in seat order from the learner's left; with
            ``mix_opponents``, the pool from which each opponent of each game is sampled. None for the game's default
            pool (`default_pool <romans_env.core.games.GameSpec>`).
        mix_opponents: whether to sample opponents from ``opponents``; it requires ``num_players``.
        seat: the learner's seat; None for a random seat in each game.
        reward: as for `SingleSeatEnv`; a reward function is called once for each game and step.
        seed: game i gets ``seed + i``, which determines it for any number of games; None for fresh chance.
        threads: number of threads that share the games; it does not change the games.
        game: the name of the game.
        rules: the game with its setup, instead of ``game``, ``num_players`` and ``setup``.
        illegal_actions: what an illegal action does, as for `SingleSeatEnv <romans_env.envs.single.SingleSeatEnv>`.
        illegal_reward: the reward of an illegal action, as for `SingleSeatEnv <romans_env.envs.single.SingleSeatEnv>`.
        setup: the game's settings, as for its ``env``.

    Raises:
        TypeError: if an opponent is neither an agent spec nor an agent.
        ValueError: if a setting does not exist or is invalid, or the number of opponents, the seat, the reward,
            ``illegal_actions`` or ``illegal_reward`` is invalid.
        romans_agents.UnknownAgentError: if an agent spec names no agent.
    """

    def __init__(
        self,
        num_envs: int,
        num_players: int | None = None,
        opponents: Sequence[str | AgentLike] | None = None,
        mix_opponents: bool = False,
        seat: int | None = None,
        reward: Reward = "win",
        seed: int | None = None,
        threads: int = 1,
        game: str = DEFAULT_GAME,
        rules: Rules | None = None,
        illegal_actions: str = "end",
        illegal_reward: float | None = None,
        **setup: Any,
    ):
        if rules is None:
            line_up = line_up_of(RomansVecEnv, game, opponents, num_players, setup, mix_opponents)
        else:
            line_up = OpponentSeats(rules, list(opponents or []), mix_opponents)
        spaces = self._set_up_batch(num_envs, *line_up, seat, reward, threads, illegal_actions, illegal_reward)
        self._actions: npt.NDArray[np.int64] = np.zeros(num_envs, dtype=np.int64)
        self._lengths, self._returns = np.zeros(num_envs, dtype=np.int64), np.zeros(num_envs)
        self.render_mode = None
        super().__init__(num_envs, *spaces)
        self._batch.seed(seeds_of_games(seed, num_envs))

    def saved(self) -> dict[str, Any]:
        """Return a copy of the state of all games for `restore`; opponents that play in Python are not included."""
        return {"batch": self._batch.saved(), "own": {name: array.copy() for name, array in self._arrays().items()}}

    def restore(self, saved: dict[str, Any]) -> None:
        """Restore the state that `saved` of an environment with the same arguments returned.

        Opponents that play in Python do not change; call `seed_opponents` if the games must be reproducible.

        Raises:
            ValueError: if the state does not fit this environment.
        """
        if not isinstance(saved, dict) or set(saved) != {"batch", "own"}:
            raise SavedGamesError("the saved games are not a value that saved() of an environment returned")
        self._batch.restore(saved["batch"])
        restore_arrays(self._arrays(), saved["own"])

    def begin_at_positions(self, share: float, seed: int) -> None:
        """Begin a share of the next games at positions of recent games instead of at the start.

        The learner gets the seat to act at the position, so its seat should be random. ``info["restarted"]`` is 1 when
        such a game ends.

        Args:
            share: the share of the games, in [0, 1].
            seed: determines the games and the positions.
        """
        self._batch.begin_at_positions(share, seed)

    def seed_opponents(self, seed: int) -> None:
        """Seed the opponents that play in Python; compiled opponents use the random streams of the games."""
        words = np.random.SeedSequence(seed).generate_state(max(1, len(self._batch.agents)))
        for opponent, word in zip(self._batch.agents, words.tolist(), strict=False):
            opponent.seed(word)

    def _arrays(self) -> dict[str, npt.NDArray[Any]]:
        return {"lengths": self._lengths, "returns": self._returns}

    # -- the VecEnv calls

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Set the seed of the next reset: game i gets ``seed + i``.

        Raises:
            TypeError: if the seed is not an integer.
            ValueError: if the seed is negative.
        """
        return super().seed(as_seed(seed))

    def reset(self) -> npt.NDArray[Any]:
        """Start all games anew, with the seed that ``seed`` has set, if any.

        Returns:
            The observations, shape ``(num_envs, observation_size)``, of dtype int8, int16 or float32.

        Raises:
            ValueError: if an option was set; this environment has no reset options.
        """
        for options in self._options:
            checked_options(options, ())
        if self._seeds[0] is not None:
            self._batch.seed(self._seeds)
        self._reset_seeds()
        self._reset_options()
        self._lengths[:] = 0
        self._returns[:] = 0
        self.reset_infos = [{} for _ in range(self.num_envs)]
        observations: npt.NDArray[Any] = self._batch.start()
        return observations

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Set the actions of the next ``step_wait``: action ids, int64 or any other integers, shape ``(num_envs,)``."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, Any, Any, list[dict[str, Any]]]:
        """Play the actions that ``step_async`` has set.

        Returns:
            The observations, shape ``(num_envs, observation_size)``, of dtype int8, int16 or float32; the rewards,
            float32, shape ``(num_envs,)``; whether each game ended, bool, shape ``(num_envs,)``; and a list of infos.
        """
        seats, restarted = self._batch.seats(), self._batch.restarted.copy()
        step = self._batch.step(self._actions)
        learner = self._batch.learner
        self._lengths += 1
        self._returns += step.rewards
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(step.ends).tolist():
            infos[i] = {
                "terminal_observation": step.final[i].copy(),
                "TimeLimit.truncated": False,
                "points": int(learner.points[i]),
                "won": int(won := step.ends[i] == ENDED and bool(learner.won[i])),
                "is_success": won,
                "seat": int(seats[i]),
                "episode": {"r": float(self._returns[i]), "l": int(self._lengths[i]), "t": 0.0},
                **({"restarted": 1} if restarted[i] else {}),
            }
            self._lengths[i] = self._returns[i] = 0
        for i in np.flatnonzero((step.ends == ENDED_ILLEGAL) | (learner.replaced == 1)).tolist():
            infos[i]["illegal_action"] = 1
        return step.observations, step.rewards.astype(np.float32), step.ends != 0, infos

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def has_attr(self, attr_name: str) -> bool:
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        setattr(self, attr_name, value)

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """Return the action masks of some games; learners call no method but ``action_masks`` on single games.

        Returns:
            For each game a mask: bool, shape ``(num_actions,)``.

        Raises:
            AttributeError: if another method is called.
        """
        if method_name != "action_masks":
            raise AttributeError(f"the games of {type(self).__name__} have no method {method_name!r}")
        masks = self.action_masks()
        return [masks[i] for i in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False] * len(list(self._get_indices(indices)))
