"""How well an agent plays: every deal is played once from every seat, and intervals are clustered by deal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from romans_agents import Agent
from romans_agents.arena import Arena
from romans_env import Game
from romans_env.games import rules_of
from romans_env.protocol import Rules, Setup
from romans_env.records import Record
from romans_training.deals import deal_games, deal_seed
from romans_training.intervals import Estimate, mean_of_clusters, rate_of_clusters

GAMES_AT_ONCE = 4096
"""Games played together; bounds the memory that batches of observations take."""


@dataclass(frozen=True)
class Evaluation:
    """The result of an evaluation.

    Attributes:
        agent: spec of the agent.
        opponents: specs of its opponents, from its left on.
        table: the name of the setup, such as ``2+1``.
        num_deals: deals, each played once from every seat.
        num_games: games in all.
        win_rate: share of games the agent won alone (alone: against the seats that play by rule).
        draw_rate: share of games whose win it shared.
        mean_points: its points at the end.
        mean_return: its return.
    """

    agent: str
    opponents: tuple[str, ...]
    table: str
    num_deals: int
    num_games: int
    win_rate: Estimate
    draw_rate: Estimate
    mean_points: Estimate
    mean_return: Estimate

    def as_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return {key: value._asdict() if isinstance(value, Estimate) else value for key, value in self.__dict__.items()}


def evaluate(
    agent: Agent,
    opponents: Sequence[Agent],
    setup: Rules | Setup,
    num_deals: int,
    seed: int = 0,
    on_progress: Callable[[int], object] = lambda games: None,
    on_record: Callable[[Record], object] | None = None,
) -> Evaluation:
    """Play duplicate deals to the end.

    Args:
        agent: the one that is evaluated.
        opponents: one for each other seat, from the agent's left on.
        setup: the game, as its setup or its rules.
        num_deals: how many deals; every one is played once from every seat.
        seed: decides the deals and the chance of all agents.
        on_progress: called with the number of finished games.
        on_record: called with the record of every game. All agents are asked in Python then, which takes longer; those
            that are compiled and have chance of their own choose otherwise than without.

    Raises:
        ValueError: no deals, or a wrong number of opponents.
        romans_env.IllegalActionError: an agent's illegal action.
        romans_agents.AgentError: an error in an agent's code.
    """
    if num_deals < 1:
        raise ValueError(f"the number of deals is at least 1, not {num_deals}")
    rules = rules_of(setup)
    if len(opponents) != rules.num_players - 1:
        raise ValueError(f"{rules.setup} needs {rules.num_players - 1} opponents, not {len(opponents)}")
    for k, player in enumerate((agent, *opponents)):
        player.seed(int(np.random.SeedSequence([seed, 1, k]).generate_state(1)[0]))
    outcomes = []
    deals_at_once = max(1, GAMES_AT_ONCE // rules.num_players)
    for first in range(0, num_deals, deals_at_once):
        count = min(deals_at_once, num_deals - first)
        finished = first * rules.num_players
        games = _Seatings(rules, agent, opponents, range(first, first + count), seed, on_record is not None)
        for done in games.arena.play():
            on_progress(finished + done)
        outcomes.append(games.outcomes())
        if on_record is not None:
            for record in games.records():
                on_record(record)
    returns, points, best = (np.concatenate(column) for column in zip(*outcomes, strict=True))
    return Evaluation(
        agent=agent.name,
        opponents=tuple(opponent.name for opponent in opponents),
        table=str(rules.setup),
        num_deals=num_deals,
        num_games=returns.size,
        win_rate=rate_of_clusters(returns == 1.0),
        draw_rate=rate_of_clusters(best & (returns < 1.0)),
        mean_points=mean_of_clusters(points),
        mean_return=mean_of_clusters(returns),
    )


class _Seatings:
    """Some deals, each from every seat."""

    def __init__(
        self, rules: Rules, agent: Agent, opponents: Sequence[Agent], deals: range, seed: int, is_recorded: bool
    ):
        self._rules, self._num_deals, self._deals, self._seed = rules, len(deals), deals, seed
        num_seats = rules.num_players
        self.states, words = deal_games(rules, deals, seed).repeated(num_seats)
        self._seats = np.tile(np.arange(num_seats), len(deals))
        ring = (agent, *opponents)
        self._players = [[ring[(seat - own) % num_seats] for seat in range(num_seats)] for own in self._seats]
        chance = [np.random.SeedSequence([seed, 2, deal, seat]) for deal in deals for seat in range(num_seats)]
        self.arena = Arena(rules, self.states, self._players, chance, words=words, keeps_actions=is_recorded)

    def records(self) -> Iterator[Record]:
        """The records of the games, which have been played to their ends."""
        assert self.arena.actions is not None
        for i, actions in enumerate(self.arena.actions):
            game = Game(self._rules, seed=deal_seed(self._seed, self._deals[i // self._rules.num_players]))
            agents = zip(game.players, self._players[i], strict=True)
            game.agents = {player: agent.name for player, agent in agents}
            for action in actions:
                game.act(action)
            yield game.record()

    def outcomes(self) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[np.bool_]]:
        """Return, points, and whether it is among the winners, of the agent: shape (deals, seats)."""
        rules, shape = self._rules, (self._num_deals, self._rules.num_players)
        games = list(enumerate(self._seats.tolist()))
        returns = np.array([rules.game_return(self.states, i, seat) for i, seat in games])
        points = np.array([rules.points(self.states, i, seat) for i, seat in games], dtype=float)
        best = np.array([rules.players[seat] in rules.winners(self.states, i) for i, seat in games])
        if rules.num_players == 1:
            best = returns >= 0.0
        return returns.reshape(shape), points.reshape(shape), best.reshape(shape)
