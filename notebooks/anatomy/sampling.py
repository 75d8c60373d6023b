"""Games played for analysis: every decision is kept, with what the seat that made it could know."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

import romans_agents as registry
from notebooks.anatomy.analysis_result import table_of
from notebooks.anatomy.answers import answers_of
from romans_agents import Agent, PolicyAgent
from romans_agents.base import has_action_probabilities
from romans_agents.game_batch import GameBatch
from romans_agents.loops.codes import EXTERNAL
from romans_env import Game, RomansGoHome, Table, View
from romans_env.romans_go_home.actions import ACTION_NAMES, BLOCKS, KIND_OF_PHASE
from romans_env.romans_go_home.chance import deal_as_json
from romans_env.romans_go_home.state import PHASE_GAME_OVER, States
from romans_training.deals import deal_games
from romans_training.tournament.entries import entries_of

if TYPE_CHECKING:
    from pandas import DataFrame

KINDS = tuple(block.kind for block in BLOCKS)
"""The kinds of decision, in the order of the action space."""


class PlayedGames:
    """Games of some agents at a table, and every decision in them.

    Arrays with n entries go by decisions, game after game, each in the order of its actions; decision i of a game is
    action i of its record. Forced moves are no decisions (RULES 4.14).

    Attributes:
        rules: the game with its table.
        agents: who played, one for each seat.
        labels: their specs, with `` #2`` for a second one of the same spec.
        states: the finished games' records, shape (games,).
        deal: number of each game's deal: int64, shape (games,). Games of the same deal are a cluster.
        seated: which of ``agents`` sat on each seat: int64, shape (games, players).
        game: the game of every decision: int64, shape (n,).
        step: its place among the actions of the game, from 0: int64, shape (n,).
        seat: who decided: int64, shape (n,).
        action: what was chosen, an action id: int64, shape (n,).
        views: what the seat could know, redacted states, shape (n,); fields as in `romans_env.romans_go_home.state`.
    """

    def __init__(
        self,
        rules: RomansGoHome,
        agents: Sequence[Agent],
        states: States,
        deal: npt.NDArray[np.int64],
        seated: npt.NDArray[np.int64],
        decisions: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], States],
    ):
        self.rules, self.agents, self.labels = rules, tuple(agents), labels_of(agents)
        self.states, self.deal, self.seated = states, deal, seated
        game, action, views = decisions
        order = np.argsort(game, kind="stable")
        self.game, self.action, self.views = game[order], action[order], views[order]
        starts = np.searchsorted(self.game, np.arange(len(states)))
        self.step = np.arange(self.game.size) - starts[self.game]
        self.seat = self.views["seat"].astype(np.int64)

    def __repr__(self) -> str:
        return f"<{len(self.states)} games at {self.rules.setup} of {', '.join(self.labels)}, {len(self)} decisions>"

    def __len__(self) -> int:
        """How many decisions there are."""
        return len(self.game)

    @property
    def sample(self) -> str:
        """What the games are, in a few words for titles, such as ``2+1, 50 deals``."""
        num_deals = len(np.unique(self.deal))
        return f"{self.rules.setup}, {num_deals:,} deal{'s' if num_deals != 1 else ''}"

    @cached_property
    def agent(self) -> npt.NDArray[np.int64]:
        """Which of ``agents`` decided: int64, shape (n,)."""
        return self.seated[self.game, self.seat]

    @cached_property
    def kind(self) -> npt.NDArray[np.int64]:
        """The kind of every decision, an index of `KINDS`: int64, shape (n,)."""
        number = np.zeros(PHASE_GAME_OVER + 1, dtype=np.int64)
        for phase, kind in KIND_OF_PHASE.items():
            number[phase] = KINDS.index(kind)
        return number[self.views["phase"]]

    @cached_property
    def returns(self) -> npt.NDArray[np.float64]:
        """The return of every seat of every game (RULES 7.4): float64, shape (games, players)."""
        seats = range(self.rules.num_players)
        return np.array(
            [[self.rules.game_return(self.states, i, seat) for seat in seats] for i in range(len(self.deal))]
        )

    @cached_property
    def observations(self) -> npt.NDArray[Any]:
        """What the seat that decided saw: int8, shape (n, observation size)."""
        return self._observed[0]

    @cached_property
    def masks(self) -> npt.NDArray[np.int8]:
        """1 for its legal actions: int8, shape (n, number of actions)."""
        return self._observed[1]

    @cached_property
    def _observed(self) -> tuple[npt.NDArray[Any], npt.NDArray[np.int8]]:
        return GameBatch(self.rules, self.views).observed(np.arange(len(self)))

    @cached_property
    def values(self) -> npt.NDArray[np.float64]:
        """The return that the deciding agent expected, nan for agents that give none: float64, shape (n,)."""
        values = np.full(len(self), np.nan)
        for k, agent in enumerate(self.agents):
            if isinstance(agent, PolicyAgent):
                own = self.agent == k
                values[own] = agent.policy.values(self.observations[own])
        return values

    @cached_property
    def probabilities(self) -> npt.NDArray[np.float64]:
        """The probability that the agent gave its choice, nan for agents that give none: float64, shape (n,)."""
        chosen = np.full(len(self), np.nan)
        for k, agent in enumerate(self.agents):
            if has_action_probabilities(agent):
                own = np.flatnonzero(self.agent == k)
                answers = answers_of(agent, self.rules, self.views[own])
                chosen[own] = answers.probabilities[np.arange(own.size), self.action[own]]
        return chosen

    @cached_property
    def frame(self) -> DataFrame:
        """The decisions as a table, one row each.

        Columns: ``game``, ``step``, ``deal``, ``seat``, ``agent`` (its label), ``round`` (1 to 3), ``turn`` (0 while
        planning, then 1 to 6), ``kind``, ``action`` (its name), ``num_legal``, ``probability`` of the action and
        ``value`` by the agent (nan where it gives none).
        """
        names = ("game", "step", "deal", "seat", "agent", "round", "turn", "kind", "action")
        return table_of(
            {
                **self.columns(np.arange(len(self)), *names),
                "num_legal": self.masks.sum(axis=1, dtype=np.int64),
                "probability": self.probabilities,
                "value": self.values,
            }
        )

    def columns(self, decisions: npt.NDArray[np.int64], *names: str) -> dict[str, npt.NDArray[Any]]:
        """Columns of a table that has a row for each of some decisions.

        Args:
            decisions: places in the arrays.
            names: of `frame`, up to ``action``.
        """
        game, views = self.game[decisions], self.views[decisions]
        columns = {
            "game": game,
            "step": self.step[decisions],
            "deal": self.deal[game],
            "seat": self.seat[decisions],
            "agent": np.array(self.labels)[self.agent[decisions]],
            "round": views["round_index"].astype(np.int64) + 1,
            "turn": views["turn"].astype(np.int64),
            "kind": np.array(KINDS)[self.kind[decisions]],
            "action": np.array(ACTION_NAMES)[self.action[decisions]],
        }
        return {name: columns[name] for name in names}

    def of_kind(self, kind: str) -> npt.NDArray[np.int64]:
        """The decisions of a kind, ascending: int64."""
        return np.flatnonzero(self.kind == KINDS.index(kind))

    def view(self, decision: int) -> View:
        """What the seat could know that made a decision, given by its place in the arrays (a row of ``frame``)."""
        return View(self.rules, self.views[decision : decision + 1].copy(), int(self.seat[decision]))

    def at(self, game: int, step: int | None = None) -> Game:
        """A game as it stood before an action of its record; None: at its end."""
        found = Game(self.rules, deal=deal_as_json(self.states[game], self.rules.setup))
        found.agents = {player: self.labels[k] for player, k in zip(self.rules.players, self.seated[game], strict=True)}
        for action in self.action[self.game == game][:step].tolist():
            found.act(action)
        return found

    def record(self, game: int) -> dict[str, Any]:
        """The record of a game, which `romans_env.replay` plays again."""
        return self.at(game).record()


def played_games(agents: Sequence[Agent | str], table: Table, num_deals: int, seed: int = 0) -> PlayedGames:
    """Play duplicate deals, and keep every decision.

    Every deal is played once with each rotation of the agents over the seats. The deals are those that
    `romans_training.evaluation` and tournaments play with this seed.

    Args:
        agents: one for each player's seat, or agent specs.
        table: the table.
        num_deals: how many deals, 1 or more.
        seed: decides the deals and the chance of the agents.

    Raises:
        ValueError: no deals, or a number of agents that the table has not.
        romans_env.IllegalActionError: an agent's illegal action.
    """
    if num_deals < 1:
        raise ValueError(f"the number of deals is at least 1, not {num_deals}")
    if len(agents) != table.num_players:
        raise ValueError(f"the table {table} has {table.num_players} players: name as many agents, not {len(agents)}")
    rules, size = RomansGoHome(table), table.num_players
    ring = [registry.make(agent) if isinstance(agent, str) else agent for agent in agents]
    for k, agent in enumerate(ring):
        agent.seed(int(np.random.SeedSequence([seed, 1, k]).generate_state(1)[0]))
    states, _ = deal_games(rules, range(num_deals), seed).repeated(size)
    rotation = np.tile(np.arange(size), num_deals)
    seated = (np.arange(size) - rotation[:, None]) % size
    recorder = _Recorder(rules, states, ring)
    recorder.arrays.who[:, :size] = seated
    while recorder.play_agents():
        pass
    return PlayedGames(rules, ring, states, np.repeat(np.arange(num_deals), size), seated, recorder.decisions())


class _Recorder(GameBatch):
    """Keeps every decision of the agents."""

    def __init__(self, rules: RomansGoHome, states: States, agents: Sequence[Agent]):
        super().__init__(rules, states, agents)
        # Compiled agents would play within the kernels, which keep no decisions: every agent is asked from Python.
        self.codes[:] = EXTERNAL
        self._kept: list[tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], States]] = []

    def choose(self, indices: npt.NDArray[np.int64], agent: Agent) -> npt.NDArray[np.int64]:
        seats = self.rules.seats_to_act(self.states)
        views = [self.rules.redacted_for(self.states, i, int(seats[i])) for i in indices.tolist()]
        actions = super().choose(indices, agent)
        self._kept.append((indices, actions, np.concatenate(views)))
        return actions

    def decisions(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], States]:
        """Game, action and view of every decision, in the order in which they were made."""
        games, actions, views = (np.concatenate(parts) for parts in zip(*self._kept, strict=True))
        return games, actions, views


def labels_of(agents: Sequence[Agent]) -> tuple[str, ...]:
    """Their specs, with `` #2`` for a second one of the same spec."""
    return tuple(entry.label for entry in entries_of([agent.name for agent in agents]))
