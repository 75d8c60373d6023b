"""The Gymnasium vector environment: many games, one seat each for the learner, stepped in compiled calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.envs.registration import EnvSpec
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from romans_env.core.game import Game
from romans_env.core.games import DEFAULT_GAME
from romans_env.core.parts import AgentLike, LearnerSeatsLike, LearnerStepLike
from romans_env.engine.ends import ENDED, ENDED_ILLEGAL
from romans_env.engine.seeds import seeds_of_games
from romans_env.envs.batch_env import BatchEnv
from romans_env.envs.opponents import line_up_of
from romans_env.envs.plain_spec import plain_spec
from romans_env.envs.rendering import RENDER_FPS, RenderModeError, frame_of, warn_of_no_render_mode
from romans_env.envs.reset_arguments import checked_options
from romans_env.envs.rewards import Reward
from romans_env.errors import shortened
from romans_env.render.renderer import renderer_of

Info = dict[str, Any]


class GameVectorEnv(BatchEnv, VectorEnv[npt.NDArray[Any], npt.NDArray[np.int64], npt.NDArray[Any]]):
    """Many games as a Gymnasium vector environment, such as ``gymnasium.make_vec("RomansGoHome-v0", num_envs=...)``.

    As the single environment, game by game: the reward is everything that the seat accrues until its next decision; the
    action mask is in ``info["action_mask"]``, int8, shape (num_envs, number of actions), and comes from
    ``action_masks()``; ``info["seat"]`` are the learner's seats. An illegal action ends the game, or a legal one
    is played instead (``info["illegal_action"]``), with reward ``illegal_reward``.

    What happens to a game that ends is the autoreset mode, as in Gymnasium's own vector environments:

    - ``SAME_STEP``: it starts again at once. Its last observation is in ``info["final_obs"]``, and
      ``info["final_info"]`` holds the seat, the points, whether it won, and whether an illegal action ended the game.
    - ``NEXT_STEP``: the observation is the last one, its action mask is all zeros, and ``info`` itself holds
      ``points``, ``won`` and ``illegal_action``. The next step starts the game, with reward 0, whatever the action.
    - ``DISABLED``: likewise, but the game stays as it is until ``reset(options={"reset_mask": ended})``, bool of shape
      (num_envs,), starts it; a step before that is an error.

    Gymnasium's own vector environments default to ``NEXT_STEP``; ``SAME_STEP`` spends no step on a reset. Arrays are
    new each step. One thread steps it (beside the ``threads`` that it starts itself); others that share it need a lock.

    Args:
        num_envs: number of games.
        opponents: an agent spec or an agent for each other seat, from the learner's left on; or, with
            ``mix_opponents``, a pool from which every opponent of every game is sampled. None: the game's
            `default_pool <romans_env.core.games.GameSpec>`, from weak to strong.
        seat: the learner's seat, or None for a random seat each game.
        reward: as for `SingleSeatEnv`; a function is called once a game and step.
        mix_opponents: sample the opponents from ``opponents``; give ``num_players`` with it.
        num_players: players of the table, the learner included; None: one more than ``opponents``.
        threads: how many share the games; game i is the same for any number.
        autoreset_mode: a `gymnasium.vector.AutoresetMode` or its value, such as ``"NextStep"``.
        illegal_actions: what an illegal action does, as for `SingleSeatEnv <romans_env.envs.single.SingleSeatEnv>`.
        illegal_reward: its reward, likewise.
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
    _spec: EnvSpec | None = None

    def __init__(
        self,
        num_envs: int = 1,
        opponents: Sequence[str | AgentLike] | None = None,
        seat: int | None = None,
        reward: Reward = "win",
        mix_opponents: bool = False,
        num_players: int | None = None,
        threads: int = 1,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        illegal_actions: str = "end",
        illegal_reward: float | None = None,
        render_mode: str | None = None,
        game: str = DEFAULT_GAME,
        **setup: Any,
    ):
        if render_mode not in (None, *self.metadata["render_modes"]):
            modes = [None, *self.metadata["render_modes"]]
            raise RenderModeError(f"render_mode is one of {modes} where many games are played, not {render_mode!r}")
        self.render_mode = render_mode
        self.autoreset_mode = _as_autoreset_mode(autoreset_mode)
        self.metadata = {**type(self).metadata, "autoreset_mode": self.autoreset_mode}
        line_up = line_up_of(GameVectorEnv, game, opponents, num_players, setup, mix_opponents)
        restarts_at_once = self.autoreset_mode is AutoresetMode.SAME_STEP
        spaces = self._set_up_batch(
            num_envs, *line_up, seat, reward, threads, illegal_actions, illegal_reward, restarts_at_once
        )
        self.num_envs = num_envs
        self.single_observation_space, self.single_action_space = spaces
        self.observation_space, self.action_space = (batch_space(space, num_envs) for space in spaces)
        self._batch.seed([None] * num_envs)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[Any], Info]:
        """Start every game anew, or some of them.

        Args:
            seed: an integer (game i gets ``seed + i``), a list with one for each game, or None to go on with the chance
                of the games before.
            options: ``{"reset_mask": games}`` starts these games alone: bool, shape (num_envs,). Of the others,
                observations and infos are as they were.

        Raises:
            TypeError: a seed is not an integer, the options not a dict, or a mask not an array of bools.
            ValueError: a negative seed, a wrong number of them, a mask of another shape or without a game, or another
                option (given deals are played by the single environment).
            gymnasium.error.ResetNeeded: a mask before the first reset.
        """
        mask = checked_options(options, ("reset_mask",)).get("reset_mask")
        if mask is not None:
            return self._reset_some(_as_reset_mask(mask, self.num_envs), seed)
        if seed is not None:
            seeds = seeds_of_games(seed, self.num_envs)
            super().reset(seed=seeds[0])
            self._batch.seed(seeds)
        return self._batch.start(), self._info()

    def _reset_some(
        self, games: npt.NDArray[np.bool_], seed: int | list[int | None] | None
    ) -> tuple[npt.NDArray[Any], Info]:
        if not self._batch.is_started:
            raise ResetNeeded("call reset() without a reset_mask first: every game has to start once")
        seeds = seeds_of_games(seed, self.num_envs)
        seeded = [i for i in np.flatnonzero(games).tolist() if seeds[i] is not None]
        if seeded:
            self._batch.seed_games(np.array(seeded), [seeds[i] for i in seeded])
        return self._batch.start(games), self._info()

    def step(
        self, actions: npt.NDArray[Any]
    ) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[np.bool_], npt.NDArray[np.bool_], Info]:
        """Play an action in every game.

        Args:
            actions: integers, shape (num_envs,).

        Returns:
            observations int8 (num_envs, observation size), rewards float64 (num_envs,), terminations and truncations
            bool (num_envs,), info.

        Raises:
            gymnasium.error.ResetNeeded: before the first reset, or where a game has ended and nothing resets it.
        """
        if not self._batch.is_started:
            raise ResetNeeded("call reset() before step()")
        needs_reset = self._batch.learner.needs_reset
        if self.autoreset_mode is AutoresetMode.DISABLED and needs_reset.any():
            ended_games = ", ".join(map(str, np.flatnonzero(needs_reset)[:10]))
            raise ResetNeeded(
                f"these games have ended: {ended_games}; reset(options={{'reset_mask': ...}}) starts them"
            )
        seats = self._batch.seats()
        step = self._batch.step(actions)
        ended, info = step.ends != 0, self._info()
        replaced = self._batch.learner.replaced == 1
        if replaced.any():
            info |= _marked("illegal_action", replaced, replaced)
        if ended.any():
            results = _results(step, ended, self._batch.learner)
            if self.autoreset_mode is AutoresetMode.SAME_STEP:
                info |= _final_info(step, ended, results | {"seat": np.where(ended, seats, 0), "_seat": ended.copy()})
            else:
                info |= results
        return step.observations, step.rewards, ended, np.zeros(self.num_envs, dtype=np.bool_), info

    def render(self) -> tuple[Any, ...] | None:
        """Render what the learner may see of each game, as text or pixels; None without a render mode.

        Raises:
            gymnasium.error.ResetNeeded: before the first reset.
        """
        if self.render_mode is None:
            warn_of_no_render_mode()
            return None
        if not self._batch.is_started:
            raise ResetNeeded("call reset() before render()")
        rules, states = self._batch.rules, self._batch.states
        renderer = renderer_of(rules.name)
        games = [Game.of_states(rules, states[i : i + 1].copy()) for i in range(self.num_envs)]
        viewers = [rules.players[seat] for seat in self._batch.seats().tolist()]
        if self.render_mode == "ansi":
            return tuple(map(renderer.text, games, viewers))
        return tuple(frame_of(renderer.picture(*shown)) for shown in zip(games, viewers, strict=True))

    # Gymnasium declares an attribute.
    @property
    def spec(self) -> EnvSpec | None:  # pyright: ignore[reportIncompatibleVariableOverride]
        """What ``gymnasium.make_vec`` makes the environment from again; None where it was not made so."""
        return self._spec

    @spec.setter
    def spec(self, spec: EnvSpec | None) -> None:  # pyright: ignore[reportIncompatibleVariableOverride]
        self._spec = plain_spec(spec)

    def _info(self) -> Info:
        return {"action_mask": self._batch.masks.copy(), "seat": self._batch.seats()}


