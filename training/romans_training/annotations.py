"""Annotations of a game for its replay: action probabilities and values that agents give for each decision."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

import romans_agents
from romans_agents import Agent, PolicyFileError, UnknownAgentError
from romans_agents.base import has_action_probabilities
from romans_agents.errors import raised_by
from romans_agents.permission import FileNotAllowedError
from romans_agents.policy import PolicyAgent
from romans_env import Game, Opinion, View


def annotation_of(agent: Agent, view: View) -> Opinion:
    """Return the action probabilities, and the value if there is one, that an agent gives for its seat's decision.

    Of a policy that takes the most likely action, the probabilities are those of its network before it does; of an
    agent without any, the action that it takes is certain.
    """
    probabilities, value = agent.action_probabilities(view), None
    if isinstance(agent, PolicyAgent):
        observations, masks = view.observation[None], view.action_mask[None]
        value = float(agent.policy.values(observations)[0])
        if not agent.sample:
            probabilities = agent.policy.probabilities(observations, masks)[0].astype(np.float64)
    named = {view.action_name(action): float(probabilities[action]) for action in view.legal_actions()}
    return Opinion(agent.name, named, value)


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
