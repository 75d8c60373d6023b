"""Agents of whatever decides, games that they played, and every decision with what its seat could know."""

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
"""Decisions that an agent that searches is asked about, unless rows are named: half a minute at 15 ms each."""


def in_words(rules: Rules) -> str:
    """Return the title of a game and its setup, such as ``Struggle for Rome, 4``."""
    title, setup = spec_of(rules.name).title, str(rules.setup)
    return title if setup == title else f"{title}, {setup}"


class PlayedGames:
    """Whole games of one setup, and every decision in them; forced moves are no decisions.

    Args:
        records: of the games, all of them over.
        deals: the number of each game's deal: games of one are a cluster. None: each game is one by itself.

    Attributes:
        rules: the game with its setup.
        frame: a row for each decision, game after game: number of the ``game``, ``step`` (the decision is that action
            of the record), ``deal``, ``seat``, ``agent`` (or the player, where nobody said who plays), ``kind`` (as of
            ``Rules.decision_kind``), ``phase`` (1 to 3: a third of the game's decisions), ``action`` (its name) and
            ``action_id``, ``options`` (how many were legal) and ``share`` of the win that the seat had in the end.
        views: what the seat of each could know, a `View` a decision.
        actions: ids of what was chosen: int64, shape (decisions,).
        masks: 1 for what was legal: int8, shape (decisions, number of actions).
    """

    def __init__(self, records: Sequence[Record], deals: Sequence[int] | None = None):
        reader = RecordReader(note=lambda view, _: view)
        games = [reader.play(SourcedRecord(f"record {k}", record)) for k, record in enumerate(records)]
        if not games or any(one.returns is None or one.rules.setup != games[0].rules.setup for one in games):
            raise ValueError("an analysis is of one or more games of one setup, all of them over")
        # Observations of many long games are large, and made again when a network is asked.
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
        """Return the game as it stood before a decision, given by its row."""
        frame: Any = self.frame
        record, step = self.records[frame["game"][row]], frame["step"][row]
        game = Game.of_deal(self.rules, record["deal"])
        game.agents = record["agents"]
        for action in self.actions[row - step : row]:
            game.act(int(action))
        return game

    def rows_for(self, *agents: Agent) -> pd.Index:
        """Return the rows to ask agents about: all, or where one of them searches MOST_OF_SEARCH, drawn evenly."""
        are_few = len(self.frame) <= MOST_OF_SEARCH or not any(agent.searches for agent in agents)
        return self.frame.index if are_few else self.frame.sample(MOST_OF_SEARCH, random_state=0).sort_index().index

    def answers(
        self, agent: Agent, rows: Sequence[int] | pd.Index
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Ask an agent about decisions, given by their rows, and return what `answers_of` does."""
        agent.seed(0)
        found = []
        with counting(agent.name, len(rows), "decisions") as on_progress, raised_by(agent):
            for first in range(0, len(rows), 512):  # bounds the memory of observations
                found.append(answers_of(agent, [self.views[row] for row in rows[first : first + 512]]))
                on_progress(first + len(found[-1][1]))
        return np.concatenate([one for one, _ in found]), np.concatenate([values for _, values in found])


def played(agents: Sequence[Any], setup: Rules | Setup, deals: int, seed: int = 0) -> PlayedGames:
    """Play so many duplicate deals, those of `romans_training.measure.evaluation.evaluate`, and keep every decision.

    There is an agent for each player, as of `agent_of`, in their order around the table; every deal is played with each
    rotation of them over the seats. The seed decides the deals and the chance of the agents. ValueError: no deals,
    another number of agents than of players, or two networks of one name. A game that an agent lost for want of an
    answer (`Evaluation.lost`) is left out.
    """
    rules = rules_of(setup)
    if len(agents) != rules.num_players:
        raise ValueError(f"{rules.setup} has {rules.num_players} players: name as many agents, not {len(agents)}")
    ring = [agent_of(agent, rules.name) for agent in agents]
    own = {id(one): agent.name for one, agent in zip(agents, ring, strict=True) if not isinstance(one, str)}
    if len(set(own.values())) < len(own):
        raise ValueError("two agents have the same name: give them others, agent_of(policy, game, name)")
    records: list[Record] = []
    with counting("play", deals * rules.num_players, "games") as on_progress:
        evaluate(ring[0], ring[1:], rules, deals, seed, on_progress, records.append)
    deals_of = [k // rules.num_players for k, record in enumerate(records) if record["result"] is not None]
    return PlayedGames([record for record in records if record["result"] is not None], deals_of)
