"""The AEC environment with the guarantees of PettingZoo's usual three wrappers built in.

`OrderEnforcingWrapper`, `AssertOutOfBoundsWrapper` and `TerminateIllegalWrapper` around an environment cost several
times the environment. `CheckedAECEnv` behaves as they do together, error for error and warning for warning, at nearly
the speed of the bare environment; the tests play both side by side.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any, ParamSpec

import numpy as np
import numpy.typing as npt
from pettingzoo.utils.env_logger import EnvLogger

from romans_env.engine.ends import ILLEGAL_REWARD
from romans_env.envs.aec import GameAECEnv, Observation
from romans_env.errors import IllegalActionError

P = ParamSpec("P")
_ONLY_AFTER_RESET = {"agents", "rewards", "terminations", "truncations", "infos", "agent_selection", "num_agents"}


class CheckedAECEnv(GameAECEnv):
    """`GameAECEnv` that checks the order of calls and bounds, and ends the game for an agent with an illegal action.

    - Before the first reset, calls raise AssertionError and attributes raise AttributeError.
    - An action outside of the space raises AssertionError.
    - An illegal action ends the game for all, with reward -1 for the offender and 0 for the others, and a warning.
    - A step after every agent has left only warns.
    - ``agent_iter`` asks for a step (or reset) in every round of the loop.

    Args:
        bare: the environment without checks, just created; it must not be used any more.
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
        """See `AECEnv.reset`; the arguments are checked first."""
        super().reset(seed=seed, options=options)
        self._has_updated = True

    def step(self, action: Any) -> None:
        """Play the action of ``agent_selection``; None for an agent that has ended.

        Raises:
            AssertionError: before the first reset, or for an action outside of the space.
            ValueError: an action for an agent that has ended.
        """
        self._has_updated = True
        if not self._is_live:
            self._step_after_the_end(action)
            return
        # What the space contains: its own check takes longer than the step.
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
        """See `AECEnv.observe`; the arguments are checked first."""
        if self._game is None:
            EnvLogger.error_observe_before_reset()
        return super().observe(agent)

    def state(self) -> npt.NDArray[np.int8]:
        """See `AECEnv.state`; the arguments are checked first."""
        if self._game is None:
            EnvLogger.error_state_before_reset()
        return super().state()

    def render(self) -> Any:
        """See `AECEnv.render`; the arguments are checked first."""
        if self._game is None:
            EnvLogger.error_render_before_reset()
        return super().render()

    # PettingZoo has a class of its own around an iterator.
    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Yield the agents to act, one after the other; call step or reset in every round of the loop."""
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
    """Return a function like ``raw_env`` that creates the game's environment with the checks."""

    @functools.wraps(raw_env)
    def env(*args: P.args, **settings: P.kwargs) -> CheckedAECEnv:
        return CheckedAECEnv(raw_env(*args, **settings))

    env.__name__ = env.__qualname__ = "env"
    env.__doc__ = """Create the environment with the guarantees of PettingZoo's usual wrappers, built in for speed.

    Order and bounds are enforced, and an illegal action ends the game for the offender. Arguments and errors as for
    `raw_env`.
    """
    return env
