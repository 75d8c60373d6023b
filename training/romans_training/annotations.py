"""What agents say of decisions: action probabilities and values, of many views, or of a game for its replay."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import romans_agents
from romans_agents import Agent, BatchAgent, PolicyFileError, UnknownAgentError
from romans_agents.base import has_action_probabilities
from romans_agents.errors import raised_by
from romans_agents.game_batch import GameBatch
from romans_agents.permission import FileNotAllowedError
from romans_agents.policy import PolicyAgent
from romans_env import Game, IllegalActionError, Opinion, View
from romans_env.protocol import Rules, States

_AT_ONCE = 2048
"""Views that a network is asked about together; bounds the memory of their observations."""


class Answers(NamedTuple):
    """What an agent says of decisions.

    Attributes:
        probabilities: of every action: float64, shape (n, number of actions).
        values: the return that it expects for the seat, nan where it does not say: float64, shape (n,).
    """

    probabilities: npt.NDArray[np.float64]
    values: npt.NDArray[np.float64]

    @property
    def choices(self) -> npt.NDArray[np.int64]:
        """The most likely action of each, of equal ones the first: int64, shape (n,)."""
        return self.probabilities.argmax(axis=1)


def observed(rules: Rules, views: States) -> Iterator[tuple[slice, npt.NDArray[Any], npt.NDArray[np.int8]]]:
    """Give the observations and action masks of views, with their places, in parts that fit in memory."""
    batch = GameBatch(rules, views)
    for first in range(0, len(views), _AT_ONCE):
        part = slice(first, min(first + _AT_ONCE, len(views)))
        yield part, *batch.observed(np.arange(part.start, part.stop))


def answers_of(
    agent: Agent, rules: Rules, views: States, on_progress: Callable[[int], object] = lambda done: None
) -> Answers:
    """Ask an agent about many decisions.

    Of a policy that takes the most likely action, the probabilities are those of its network before it does; of an
    agent without any, the action that it takes is certain.

    Args:
        agent: the agent.
        rules: the game with its setup.
        views: redacted states of the seats that are to decide, shape (n,).
        on_progress: called with how many are done.

    Raises:
        romans_env.IllegalActionError: an agent's illegal choice.
    """
    found = Answers(np.zeros((len(views), rules.num_actions)), np.full(len(views), np.nan))
    if not isinstance(agent, BatchAgent):
        for k, seat in enumerate(rules.seats_to_act(views).tolist()):
            found.probabilities[k] = agent.action_probabilities(View(rules, views[k : k + 1].copy(), seat))
            on_progress(k + 1)
        return found
    for part, observations, masks in observed(rules, views):
        if isinstance(agent, PolicyAgent):
            give = agent.action_probabilities_batch if agent.sample else agent.policy.probabilities
            found.probabilities[part] = give(observations, masks)
            found.values[part] = agent.policy.values(observations)
        else:
            actions = np.asarray(agent.act_batch(observations, masks))
            if not np.take_along_axis(masks, actions[:, None], axis=1).all():
                raise IllegalActionError(f"the agent {agent.name}, act_batch: an action that is not legal")
            np.put_along_axis(found.probabilities[part], actions[:, None], 1.0, axis=1)
        on_progress(part.stop)
    return found


def annotation_of(agent: Agent, view: View) -> Opinion:
    """The action probabilities, and the value where there is one, that an agent gives for the decision of its seat."""
    (probabilities,), (value,) = answers_of(agent, view.rules, view.states)
    named = {view.action_name(action): float(probabilities[action]) for action in view.legal_actions()}
    return Opinion(agent.name, named, None if np.isnan(value) else float(value))


def annotations_of(game: Game, players: Mapping[str, Agent]) -> Iterator[Opinion | None]:
    """The annotation of every action of a game, in order.

    Args:
        game: with its past.
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
    """Those agents that the game's record names and that say how likely they are to choose each action.

    A record may be a stranger's: it names registered agents alone, and no file of theirs is loaded.

    Args:
        game: of a record.
        on_refusal: called with every player whose agent is a file, which is not loaded.
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
