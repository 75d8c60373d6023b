"""Games that were played, and every decision in them with what its seat could know."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.figure import Figure

from romans_agents import Agent
from romans_agents.comparison import share_of_return
from romans_agents.errors import raised_by
from romans_env import Game, View, replay
from romans_env.games import rules_of
from romans_env.protocol import Rules, Setup
from romans_env.records import Record
from romans_training.analysis.drawing import counting, draw_means, means, new_figure
from romans_training.analysis.policies import agent_of
from romans_training.annotations import Answers, answers_of, observed
from romans_training.evaluation import evaluate
from romans_training.figures import styled


class PlayedGames:
    """Games of one setup that are over, and every decision in them; forced moves are no decisions.

    Args:
        games: with their pasts, such as `romans_env.replay` gives them; one or more.
        deals: the number of each game's deal: games of one are a cluster. None: each game is one by itself.

    Attributes:
        games: the games.
        rules: the game with its setup.
        frame: a row for each decision, game after game: number of the ``game``, ``step`` (the decision is that action
            of the record), ``deal``, ``seat``, ``agent`` (its name, or that of the player where nobody said),
            ``kind`` of decision, as of ``Rules.decision_kind``, ``phase`` (1 to 3: a third of the game's decisions),
            ``action`` (its name), ``options`` (how many were legal) and ``share`` of the win that the seat had in
            the end.
        views: what the seat of each could know: redacted states, shape (decisions,).

    Raises:
        ValueError: no games, games of several setups, or one that is not over.
    """

    def __init__(self, games: Sequence[Game], deals: Sequence[int] | None = None):
        if not games or any(game.rules.setup != games[0].rules.setup or not game.is_over for game in games):
            raise ValueError("an analysis is of one or more games of one setup, all of them over")
        self.games, self.rules = list(games), games[0].rules
        rows, views = [], []
        for number, (game, deal) in enumerate(zip(games, deals or range(len(games)), strict=True)):
            again, agents, actions = Game(game.rules, deal=game.deal()), game.agents or {}, game.actions
            shares = share_of_return(np.array(list(game.returns().values())), len(game.players))
            for step, (player, action) in enumerate(actions):
                seat = game.players.index(player)
                views.append(self.rules.redacted_for(again.states, 0, seat))
                kind, options = self.rules.decision_kind(again.states, 0), len(again.legal_actions())
                phase, agent = 1 + 3 * step // len(actions), agents.get(player) or player
                rows.append((number, step, deal, seat, agent, kind, phase, action, options, shares[seat]))
                again.act(action)
        columns = ["game", "step", "deal", "seat", "agent", "kind", "phase", "action", "options", "share"]
        self.views, self.frame = np.concatenate(views), pd.DataFrame(rows, columns=columns)

    def __repr__(self) -> str:
        agents = ", ".join(self.frame["agent"].unique())
        return f"<{len(self.games)} games at {self.rules.setup} of {agents}, {len(self)} decisions>"

    def __len__(self) -> int:
        """Return how many decisions there are."""
        return len(self.views)

    @property
    def sample(self) -> str:
        """What was played, in a few words for titles, such as ``2+1, 50 deals``."""
        count = self.frame["deal"].nunique()
        return f"{self.rules.setup}, {count:,} deal{'s' if count != 1 else ''}"

    @cached_property
    def actions(self) -> npt.NDArray[np.int64]:
        """The id of every action that was chosen: int64, shape (decisions,)."""
        number = {name: action for action, name in enumerate(self.rules.action_names)}
        return self.frame["action"].map(number).to_numpy(dtype=np.int64)

    @cached_property
    def masks(self) -> npt.NDArray[np.int8]:
        """1 for the legal actions of every decision: int8, shape (decisions, number of actions)."""
        return np.concatenate([masks for _, _, masks in observed(self.rules, self.views)])

    @property
    @styled
    def figure(self) -> Figure:
        """The share of the win of each agent, and how many decisions of each kind a game has."""
        ends = self.frame.drop_duplicates(["game", "seat"])
        counts = self.frame.groupby(["deal", "game"])["kind"].value_counts().unstack(fill_value=0)[
            self.frame["kind"].unique()
        ].melt(ignore_index=False, value_name="decisions").reset_index()  # fmt: skip
        figure, (left, right) = new_figure(f"Games of {self.sample}", 9, 1.2 + 0.24 * self.frame["kind"].nunique(), 2)
        draw_means(left, means(ends, "share", ["agent"]), "share", "agent", scale=100)
        left.axvline(100 / max(2, self.rules.num_players), color="grey", linestyle=":")
        left.set_xlabel("share of the win (%)")
        draw_means(right, means(counts, "decisions", ["kind"]), "decisions", "kind")
        right.set(xlabel="decisions of a game, by kind", xlim=(0, None))
        return figure

    def of(self, **columns: Any) -> npt.NDArray[np.int64]:
        """Return the rows of the decisions with these values, such as ``of(agent="legate", kind="charm")``: int64."""
        found = np.ones(len(self), dtype=bool)
        for name, value in columns.items():
            found &= (self.frame[name] == value).to_numpy()
        return np.flatnonzero(found)

    def some(self, count: int, seed: int = 0, among: npt.NDArray[np.int64] | None = None) -> npt.NDArray[np.int64]:
        """Draw so many decisions, or all where there are fewer, of ``among`` or of all: rows, int64, ascending."""
        rows = np.arange(len(self)) if among is None else among
        return np.sort(np.random.default_rng(seed).choice(rows, min(count, len(rows)), replace=False))

    def at(self, row: int) -> Game:
        """Return the game as it stood before a decision, given by its row."""
        game = self.games[self.frame["game"][row]]
        found = Game(game.rules, deal=game.deal())
        found.agents = game.agents
        for _, action in game.actions[: self.frame["step"][row]]:
            found.act(action)
        return found

    def view(self, row: int) -> View:
        """Return what the seat could know that made a decision, given by its row."""
        return View(self.rules, self.views[row : row + 1].copy(), int(self.frame["seat"][row]))

    def record(self, game: int) -> Record:
        """Return the record of a game, which `romans_env.replay` plays again."""
        return self.games[game].record()

    def answers(self, agent: Agent, rows: npt.NDArray[np.int64]) -> Answers:
        """Ask an agent about some decisions, given by their rows."""
        agent.seed(0)
        with counting(agent.name, len(rows), "decisions") as on_progress, raised_by(agent):
            return answers_of(agent, self.rules, self.views[rows], on_progress)


def played(agents: Sequence[Any], setup: Rules | Setup, deals: int, seed: int = 0) -> PlayedGames:
    """Play duplicate deals, those of `romans_training.evaluation`, and keep every decision.

    Args:
        agents: one for each player, in their order around the table, as of `agent_of`; every deal is played with each
            rotation of them over the seats.
        setup: the game, as its setup or its rules.
        deals: how many.
        seed: decides the deals and the chance of the agents.

    Raises:
        ValueError: no deals, another number of agents than of players, or two networks of one name.
        romans_env.IllegalActionError: an agent's illegal action.
        romans_agents.AgentError: an error in an agent's code.
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
    return PlayedGames([replay(record) for record in records], [k // rules.num_players for k in range(len(records))])
