"""Decisions in words for fine-tuning language models: what a seat knew and what it chose, as messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from romans_agents.searches.comparison import Comparing
from romans_env import View
from romans_env.render.language import describe, format_answer, introduce
from romans_training.data.behaviour import Probabilities
from romans_training.data.decisions import DecisionTable, PlayedGame

Message = dict[str, str]


class ChatExample(NamedTuple):
    """A decision in words.

    Attributes:
        prompt: the description of the game, and what the seat knew; messages in TRL's prompt-completion format.
        completion: the action that it chose, as a message.
        actions: the names of the legal actions.
        values: the win share that a judge expects from each legal action, None for actions that it does not compare;
            None without a judge.
    """

    prompt: list[Message]
    completion: list[Message]
    actions: list[str]
    values: list[float | None] | None


def chat_example_of(view: View, action: int, judge: Comparing | None = None) -> ChatExample:
    """Return a decision in words.

    Args:
        view: the view of the seat that decided.
        action: the id of the action that it chose.
        judge: an agent that evaluates the legal actions; None for none.
    """
    legal = view.legal_actions()
    return ChatExample(
        [{"role": "system", "content": introduce(view.rules.name)}, {"role": "user", "content": describe(view)}],
        [{"role": "assistant", "content": format_answer([action], view)}],
        [view.action_name(number) for number in legal],
        None if judge is None else _values(view, action, legal, judge),
    )


def _values(view: View, action: int, legal: Sequence[int], judge: Comparing) -> list[float | None] | None:
    """Return the expected win share of each action: that of the best choice, such as a plan, that begins with it."""
    try:
        comparison = judge.compare(view, [action])
    except ValueError:  # a judge of whole plans cannot judge a card in the middle of one
        return None
    worth: dict[int, float] = {}
    for choice, share in zip(comparison.choices, comparison.shares.mean(axis=0).tolist(), strict=True):
        worth[choice[0]] = max(share, worth.get(choice[0], -np.inf))
    return [worth.get(number) for number in legal]


def rows_of(
    games: Sequence[PlayedGame], decisions: DecisionTable, probabilities: Probabilities, known: npt.NDArray[np.bool_]
) -> list[dict[str, Any]]:
    """Return the decisions of some games as rows.

    Args:
        games: the games, whose notes are the decisions in words.
        decisions: the n decisions of these games.
        probabilities: of all actions at every decision, float32, shape ``(n, num_actions)``.
        known: where probabilities are known, bool, shape ``(n,)``.
    """
    rows = []
    for k, words in enumerate(note for game in games for note in game.notes):
        agent, earned = int(decisions.agent[k]), float(decisions.returns[k])
        likely = probabilities[k][decisions.action_mask[k] == 1].tolist() if known[k] else None
        rows.append(
            {
                "game": int(decisions.game[k]),
                "step": int(decisions.step[k]),
                "setup": decisions.setups[decisions.setup[k]],
                "seat": int(decisions.seat[k]),
                "agent": decisions.agents[agent] if agent >= 0 else None,
                **words._asdict(),
                "probabilities": likely,
                "return": None if np.isnan(earned) else earned,
            }
        )
    return rows
