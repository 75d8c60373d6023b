"""What agents say of decisions: action probabilities and values, of many views, or of a game for its replay."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

import romans_agents
from romans_agents import Agent, PolicyFileError, UnknownAgentError
from romans_agents.base import has_action_probabilities
from romans_agents.errors import raised_by
from romans_agents.permission import FileNotAllowedError
from romans_agents.policies.policy import PolicyAgent
from romans_env import Game, Opinion, View


def answers_of(agent: Agent, views: Sequence[View]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the probability of every action and the expected return of the seat in n views of one setup.

    Of a policy that takes the most likely action, the probabilities are those of its network before it does; of an
    agent without any, the action that it takes is certain. Shapes are (n, number of actions) and (n,); an agent that
    expects no return has nan.
    """
    if not isinstance(agent, PolicyAgent):
        return np.array([agent.action_probabilities(view) for view in views]), np.full(len(views), np.nan)
    observations, masks = np.stack([one.observation for one in views]), np.stack([one.action_mask for one in views])
    ask = agent.action_probabilities_batch if agent.sample else agent.policy.probabilities
    return ask(observations, masks).astype(np.float64), agent.policy.values(observations).astype(np.float64)


def annotation_of(agent: Agent, view: View) -> Opinion:
    """Return the action probabilities, and the value if there is one, that an agent gives for its seat's decision."""
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