def _as_autoreset_mode(mode: AutoresetMode | str) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        modes = ", ".join(repr(one.value) for one in AutoresetMode)
        raise ValueError(
            f"autoreset_mode is a gymnasium.vector.AutoresetMode or one of {modes}, not {mode!r}"
        ) from None


def _as_reset_mask(mask: Any, num_envs: int) -> npt.NDArray[np.bool_]:
    if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
        raise TypeError(f"options['reset_mask'] is a numpy array of bools, not {shortened(mask)}")
    if mask.shape != (num_envs,):
        raise ValueError(f"options['reset_mask'] has shape ({num_envs},), not {mask.shape}")
    if not mask.any():
        raise ValueError("options['reset_mask'] names at least one game")
    return mask


def _results(step: LearnerStepLike, ended: npt.NDArray[np.bool_], learner: LearnerSeatsLike) -> Info:
    """Return the results of the games that ended."""
    illegal = (step.ends == ENDED_ILLEGAL) | (learner.replaced == 1)
    return {
        **_marked("illegal_action", illegal, illegal),
        **_marked("points", learner.points, ended),
        **_marked("won", learner.won.astype(np.int64), step.ends == ENDED),
    }


def _marked(key: str, values: npt.NDArray[Any], has_value: npt.NDArray[np.bool_]) -> Info:
    """Return a value of some games, with the mask of those games, in the form of Gymnasium's own environments."""
    return {key: np.where(has_value, values, 0), f"_{key}": has_value.copy()}


def _final_info(step: LearnerStepLike, ended: npt.NDArray[np.bool_], results: Info) -> Info:
    """Return what same-step autoreset keeps of the games that ended."""
    # Only the rows of games that ended are looked at: there are few, and a step takes a fifth of a microsecond a game.
    kept = step.final[ended]
    observations = np.full(len(ended), None, dtype=object)
    observations[ended] = np.fromiter(kept, dtype=object, count=len(kept))
    kept_infos = {"final_obs": observations, "final_info": results}
    return kept_infos | {f"_{key}": ended.copy() for key in kept_infos}
