"""Games that were played, and every decision in them with what its seat could know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from romans_agents import Agent
from romans_agents.comparison import share_of_return
from romans_agents.errors import raised_by
from romans_env import Game
from romans_env.games import rules_of
from romans_env.protocol import Rules, Setup
from romans_env.records import Record
from romans_training.analysis.drawing import counting
from romans_training.analysis.policies import agent_of
from romans_training.annotations import answers_of
from romans_training.data.decisions import RecordReader, decisions_of
from romans_training.data.record_files import SourcedRecord
from romans_training.evaluation import evaluate

Rows: TypeAlias = "npt.NDArray[np.int64] | pd.Index[int]"
"""Decisions, by their rows in a table, such as ``frame.query("kind == 'charm'").index``."""
_AT_ONCE = 512
"""Views that a network is asked about together; bounds the memory of their observations."""


class PlayedGames:
    """Whole games of one setup, and every decision in them; forced moves are no decisions.

    Args:
        records: of the games, all of them over.
        deals: the number of each game's deal: games of one are a cluster. None: each game is one by itself.

    Attributes:
        rules: the game with its setup.
        frame: a row for each decision, game after game: number of the ``game``, ``step`` (the decision is that action
            of the record), ``deal``, ``seat``, ``agent`` (or the player, where nobody said who plays), ``kind`` (as of
            ``Rules.decision_kind``), ``phase`` (1 to 3: a third of the game's decisions), ``action`` (its name),
            ``options`` (how many were legal) and ``share`` of the win that the seat had in the end.
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
        players, names = np.array(self.rules.players), np.array(self.rules.action_names)
        self.frame = pd.DataFrame({
            "game": found.game,
            "step": found.step,
            "deal": np.array(deals or range(len(games)))[found.game],
            "seat": found.seat.astype(np.int64),
            "agent": np.where(found.agent < 0, players[found.seat], np.array([*found.agents, ""])[found.agent]),
            "kind": [self.rules.decision_kind(view.states, 0) for view in self.views],
            "phase": 1 + 3 * found.step // np.bincount(found.game)[found.game],
            "action": names[self.actions],
            "options": self.masks.sum(axis=1, dtype=np.int64),
            "share": share_of_return(found.returns.astype(np.float64), self.rules.num_players).clip(0, 1),
        })  # fmt: skip

    def __repr__(self) -> str:
        agents = ", ".join(self.frame["agent"].unique())
        return f"<{len(self.records)} games at {self.rules.setup} of {agents}, {len(self.frame)} decisions>"

    @property
    def sample(self) -> str:
        """What was played, in a few words for titles, such as ``2+1, 50 deals``."""
        return f"{self.rules.setup}, {self.frame['deal'].nunique():,} deals"

    def at(self, row: int) -> Game:
        """Return the game as it stood before a decision, given by its row."""
        record, step = self.records[self.frame["game"][row]], self.frame["step"][row]
        game = Game.of_deal(self.rules, record["deal"])
        game.agents = record["agents"]
        for action in self.actions[row - step : row]:
            game.act(int(action))
        return game

    def answers(self, agent: Agent, rows: Rows) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Ask an agent about decisions, given by their rows, and return what `answers_of` does."""
        agent.seed(0)
        found = []
        with counting(agent.name, len(rows), "decisions") as on_progress, raised_by(agent):
            for first in range(0, len(rows), _AT_ONCE):
                found.append(answers_of(agent, [self.views[row] for row in rows[first : first + _AT_ONCE]]))
                on_progress(first + len(found[-1][1]))
        probabilities, values = zip(*found, strict=True)
        return np.concatenate(probabilities), np.concatenate(values)


def played(agents: Sequence[Any], setup: Rules | Setup, deals: int, seed: int = 0) -> PlayedGames:
    """Play so many duplicate deals, those of `romans_training.evaluation.evaluate`, and keep every decision.

    There is an agent for each player, as of `agent_of`, in their order around the table; every deal is played with each
    rotation of them over the seats. The seed decides the deals and the chance of the agents.

    Raises:
        ValueError: no deals, another number of agents than of players, or two networks of one name.
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
    return PlayedGames(records, [k // rules.num_players for k in range(len(records))])
