"""Annotations of decisions by agents: action probabilities and values, for many views or for a whole game."""

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
    """Return the action probabilities and the expected returns that an agent gives in n views of one setup.

    For a policy that plays the most likely action, the probabilities are its network's. An agent without probabilities
    has 1 for the action that it chooses.

    Args:
        agent: the agent.
        views: views of the seats to act.

    Returns:
        Probabilities (float64, shape ``(n, num_actions)``) and expected returns of the seats (float64, shape ``(n,)``;
        NaN if the agent has no value estimate).
    """
    if not isinstance(agent, PolicyAgent):
        return np.array([agent.action_probabilities(view) for view in views]), np.full(len(views), np.nan)
    observations, masks = np.stack([one.observation for one in views]), np.stack([one.action_mask for one in views])
    ask = agent.action_probabilities_batch if agent.sample else agent.policy.probabilities
    return ask(observations, masks).astype(np.float64), agent.policy.values(observations).astype(np.float64)


def annotation_of(agent: Agent, view: View) -> Opinion:
    """Return an agent's action probabilities for a decision of its seat, and its value estimate if it has one."""
    (probabilities,), (value,) = answers_of(agent, [view])
    named = {view.action_name(action): float(probabilities[action]) for action in view.legal_actions()}
    return Opinion(agent.name, named, None if np.isnan(value) else float(value))


def annotations_of(game: Game, players: Mapping[str, Agent]) -> Iterator[Opinion | None]:
    """Yield an annotation for every action of a game, in order.

    Args:
        game: the game with its past.
        players: the annotating agents by player; None is yielded for actions of other players.
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
    """Return those agents named in the game's record that have action probabilities, by player.

    The record may come from a stranger, so only registered agents are made, and no files are loaded.

    Args:
        game: the game of a record.
        on_refusal: called with each player whose agent is a file, which is not loaded.
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
        except (UnknownAgentError, PolicyFileError):  # the name of a person, or an agent of another version
            continue
        if has_action_probabilities(agent):
            players[player] = agent
    return players
