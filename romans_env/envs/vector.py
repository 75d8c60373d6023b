"""The Gymnasium vector environment: many games, one seat each for the learner, stepped in compiled calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from romans_env.engine.seeds import seeds_of_games
from romans_env.envs.opponents import Batched, rules_and_opponents
from romans_env.envs.rendering import RENDER_FPS, RenderModeError
from romans_env.envs.reset_arguments import given_deal
from romans_env.game import Game
from romans_env.games import DEFAULT_GAME, spec_of

if TYPE_CHECKING:
    from romans_agents import Agent
    from romans_agents.kernels import LearnerSeats, LearnerStep

Info = dict[str, Any]


class GameVectorEnv(Batched, VectorEnv[npt.NDArray[Any], npt.NDArray[np.int64], npt.NDArray[Any]]):
    """Many games as a Gymnasium vector environment, such as ``gymnasium.make_vec("RomansGoHome-v0", num_envs=...)``.

    As the single environment, game by game: the reward is everything that the seat accrues until its next decision; the
    action mask is in ``info["action_mask"]``, int8, shape (num_envs, number of actions), and comes from
    ``action_masks()``; ``info["seat"]`` are the learner's seats. An illegal action ends the game with reward -1.
    Autoreset is same-step: a game that ends starts again at once, its last observation is in ``info["final_obs"]``, and
    ``info["final_info"]`` holds the seat, the points, whether it won, and whether an illegal action ended the game.
    Arrays are new each step. One thread steps it (beside the ``threads`` that it starts itself); others that share it
    need a lock.

    Args:
        num_envs: number of games.
        opponents: an agent spec or an agent for each other seat, from the learner's left on (None: ``greedy`` on
            every one); or, with ``mix_opponents``, a pool from which every opponent of every game is drawn.
        seat: the learner's seat, or None for a random seat each game.
        reward: ``"win"`` or ``"points"``.
        mix_opponents: draw the opponents from ``opponents``; give ``num_players`` with it.
        num_players: players of the table, the learner included; None: one more than ``opponents``.
        threads: how many share the games; game i is the same for any number.
        render_mode: ``"ansi"`` or ``"rgb_array"`` (``render()`` returns what the learner may see of each game, as text
            or pixels), or None.
        game: name of the game.
        setup: the game's settings, as for its ``env``.

    Raises:
        TypeError: an opponent that is neither an agent spec nor an agent.
        ValueError: settings that the game does not have, a wrong number of opponents, seat or reward.
        romans_agents.UnknownAgentError: an agent spec that names no agent.
    """

    metadata: dict[str, Any] = {
        "render_modes": ["ansi", "rgb_array"],
        "render_fps": RENDER_FPS,
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        opponents: Sequence[str | Agent] | None = None,
        seat: int | None = None,
        reward: str = "win",
        mix_opponents: bool = False,
        num_players: int | None = None,
        threads: int = 1,
        render_mode: str | None = None,
        game: str = DEFAULT_GAME,
        **setup: Any,
    ):
        if render_mode not in (None, *self.metadata["render_modes"]):
            modes = [None, *self.metadata["render_modes"]]
            raise RenderModeError(f"render_mode is one of {modes} where many games are played, not {render_mode!r}")
        self.render_mode = render_mode
        rules, players = rules_and_opponents(spec_of(game), opponents, num_players, setup, mix_opponents)
        spaces = self._set_up_batch(rules, num_envs, players, mix_opponents, seat, reward, threads)
        self.num_envs = num_envs
        self.single_observation_space, self.single_action_space = spaces
        self.observation_space, self.action_space = (batch_space(space, num_envs) for space in spaces)
        self._seeded = False

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[Any], Info]:
        """Start every game anew.

        Args:
            seed: an integer (game i gets ``seed + i``), a list with one for each game, or None to go on with the chance
                of the games before.
            options: there are none.

        Raises:
            TypeError: a seed that is no integer, or options that are no dict.
            ValueError: a negative seed, a wrong number of them, or a deal in the options (the single environment plays
                given deals).
        """
        if given_deal(options) is not None:
            raise ValueError("given deals are played by the single environment: gymnasium.make")
        if seed is not None or not self._seeded:
            seeds = seeds_of_games(seed, self.num_envs)
            super().reset(seed=seeds[0])
            self._batch.seed(seeds)
            self._seeded = True
        return self._batch.start(), self._info()

    def step(
        self, actions: npt.NDArray[Any]
    ) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[np.bool_], npt.NDArray[np.bool_], Info]:
        """Play an action in every game.

        Args:
            actions: integers, shape (num_envs,).

        Returns:
            observations int8 (num_envs, observation size), rewards float64 (num_envs,), terminations and truncations
            bool (num_envs,), info.
        """
        if not self._batch.is_started:
            raise ResetNeeded("call reset() before step()")
        seats = self._batch.seats()
        step = self._batch.step(actions)
        ended, info = step.ends != 0, self._info()
        if ended.any():
            info |= _final_info(step, ended, seats, self._batch.learner)
        return step.observations, step.rewards, ended, np.zeros(self.num_envs, dtype=np.bool_), info

    def render(self) -> tuple[Any, ...] | None:
        """What the learner may see of each game, as text or pixels; None without a render mode.

        Raises:
            gymnasium.error.ResetNeeded: before the first reset.
        """
        if self.render_mode is None:
            return None
        if not self._seeded:
            raise ResetNeeded("call reset() before render()")
        rules, states = self._batch.rules, self._batch.states
        renderer = spec_of(rules.name).part("renderer")
        games = [Game.of_states(rules, states[i : i + 1].copy()) for i in range(self.num_envs)]
        viewers = [rules.players[seat] for seat in self._batch.seats().tolist()]
        if self.render_mode == "ansi":
            return tuple(map(renderer.text, games, viewers))
        return tuple(renderer.picture(*shown).pixels() for shown in zip(games, viewers, strict=True))

    def _info(self) -> Info:
        return {"action_mask": self._batch.masks.copy(), "seat": self._batch.seats()}


def _final_info(
    step: LearnerStep, ended: npt.NDArray[np.bool_], seats: npt.NDArray[np.int8], learner: LearnerSeats
) -> Info:
    """The infos of the games that ended, in the form of Gymnasium's own vector environments."""
    # Only the rows of games that ended are looked at: there are few, and a step takes a fifth of a microsecond a game.
    kept = step.final[ended]
    observations = np.full(len(ended), None, dtype=object)
    observations[ended] = np.fromiter(kept, dtype=object, count=len(kept))
    illegal = (step.ends == 2).astype(np.int64)
    final_info: Info = {}
    for key, value, has_value in (
        ("illegal_action", illegal, illegal == 1),
        ("points", learner.points, ended),
        ("seat", seats, ended),
        ("won", learner.won.astype(np.int64), step.ends == 1),
    ):
        final_info |= {key: np.where(has_value, value, 0), f"_{key}": has_value.copy()}
    kept_infos = {"final_obs": observations, "final_info": final_info}
    return kept_infos | {f"_{key}": ended.copy() for key in kept_infos}
