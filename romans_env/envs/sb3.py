"""A stable-baselines3 ``VecEnv``: many games, one seat each for the learner, stepped in compiled calls."""

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
    """Games for a stable-baselines3 learner, with its opponents inside.

    A step plays the learner's action in every game and runs on to its next decision; the reward is all it accrued until
    then, its loss included. A game that ends starts again in the same step: its last observation is in
    ``info["terminal_observation"]``, its return and length in ``info["episode"]``, the learner's points, whether it won
    (0 or 1) and its seat in ``info["points"]``, ``info["won"]`` and ``info["seat"]``; ``info["is_success"]`` is whether
    it won, from which stable-baselines3 logs ``rollout/success_rate``. ``action_masks()`` gives the action masks. An
    illegal action ends the game, or a legal one is played instead, with reward ``illegal_reward`` and
    ``info["illegal_action"]``. Compiled opponents play inside the step, others in batches or one view at a time.

    The arrays and infos that ``step`` and ``reset`` give are new each time. One thread steps it (beside the ``threads``
    that it starts itself); others that share it need a lock.

    Args:
        num_envs: number of games.
        num_players: players of the table, the learner included; None: one more than ``opponents``.
        opponents: an agent spec or an agent for each other seat, from the learner's left on; or, with
            ``mix_opponents``, a pool from which every opponent of every game is sampled. None: the game's
            `default_pool <romans_env.core.games.GameSpec>`, from weak to strong.
        mix_opponents: sample the opponents from ``opponents``; give ``num_players`` with it.
        seat: the learner's seat, or None for a random seat each game.
        reward: as for `SingleSeatEnv`; a function is called once a game and step.
        seed: game i gets ``seed + i``, which decides it whatever the number of games; None: fresh chance.
        threads: how many share the games; game i is the same for any number.
        game: name of the game.
        rules: the game with its setup, in place of ``game``, ``num_players`` and ``setup``.
        illegal_actions: what an illegal action does, as for `SingleSeatEnv <romans_env.envs.single.SingleSeatEnv>`.
        illegal_reward: its reward, likewise.
        setup: the game's settings, as for its ``env``.

    Raises:
        TypeError: an opponent that is neither an agent spec nor an agent.
        ValueError: settings that the game does not have, a wrong number of opponents, seat or reward.
        romans_agents.UnknownAgentError: an agent spec that names no agent.
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
        """Return the state of all games, without the opponents: arrays by name for `restore`."""
        return {"batch": self._batch.saved(), "own": {name: array.copy() for name, array in self._arrays().items()}}

    def restore(self, saved: dict[str, Any]) -> None:
        """Go back to where `saved` was called on an environment with the same arguments.

        Opponents that play in Python are as they are: give them a seed (``seed_opponents``) where it matters.

        Raises:
            ValueError: what does not fit this environment.
        """
        if not isinstance(saved, dict) or set(saved) != {"batch", "own"}:
            raise SavedGamesError("saved games are what saved() of an environment gives")
        self._batch.restore(saved["batch"])
        restore_arrays(self._arrays(), saved["own"])

    def begin_at_positions(self, share: float, seed: int) -> None:
        """Have a share of the games to come begin at positions of recent ones, for a learner whose seat is random.

        ``info["restarted"]`` is 1 where such a game ends; the seed decides which games and positions those are.
        """
        self._batch.begin_at_positions(share, seed)

    def seed_opponents(self, seed: int) -> None:
        """Seed the opponents that play in Python; compiled ones draw from the random streams of the games."""
        words = np.random.SeedSequence(seed).generate_state(max(1, len(self._batch.agents)))
        for opponent, word in zip(self._batch.agents, words.tolist(), strict=False):
            opponent.seed(word)

    def _arrays(self) -> dict[str, npt.NDArray[Any]]:
        return {"lengths": self._lengths, "returns": self._returns}

    # -- the VecEnv calls

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Note the seed of the next reset: game i gets ``seed + i``.

        Raises:
            TypeError: the seed is not an integer.
            ValueError: a negative one.
        """
        return super().seed(as_seed(seed))

    def reset(self) -> npt.NDArray[Any]:
        """Start every game anew; ``seed(n)`` before it makes game i that of seed ``n + i``.

        Raises:
            ValueError: an option was set; this environment has no reset options.
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
        """Note the actions, shape (num_envs,)."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, Any, Any, list[dict[str, Any]]]:
        """Play the noted actions."""
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
        """See stable-baselines3's ``VecEnv.has_attr``."""
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """See stable-baselines3's ``VecEnv.get_attr``."""
        return [getattr(self, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """See stable-baselines3's ``VecEnv.set_attr``."""
        setattr(self, attr_name, value)

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """Call ``action_masks`` on games, the one method that learners call on single games."""
        if method_name != "action_masks":
            raise AttributeError(f"the games of {type(self).__name__} have no method {method_name!r}")
        masks = self.action_masks()
        return [masks[i] for i in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """See stable-baselines3's ``VecEnv.env_is_wrapped``."""
        return [False] * len(list(self._get_indices(indices)))
