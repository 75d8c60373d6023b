"""A game as a PettingZoo AEC environment, without and with the checks of PettingZoo's three usual wrappers.

`OrderEnforcingWrapper`, `AssertOutOfBoundsWrapper` and `TerminateIllegalWrapper` take several times as long as the
environment that they wrap. `CheckedAECEnv` raises the same errors and gives the same warnings as the three together, at
nearly the speed of the environment without checks; the tests play both side by side.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ParamSpec, cast

import numpy as np
import numpy.typing as npt
import pettingzoo
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.conversions import turn_based_aec_to_parallel
from pettingzoo.utils.env_logger import EnvLogger

from romans_env.core.game import Game
from romans_env.core.games import spec_of
from romans_env.core.protocol import Rules
from romans_env.engine.ends import ILLEGAL_REWARD
from romans_env.engine.seeds import as_seed
from romans_env.envs.bounded_box import bounded_box
from romans_env.envs.game_env import GameEnv
from romans_env.envs.rendering import RENDER_FPS, RENDER_MODES
from romans_env.envs.reset_arguments import check_deal, checked_options
from romans_env.envs.rewards import Reward, SeatState, reward_between
from romans_env.errors import GameOverError, IllegalActionError
from romans_env.render.renderer import Renderer, renderer_of

P = ParamSpec("P")
Observation = dict[str, npt.NDArray[np.int8]]
_ONLY_AFTER_RESET = {"agents", "rewards", "terminations", "truncations", "infos", "agent_selection", "num_agents"}


class GameAECEnv(GameEnv, AECEnv[str, Observation, Any]):
    """A game as a PettingZoo AEC environment, without wrappers.

    The agents are the players; they all terminate together. An observation is a dict:

    - ``"observation"``: shape ``(observation_size,)``, of the game's dtype, int8, int16 or float32;
    - ``"action_mask"``: int8, shape ``(num_actions,)``, 1 for legal actions, all zeros if the agent is not to act.

    ``step`` raises `IllegalActionError` for an illegal action, and changes nothing. At the end ``infos[agent]`` holds
    the agent's ``"points"``, and 1 or 0 as ``"won"``.

    Copies (``clone``, ``copy.deepcopy``, ``pickle``) include the game in progress. Each thread may have an environment;
    threads that share one need a lock.

    Args:
        rules: the game with its setup.
        reward: ``"win"`` (the return of the game, at its end), ``"points"`` (the change of the agent's points), or a
            reward function. It is called with two `romans_env.envs.rewards.SeatState`, the agent at its last decision
            (or at the start of the game) and the agent at its next decision (or at the end), and returns the reward.
        render_mode: ``"ansi"`` (``render()`` returns text), ``"rgb_array"`` (``render()`` returns pixels), ``"human"``
            (every step is shown in a window, or printed if there is no display) or None.
        renderer: draws what ``render()`` shows.
        name: the environment's name in ``metadata``.

    Raises:
        ValueError: if the reward or the render mode does not exist.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": RENDER_FPS, "is_parallelizable": False}

    def __init__(self, rules: Rules, reward: Reward, render_mode: str | None, renderer: Renderer, name: str):
        super().__init__()
        self._set_up(rules, reward, render_mode, renderer)
        self.metadata = {**type(self).metadata, "name": name}
        self.possible_agents = list(rules.players)
        self.agents: list[str] = []
        self.observation_spaces = {
            agent: cast(
                "spaces.Space[Observation]",
                spaces.Dict(
                    {
                        "observation": bounded_box(rules.observation_low, rules.observation_high),
                        "action_mask": spaces.Box(0, 1, (rules.num_actions,), dtype=np.int8),
                    }
                ),
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(rules.num_actions) for agent in self.possible_agents}
        self.state_space = bounded_box(rules.global_state_low, rules.global_state_high)
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._rng = np.random.default_rng()
        self._is_live = False
        self._decided: list[SeatState] = []
        """Used with a reward function: each seat at its last decision, or at the start of the game."""

    def observation_space(self, agent: str) -> spaces.Space[Observation]:
        """Return the observation space of an agent, a ``Dict`` of two ``Box`` spaces; equal for all agents."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the flat action space of an agent; equal for all agents."""
        space = self.action_spaces[agent]
        assert isinstance(space, spaces.Discrete)
        return space

    # -- the PettingZoo calls

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game.

        Args:
            seed: determines this game's chance and, until a reset with another seed, that of later games.
            options: ``{"deal": deal}`` plays a given deal; once its outcomes are used up, chance comes from the seed.

        Raises:
            TypeError: if the seed is not an integer, or the options are not a dict; nothing is changed.
            ValueError: if the seed is negative, an option is unknown, or the deal does not fit the setup; nothing is
                changed.
        """
        seed = as_seed(seed)
        rng = self._rng if seed is None else np.random.default_rng(seed)
        # PettingZoo's API test resets every environment with an option of the name "options".
        deal = checked_options(options, ("deal", "options")).get("deal")
        check_deal(self.rules, deal)
        self._game = Game(self.rules, seed=int(rng.integers(2**63)), deal=deal)
        self._rng = rng
        self._is_live = True
        self._num_shown = 0
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection: str | None = None
        if callable(self.reward):
            self._decided = self._seat_states(range(self.rules.num_players))
        self.agent_selection = self.agents[self.game.seat_to_act or 0]
        if self.render_mode == "human":
            self.render()

    def step(self, action: Any) -> None:
        """Play an action of the agent ``agent_selection``.

        Args:
            action: an action id or name; None for an agent that has terminated.

        Raises:
            IllegalActionError: if the action is not legal; the message lists the legal ones, and nothing is changed.
            GameOverError: if the game is over and no agent is left.
            RuntimeError: before the first reset.
            ValueError: if an agent that has terminated is given an action.
        """
        if not self._is_live:
            self._step_after_the_end(action)
            return
        game = cast(Game, self._game)
        points_before = game.points() if self.reward == "points" else None
        seat = game.act(action)
        self._cumulative_rewards[self.agent_selection] = 0.0
        if seat >= 0:
            self.agent_selection = self.possible_agents[seat]
        else:
            self._end()
        if points_before is not None:
            points = game.points()
            self.rewards = {player: float(points[player] - points_before[player]) for player in game.players}
            self._accumulate_rewards()
        elif callable(self.reward):
            self._reward_by_function(range(self.rules.num_players) if seat < 0 else (seat,))
        elif seat < 0:
            self.rewards = game.returns()
            self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _reward_by_function(self, seats: Sequence[int]) -> None:
        self.rewards = dict.fromkeys(self.possible_agents, 0.0)
        for state in self._seat_states(seats):
            agent = self.possible_agents[state.seat]
            self.rewards[agent] = reward_between(self.reward, self._decided[state.seat], state)
            self._decided[state.seat] = state
        self._accumulate_rewards()

    def _step_after_the_end(self, action: Any) -> None:
        if self._game is None:
            raise RuntimeError("call reset() first")
        if not self.agents:
            raise GameOverError("the game is over and every agent has left; call reset() to start another")
        self._was_dead_step(action)

    def _end(self) -> None:
        self._is_live = False
        points, winners = self.game.points(), self.game.winners()
        for agent in self.agents:
            self.terminations[agent] = True
            self.infos[agent] = {"points": points[agent], "won": int(agent in winners)}
        self._deads_step_first()

    def observe(self, agent: str) -> Observation:
        """Return the observation of an agent: a dict of new arrays.

        ``"observation"`` has shape ``(observation_size,)``, ``"action_mask"`` is int8, shape ``(num_actions,)``; the
        class describes them.
        """
        observation, mask = self.game.observation_and_mask(self._seat_of[agent])
        return {"observation": observation, "action_mask": mask}

    def state(self) -> npt.NDArray[np.int8]:
        """Return the full state, hidden cards included, for centralised critics: an array of ``state_space``.

        Its shape is ``(global_state_size,)``, its dtype the game's: int8, int16 or float32.
        """
        return self.game.global_state()

    def render(self) -> Any:
        """Render the full state.

        Returns:
            Text in mode ``"ansi"``; pixels in mode ``"rgb_array"``, uint8, shape ``(height, 600, 3)``, with an even
            height that depends on the setup; None in mode ``"human"``, which shows the state.
        """
        return self._rendered(None)

    def clone(self) -> GameAECEnv:
        """Return an independent copy, the game in progress included."""
        twin: GameAECEnv = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        for spaces_of in ("observation_spaces", "action_spaces", "state_space"):
            setattr(twin, spaces_of, copy.deepcopy(getattr(self, spaces_of)))  # they hold generators
        if "agents" in self.__dict__:
            twin.agents = list(self.agents)
        twin._rng = np.random.Generator(type(self._rng.bit_generator)())
        twin._rng.bit_generator.state = self._rng.bit_generator.state
        twin._window = copy.copy(self._window)
        if self._game is not None:
            twin._game = self._game.clone()
            for field in ("rewards", "_cumulative_rewards", "terminations", "truncations"):
                setattr(twin, field, dict(getattr(self, field)))
            twin._decided = list(self._decided)
            twin.infos = {agent: dict(info) for agent, info in self.infos.items()}
        return twin


class CheckedAECEnv(GameAECEnv):
    """A `GameAECEnv` that checks its arguments and the order of calls, and ends the game at an illegal action.

    - Before the first reset, calls raise AssertionError and attributes raise AttributeError.
    - An action outside the action space raises AssertionError.
    - An illegal action ends the game for all agents, with reward -1 for the offender and 0 for the others, and a
      warning.
    - A step after all agents have left only warns.
    - ``agent_iter`` raises AssertionError if the loop's body calls neither ``step`` nor ``reset``.

    Args:
        bare: the environment without checks, just created; it must not be used afterwards.
    """

    def __init__(self, bare: GameAECEnv):
        self.__dict__.update(vars(bare))
        self._has_updated = False
        del self.agents

    def __getattr__(self, name: str) -> Any:
        if name in _ONLY_AFTER_RESET:
            raise AttributeError(f"{name} cannot be accessed before reset")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        super().reset(seed=seed, options=options)
        self._has_updated = True

    def step(self, action: Any) -> None:
        """Play an action of the agent ``agent_selection``.

        Args:
            action: an action id; None for an agent that has terminated.

        Raises:
            AssertionError: before the first reset, or if the action is outside the action space.
            ValueError: if an agent that has terminated is given an action.
        """
        self._has_updated = True
        if not self._is_live:
            self._step_after_the_end(action)
            return
        # The space's own check takes longer than the step.
        if type(action) is not int or not 0 <= action < self.rules.num_actions:
            in_space = type(action) is not bool and self.action_space(self.agent_selection).contains(action)
            assert in_space, "action is not in action space"
            action = int(action)
        try:
            super().step(action)
        except IllegalActionError:
            self._end_for_the_offender()

    def _step_after_the_end(self, action: Any) -> None:
        if self._game is None:
            EnvLogger.error_step_before_reset()
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        in_space = action is None or self.action_space(self.agent_selection).contains(action)
        assert in_space, "action is not in action space"
        self._was_dead_step(action)

    def _end_for_the_offender(self) -> None:
        EnvLogger.warn_on_illegal_move()
        self._is_live = False
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self.rewards[self.agent_selection] = ILLEGAL_REWARD
        self._accumulate_rewards()
        self._deads_step_first()

    def observe(self, agent: str) -> Observation:
        if self._game is None:
            EnvLogger.error_observe_before_reset()
        return super().observe(agent)

    def state(self) -> npt.NDArray[np.int8]:
        if self._game is None:
            EnvLogger.error_state_before_reset()
        return super().state()

    def render(self) -> Any:
        if self._game is None:
            EnvLogger.error_render_before_reset()
        return super().render()

    # PettingZoo returns an iterable class of its own instead.
    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Yield the agent to act, one after the other; the loop's body must call ``step`` or ``reset``.

        Args:
            max_iter: the largest number of agents to yield.
        """
        if self._game is None:
            EnvLogger.error_agent_iter_before_reset()
        return self._iterate(max_iter)

    def _iterate(self, max_iter: int) -> Iterator[str]:
        while self.agents and max_iter > 0:
            max_iter -= 1
            assert self._has_updated, "need to call step() or reset() in a loop over `agent_iter`"
            self._has_updated = False
            yield self.agent_selection


def with_checks(raw_env: Callable[P, GameAECEnv]) -> Callable[P, CheckedAECEnv]:
    """Return a function like ``raw_env`` that creates the same environment with the checks of `CheckedAECEnv`."""

    @functools.wraps(raw_env)
    def env(*args: P.args, **settings: P.kwargs) -> CheckedAECEnv:
        return CheckedAECEnv(raw_env(*args, **settings))

    env.__name__ = env.__qualname__ = "env"
    env.__doc__ = """Create the environment with the checks of PettingZoo's usual wrappers, built in for speed.

    The order of calls and the bounds of actions are checked, and an illegal action ends the game with reward -1 for the
    offender. Arguments and errors are those of `raw_env`.
    """
    return env


def env_of(game: str, reward: Reward = "win", render_mode: str | None = None, **settings: Any) -> CheckedAECEnv:
    """Create the environment of any game, with the checks of `CheckedAECEnv`.

    Args:
        game: the name of the game.
        reward: as for `GameAECEnv`.
        render_mode: as for `GameAECEnv`.
        settings: the settings of the game's setup.

    Raises:
        ValueError: if the game, the reward, the render mode or a setting does not exist, or a setting is invalid.
    """
    spec = spec_of(game)
    rules = spec.make_rules(**settings)
    return CheckedAECEnv(GameAECEnv(rules, reward, render_mode, renderer_of(game), spec.env_id or game))


def parallel_env_of(aec: str, **settings: Any) -> ParallelEnv[str, Observation, Any]:
    """Create a parallel environment from an AEC one with `pettingzoo.utils.conversions.turn_based_aec_to_parallel`.

    In each step every agent gives an action, and only the action of the agent to act is played;
    ``infos[agent]["active_agent"]`` is the agent to act next. The action masks of the others are all zeros.

    Args:
        aec: the id of the AEC environment, such as ``"Roma-v0"``.
        settings: the arguments of that environment.
    """
    return turn_based_aec_to_parallel(pettingzoo.make("aec", aec, **settings))
