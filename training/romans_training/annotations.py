"""What agents say of decisions: action probabilities and values, of many views, or of a game for its replay."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

import romans_agents
from romans_agents import Agent, PolicyFileError, UnknownAgentError
from romans_agents.base import has_action_probabilities
from romans_agents.errors import raised_by
from romans_agents.permission import FileNotAllowedError
from romans_agents.policy import PolicyAgent
from romans_env import Game, Opinion, View

_AT_ONCE = 512
"""Views that a network is asked about together; bounds the memory of their observations."""


class Answers(NamedTuple):
    """What an agent says of n decisions."""

    probabilities: npt.NDArray[np.float64]
    """Of every action, shape (n, number of actions)."""
    values: npt.NDArray[np.float64]
    """The return that it expects for the seat, nan where it does not say: shape (n,)."""


def answers_of(
    agent: Agent, views: Sequence[View], on_progress: Callable[[int], object] = lambda done: None
) -> Answers:
    """Ask an agent about decisions of one setup; `on_progress` is called with how many are done.

    Of a policy that takes the most likely action, the probabilities are those of its network before it does; of an
    agent without any, the action that it takes is certain.
    """
    rules, count = views[0].rules, len(views)
    found = Answers(np.zeros((count, rules.num_actions)), np.full(count, np.nan))
    for part in (slice(first, min(first + _AT_ONCE, count)) for first in range(0, count, _AT_ONCE)):
        if isinstance(agent, PolicyAgent):
            size = part.stop - part.start
            observations = np.empty((size, rules.observation_size), dtype=rules.observation_low.dtype)
            masks = np.empty((size, rules.num_actions), dtype=np.int8)
            for k, view in enumerate(views[part]):
                rules.observe(view.states, 0, view.seat, observations[k], masks[k])
            ask = agent.action_probabilities_batch if agent.sample else agent.policy.probabilities
            found.probabilities[part] = ask(observations, masks)
            found.values[part] = agent.policy.values(observations)
        else:
            found.probabilities[part] = [agent.action_probabilities(view) for view in views[part]]
        on_progress(part.stop)
    return found


def annotation_of(agent: Agent, view: View) -> Opinion:
    """Return the probabilities, and the value where there is one, that an agent gives for the decision of its seat."""
    (probabilities,), (value,) = answers_of(agent, [view])
    named = {view.action_name(action): float(probabilities[action]) for action in view.legal_actions()}
    return Opinion(agent.name, named, None if np.isnan(value) else float(value))


def annotations_of(game: Game, players: Mapping[str, Agent]) -> Iterator[Opinion | None]:
    """Yield the annotation of every action of a game, in order.

    Args:
        game: the game with its past.
        players: the agents that annotate, by player; the actions of other players have None.
    """
    again = Game(game.rules, deal=game.deal())
    for agent in players.values():
        agent.seed(0)
    for player, action in game.actions:
        note, asked = None, players.get(player)
        if asked is not None:
            with raised_by(asked):
                note = annotation_of(asked, again.view(player))
        yield note
        again.act(action)


def agents_of(game: Game, on_refusal: Callable[[str], object] = lambda player: None) -> dict[str, Agent]:
    """Return the agents that the game's record names and that say how likely they are to choose each action.

    A record may be a stranger's: it names registered agents alone, and no file of theirs is loaded.

    Args:
        game: the game of a record.
        on_refusal: a function called with every player whose agent is a file, which is not loaded.
    """
    players = {}
    for player, spec in (game.agents or {}).items():
        if spec is None:
            continue
        try:
            agent = romans_agents.make(spec, files="none", game=game.rules.name)
        except FileNotAllowedError:
            on_refusal(player)
            continue
        except (UnknownAgentError, PolicyFileError):  # a person, or an agent of another version
            continue
        if has_action_probabilities(agent):
            players[player] = agent
    return players
