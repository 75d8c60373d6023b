"""The Gymnasium vector environment: many games with one learner's seat each, stepped in compiled code."""

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
    """Many games as a Gymnasium vector environment: ``gymnasium.make_vec("RomansGoHome-v0", num_envs=...)``.

    Each game is played as in `SingleSeatEnv`: a step plays the learner's action and goes on to its next decision, and
    the reward is all that its seat receives until then. Observations have shape ``(num_envs, observation_size)`` and
    the game's dtype, int8, int16 or float32. ``info`` holds:

    - ``"action_mask"``: int8, shape ``(num_envs, num_actions)``, 1 for legal actions (``action_masks()`` returns it as
      bool);
    - ``"seat"``: the learner's seats, int8, shape ``(num_envs,)``;
    - ``"illegal_action"``: 1 where an illegal action was replaced, int64, shape ``(num_envs,)``; missing if none was.

    The autoreset mode says what happens to a game that ends, as in Gymnasium's own vector environments:

    - ``SAME_STEP``: the game starts again in the same step. Its last observation is in ``info["final_obs"]``, and
      ``info["final_info"]`` holds ``"seat"``, ``"points"``, ``"won"`` and ``"illegal_action"``.
    - ``NEXT_STEP``: the step returns the last observation of the game with an action mask of zeros, and ``info`` itself
      holds ``"points"``, ``"won"`` and ``"illegal_action"``. The next step ignores the action and starts the game, with
      reward 0.
    - ``DISABLED``: the same, but the game does not start before ``reset(options={"reset_mask": ended})``; a step before
      that is an error.

    The default is ``SAME_STEP``, which spends no step on a reset; Gymnasium's own vector environments default to
    ``NEXT_STEP``. All arrays are new at each step. The environment starts its own worker threads; if several threads
    of the caller share it, they need a lock.

    Args:
        num_envs: number of games.
        opponents: an agent spec or an agent for each other seat, in seat order from the learner's left; with
            ``mix_opponents``, the pool from which each opponent of each game is sampled. None for the game's default
            pool (`default_pool <romans_env.core.games.GameSpec>`).
        seat: the learner's seat; None for a random seat in each game.
        reward: as for `SingleSeatEnv`; a reward function is called once for each game and step.
        mix_opponents: whether to sample opponents from ``opponents``; it requires ``num_players``.
        num_players: number of players, the learner included; by default one more than ``opponents``.
        threads: number of threads that share the games; it does not change the games.
        autoreset_mode: a `gymnasium.vector.AutoresetMode` or its value, such as ``"NextStep"``.
        illegal_actions: what an illegal action does, as for `SingleSeatEnv <romans_env.envs.single.SingleSeatEnv>`.
        illegal_reward: the reward of an illegal action, as for `SingleSeatEnv <romans_env.envs.single.SingleSeatEnv>`.
        render_mode: ``"ansi"`` or ``"rgb_array"`` (``render()`` returns the learner's view of each game, as text or
            pixels), or None.
        game: the name of the game.
        setup: the game's settings, as for its ``env``.

    Raises:
        TypeError: if an opponent is neither an agent spec nor an agent.
        ValueError: if a setting does not exist or is invalid, or the number of opponents, the seat, the reward, the
            render mode, the autoreset mode, ``illegal_actions`` or ``illegal_reward`` is invalid.
        romans_agents.UnknownAgentError: if an agent spec names no agent.
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
        """Start all games, or some of them, and play each to the learner's first decision.

        Args:
            seed: an integer (game i gets ``seed + i``), a list with a seed or None for each game, or None to continue
                the random streams of the games before.
            options: ``{"reset_mask": games}``, bool, shape ``(num_envs,)``, starts these games alone; the observations
                and infos of the others stay the same.

        Returns:
            The observations, shape ``(num_envs, observation_size)``, in the game's dtype, and info.

        Raises:
            TypeError: if a seed is not an integer, the options are not a dict, or the mask is not an array of bools.
            ValueError: if a seed is negative, the number of seeds is wrong, the mask has another shape or selects no
                game, or an option is unknown (only the single environment plays given deals).
            gymnasium.error.ResetNeeded: if there is a mask at the first reset.
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
        """Play the learner's action in every game and go on to its next decision.

        Args:
            actions: action ids, integers, shape ``(num_envs,)``.

        Returns:
            The observations, shape ``(num_envs, observation_size)``, in the game's dtype; the rewards, float64, shape
            ``(num_envs,)``; terminations, bool, shape ``(num_envs,)``; truncations, of the same shape, all False; and
            info.

        Raises:
            TypeError: if the actions are not integers.
            ValueError: if the number of actions is wrong.
            gymnasium.error.ResetNeeded: before the first reset, or if a game has ended and the autoreset mode is
                ``DISABLED``.
            romans_env.IllegalActionError: if an opponent chooses an illegal action; the environment must be reset then.
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
        """Render the learner's view of each game.

        Returns:
            A text for each game in mode ``"ansi"``; pixels for each game in mode ``"rgb_array"``, uint8, shape
            ``(height, 600, 3)``; None, with a warning, if there is no render mode.

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
        """The spec from which ``gymnasium.make_vec`` can create the environment again; None if created directly."""
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
    """Return the results of the games that ended, as info: arrays of shape ``(num_envs,)``."""
    illegal = (step.ends == ENDED_ILLEGAL) | (learner.replaced == 1)
    return {
        **_marked("illegal_action", illegal, illegal),
        **_marked("points", learner.points, ended),
        **_marked("won", learner.won.astype(np.int64), step.ends == ENDED),
    }


def _marked(key: str, values: npt.NDArray[Any], has_value: npt.NDArray[np.bool_]) -> Info:
    """Return an info value of some games, and the mask of these games, as Gymnasium's own environments do.

    Args:
        key: the name of the value; the mask has the same name after an underscore.
        values: shape ``(num_envs,)``.
        has_value: the games with a value, bool, shape ``(num_envs,)``; the others get 0.
    """
    return {key: np.where(has_value, values, 0), f"_{key}": has_value.copy()}


def _final_info(step: LearnerStepLike, ended: npt.NDArray[np.bool_], results: Info) -> Info:
    """Return the last observations and infos of the games that ended, as info for same-step autoreset."""
    # Only rows of games that ended are touched: they are few, and a whole step takes a fifth of a microsecond per game.
    kept = step.final[ended]
    observations = np.full(len(ended), None, dtype=object)
    observations[ended] = np.fromiter(kept, dtype=object, count=len(kept))
    kept_infos = {"final_obs": observations, "final_info": results}
    return kept_infos | {f"_{key}": ended.copy() for key in kept_infos}
