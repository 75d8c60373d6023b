"""What an illegal action does in the single-agent environments: it ends the game, or a legal one is played instead."""

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
    """Return the reward of an illegal action; by default -1 where it ends the game, and 0 where it is replaced.

    Raises:
        ValueError: an unknown way with illegal actions, or a reward that is no finite number.
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
    """Return the distance from an illegal action to the one that is tried in its place.

    It has no divisor in common with the number of actions, so that every action is reached, and is near the golden
    section of it, so that legal actions whose ids are neighbours replace equally many illegal ones.
    """
    return next(
        stride
        for stride in range(round(num_actions * _GOLDEN) or 1, 2 * num_actions)
        if math.gcd(stride, num_actions) == 1
    )


def replacement_of(action: int, legal: Sequence[int], num_actions: int) -> int:
    """Return the legal action that replaces an illegal one: always the same for the same legal actions."""
    stride = replacement_stride(num_actions)
    while action not in legal:
        action = (action + stride) % num_actions
    return action


def warn_of_illegal_action() -> None:
    """Warn that the default reward of an illegal action teaches nothing; Python shows it once for a line of code."""
    warnings.warn(
        f"an illegal action ended an episode with reward {ILLEGAL_REWARD:g}, which equals a lost game: a learner that "
        "does not use the action masks hardly sees another reward. Use action_masks(), as MaskablePPO of sb3-contrib "
        "does, or illegal_actions='replace', which plays a legal action instead",
        stacklevel=3,
    )
