"""What tests of environments need: settings of a table, and players whose choice follows from what they see."""

import zlib
from typing import Any

import numpy as np

from romans_agents import Agent
from romans_env import Table


def settings_of(table: tuple[Any, ...], opponent: Any = None) -> dict[str, Any]:
    """A table given as ``Table`` arguments, as settings; where there is an opponent, it sits on every other seat."""
    opponents = {} if opponent is None else {"opponents": [opponent] * (table[0] - 1)}
    return {**Table(*table).as_json(), **opponents}


def choice(observation, mask) -> int:
    """A legal action that depends on nothing but what the learner sees."""
    legal = np.flatnonzero(mask)
    return int(legal[zlib.crc32(observation.tobytes()) % len(legal)])


def choices(observations, masks):
    return np.array([choice(*seen) for seen in zip(observations, masks, strict=True)])


def in_python(agent: type[Agent]) -> type[Agent]:
    """The same agent as a class of one's own, which is asked in Python and never replaced by a compiled one."""
    return type(f"{agent.__name__}InPython", (agent,), {})


def played(env):
    """What a learner observes and gets in 40 decisions from a seed, with the first legal action."""
    observation, info = env.reset(seed=1)
    seen = [observation.tolist()]
    for _ in range(40):
        observation, *rest, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        assert env.observation_space.contains(observation)
        seen.append((observation.tolist(), *rest))
        if rest[1] or rest[2]:
            observation, info = env.reset()
            seen.append(observation.tolist())
    return seen


class Last(Agent):
    """Plays the last legal action, one view at a time; it is not compiled, and states no probabilities."""

    name = "last"

    def act(self, view):
        return view.legal_actions()[-1]


class Chooser(Agent):
    """An agent that is not compiled, and has no chance: it plays by ``choice``, and notes what it was asked.

    Attributes:
        acts: how often.
        seats: on which seats.
        given: classes of what it was given to see.
    """

    name = "chooser"

    def __init__(self):
        self.acts, self.seats, self.given = 0, set(), set()

    def act(self, view):
        self.acts += 1
        self.seats.add(view.seat)
        self.given.add(type(view))
        return choice(view.observation, view.action_mask)
