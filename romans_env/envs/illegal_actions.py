"""Illegal actions in the single-agent environments: they end the game, or a legal action is played instead."""

from __future__ import annotations

import contextlib
import functools
import math
import warnings
from collections.abc import Sequence
from numbers import Real

from romans_env.engine.ends import ILLEGAL_REWARD
from romans_env.errors import shortened

ILLEGAL_ACTIONS = ("end", "replace")
_GOLDEN = (math.sqrt(5) - 1) / 2


def illegal_reward_of(illegal_actions: str, reward: float | None) -> float:
    """Return the reward of an illegal action.

    Args:
        illegal_actions: ``"end"`` or ``"replace"``.
        reward: the reward; None for the default, -1 for ``"end"`` and 0 for ``"replace"``.

    Raises:
        ValueError: if ``illegal_actions`` has another value, or the reward is not a finite number.
    """
    if illegal_actions not in ILLEGAL_ACTIONS:
        raise ValueError(f"illegal_actions is one of {', '.join(map(repr, ILLEGAL_ACTIONS))}, not {illegal_actions!r}")
    if reward is None:
        return ILLEGAL_REWARD if illegal_actions == "end" else 0.0
    with contextlib.suppress(OverflowError):
        if isinstance(reward, Real) and not isinstance(reward, bool) and math.isfinite(number := float(reward)):
            return number
    raise ValueError(f"illegal_reward is a finite number, not {shortened(reward)}")


@functools.cache
def replacement_stride(num_actions: int) -> int:
    """Return the step by which the ids of the actions that may replace an illegal one are searched.

    It is coprime to the number of actions, so that every action is reached, and close to the number's golden section,
    so that legal actions with neighbouring ids replace about equally many illegal ones.
    """
    return next(
        stride
        for stride in range(round(num_actions * _GOLDEN) or 1, 2 * num_actions)
        if math.gcd(stride, num_actions) == 1
    )


def replacement_of(action: int, legal: Sequence[int], num_actions: int) -> int:
    """Return the legal action that replaces an illegal one: the first that is reached in steps of the stride.

    For the same legal actions it is always the same.
    """
    stride = replacement_stride(num_actions)
    while action not in legal:
        action = (action + stride) % num_actions
    return action


def warn_of_illegal_action() -> None:
    """Warn that learners without masks learn little from the default reward; Python shows it once per line of code."""
    warnings.warn(
        f"an illegal action ended an episode with reward {ILLEGAL_REWARD:g}, which equals a lost game: a learner that "
        "does not use the action masks hardly sees another reward. Use action_masks(), as MaskablePPO of sb3-contrib "
        "does, or illegal_actions='replace', which plays a legal action instead",
        stacklevel=3,
    )
