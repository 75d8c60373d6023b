"""Games played by any agents, and every decision in them with the view of its seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from romans_agents import Agent, agent_of
from romans_agents.errors import raised_by
from romans_agents.searches.comparison import share_of_return
from romans_env import Game
from romans_env.core.games import rules_of, spec_of
from romans_env.core.protocol import Rules, Setup
from romans_env.core.records import Record
from romans_training.analysis.drawing import counting
from romans_training.compare.annotations import answers_of
from romans_training.data.decisions import RecordReader, decisions_of
from romans_training.data.record_files import SourcedRecord
from romans_training.measure.evaluation import evaluate

MOST_OF_SEARCH = 2000
"""Number of decisions on which a search agent is asked unless rows are given: half a minute at 15 ms each."""


def in_words(rules: Rules) -> str:
    """Return the title of a game and its setup, such as ``Struggle for Rome, 4``."""
    title, setup = spec_of(rules.name).title, str(rules.setup)
    return title if setup == title else f"{title}, {setup}"


class PlayedGames:
    """Complete games of one setup, and every decision in them; forced moves are not decisions.

    Args:
        records: the records of the games, all of them over.
        deals: the index of each game's deal; games of the same deal are a cluster. None: each game is a cluster.

    Attributes:
        rules: the rules of the game with its setup.
        frame: one row per decision, game after game: the index of the ``game``, ``step`` (the index of the action in
            the record), ``deal``, ``seat``, ``agent`` (the player's name if the record names no agent), ``kind`` (from
            ``Rules.decision_kind``), ``phase`` (1 to 3: the third of the game's decisions that it is in), ``action``
            (its name) and ``action_id``, ``options`` (the number of legal actions) and ``share`` (the seat's share of
            the win at the end).
        views: a `View` per decision: what its seat knew.
        actions: the ids of the chosen actions: int64, shape ``(decisions,)``.
        masks: the action masks: int8, shape ``(decisions, num_actions)``.
    """

    def __init__(self, records: Sequence[Record], deals: Sequence[int] | None = None):
        reader = RecordReader(note=lambda view, _: view)
        games = [reader.play(SourcedRecord(f"record {k}", record)) for k, record in enumerate(records)]
        if not games or any(one.returns is None or one.rules.setup != games[0].rules.setup for one in games):
            raise ValueError("an analysis needs one or more games of one setup, all of them over")
        # Observations of many long games are large; they are made again when a network is asked.
        found = decisions_of([one._replace(observations=one.observations[:, :0]) for one in games], 0)
        self.records, self.rules, self.masks = list(records), games[0].rules, found.action_mask
        self.actions, self.views = found.action.astype(np.int64), [view for one in games for view in one.notes]
        seat = found.seat.astype(np.int64)
        players, names = np.array(self.rules.players)[seat], np.array(self.rules.action_names)
        self.frame = pd.DataFrame({"game": found.game, "step": found.step}).assign(
            deal=np.array(deals or range(len(games)))[found.game],
            seat=seat,
            agent=np.where(found.agent < 0, players, np.array([*found.agents, ""])[found.agent]),
            kind=[self.rules.decision_kind(view.states, 0) for view in self.views],
            phase=1 + 3 * found.step // np.bincount(found.game)[found.game],
            action=names[self.actions],
            action_id=self.actions,
            options=self.masks.sum(axis=1, dtype=np.int64),
            share=share_of_return(found.returns.astype(np.float64), self.rules.num_players).clip(0, 1),
        )
        self.sample = f"{in_words(self.rules)}, {self.frame['deal'].nunique():,} deals"

    def __repr__(self) -> str:
        agents = ", ".join(self.frame["agent"].unique())
        return f"<{len(self.records)} games of {in_words(self.rules)}, by {agents}, {len(self.frame)} decisions>"

    def at(self, row: int) -> Game:
        """Return the game before a decision, given by its row."""
        frame: Any = self.frame
        record, step = self.records[frame["game"][row]], frame["step"][row]
        game = Game.of_deal(self.rules, record["deal"])
        game.agents = record["agents"]
        for action in self.actions[row - step : row]:
            game.act(int(action))
        return game

    def rows_for(self, *agents: Agent) -> pd.Index:
        """Return the rows on which to ask agents: all; if one of them searches, a random sample of `MOST_OF_SEARCH`."""
        are_few = len(self.frame) <= MOST_OF_SEARCH or not any(agent.searches for agent in agents)
        return self.frame.index if are_few else self.frame.sample(MOST_OF_SEARCH, random_state=0).sort_index().index

    def answers(
        self, agent: Agent, rows: Sequence[int] | pd.Index
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Ask an agent about n decisions, given by their rows.

        Returns:
            As `answers_of`: action probabilities (float64, shape ``(n, num_actions)``) and expected returns (float64,
            shape ``(n,)``; NaN if the agent has no value estimate).
        """
        agent.seed(0)
        found = []
        with counting(agent.name, len(rows), "decisions") as on_progress, raised_by(agent):
            for first in range(0, len(rows), 512):  # bounds the memory of observations
                found.append(answers_of(agent, [self.views[row] for row in rows[first : first + 512]]))
                on_progress(first + len(found[-1][1]))
        return np.concatenate([one for one, _ in found]), np.concatenate([values for _, values in found])


def played(agents: Sequence[Any], setup: Rules | Setup, deals: int, seed: int = 0) -> PlayedGames:
    """Play duplicate deals as in `romans_training.measure.evaluation.evaluate`, and keep every decision.

    Games that an agent lost because it got no answer (`Evaluation.lost`) are left out.

    Args:
        agents: one agent per player, as for `agent_of`, in their order around the table. Every deal is played with each
            rotation of them over the seats.
        setup: the game, as its rules or its setup.
        deals: the number of deals.
        seed: seed of the deals and of the agents' random numbers.

    Raises:
        ValueError: if there are no deals, the number of agents is not the number of players, or two networks have the
            same name.
    """
    rules = rules_of(setup)
    if len(agents) != rules.num_players:
        raise ValueError(f"{rules.setup} has {rules.num_players} players: name as many agents, not {len(agents)}")
    ring = [agent_of(agent, rules.name) for agent in agents]
    own = {id(one): agent.name for one, agent in zip(agents, ring, strict=True) if not isinstance(one, str)}
    if len(set(own.values())) < len(own):
        raise ValueError("two agents have the same name: rename them with agent_of(policy, game, name)")
    records: list[Record] = []
    with counting("play", deals * rules.num_players, "games") as on_progress:
        evaluate(ring[0], ring[1:], rules, deals, seed, on_progress, records.append)
    deals_of = [k // rules.num_players for k, record in enumerate(records) if record["result"] is not None]
    return PlayedGames([record for record in records if record["result"] is not None], deals_of)
