"""Evaluation of an agent on duplicate deals, each played once from every seat, with intervals clustered by deal."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from romans_agents import Agent, agent_of
from romans_agents.base import BatchAgent
from romans_agents.batches.adjudicator import FAULTS, Fault, Forfeits
from romans_agents.batches.arena import Arena
from romans_agents.batches.game_arrays import code_of
from romans_agents.loops.codes import EXTERNAL
from romans_agents.searches.comparison import return_of_share
from romans_env import Game
from romans_env.core.games import rules_of
from romans_env.core.protocol import Rules, Setup
from romans_env.core.records import Record
from romans_training.measure.deals import deal_games, deal_seed
from romans_training.measure.intervals import Estimate, mean_of_clusters, plain, rate_of_clusters, share_of_clusters
from romans_training.measure.variance_reduction import NONE, check_method, reduced, variates_of
from romans_training.shown import ShownResult

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GAMES_AT_ONCE = 4096
"""Largest number of games of policies played together; it limits the memory for batches of observations."""
DEALS_AT_ONCE = 32
"""Number of deals played together by agents that choose one action at a time: as fast, with finer progress."""


@dataclass(frozen=True)
class ReducedEstimates:
    """Variance-reduced estimates of an evaluation, from the same games.

    Attributes:
        method: one of `romans_training.measure.variance_reduction.METHODS`.
        win_rate: as in `Evaluation`; the interval may extend beyond 0 and 1.
        draw_rate: likewise.
        mean_points: as in `Evaluation`.
        mean_return: as in `Evaluation`.
    """

    method: str
    win_rate: Estimate
    draw_rate: Estimate
    mean_points: Estimate
    mean_return: Estimate


class LostGames(NamedTuple):
    """Games that an agent lost because a service that it depends on, such as a language model, gave no answer.

    Attributes:
        agent: the spec of the agent.
        kind: one of `romans_agents.batches.adjudicator.FAULTS`.
        games: the number of games.
        message: the error message of the first one, in a line.
    """

    agent: str
    kind: str
    games: int
    message: str


@dataclass(frozen=True)
class Evaluation(ShownResult):
    """The result of an evaluation.

    Attributes:
        agent: the spec of the agent.
        opponents: the specs of its opponents, from its left on.
        setup: the name of the setup, such as ``2+1``.
        num_deals: number of deals, each played once from every seat.
        num_games: number of games in all.
        win_rate: share of games that the agent won alone; in a solo game, against the neutral seats.
        draw_rate: share of games whose win it shared.
        mean_points: mean points at the end.
        mean_return: mean return, from -1 to 1.
        reduced: variance-reduced estimates of the last four; None if not requested.
        lost: games among these that an agent lost because it got no answer; the other seats share the win of each.
    """

    agent: str
    opponents: tuple[str, ...]
    setup: str
    num_deals: int
    num_games: int
    win_rate: Estimate
    draw_rate: Estimate
    mean_points: Estimate
    mean_return: Estimate
    reduced: ReducedEstimates | None = None
    lost: tuple[LostGames, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """Return one row, with the rates of wins and draws, points and returns."""
        row: dict[str, Any] = {"agent": self.agent, "against": "+".join(self.opponents), "games": self.num_games}
        for name in ("win_rate", "draw_rate", "mean_points", "mean_return"):
            estimate = getattr(self, name)
            row |= {name: estimate.mean, f"{name}_low": estimate.low, f"{name}_high": estimate.high}
        return [row]

    def heading(self) -> str:
        return f"{self.agent} against {'+'.join(self.opponents) or 'nobody'} on {self.setup}, {self.num_deals:,} deals"

    def figure(self) -> Figure:
        """Draw the rates of wins and draws."""
        # Imported here so that commands that draw nothing do not wait for matplotlib.
        from romans_training.figures import intervals_figure

        return intervals_figure({"wins": self.win_rate, "draws": self.draw_rate}, "games, %")

    def as_json(self) -> dict[str, Any]:
        """Return plain JSON; ``reduced`` and ``lost`` only if there are any. The setup is called ``table``."""
        found = {"table" if key == "setup" else key: value for key, value in self.__dict__.items()}
        if not self.lost:
            del found["lost"]
        else:
            found["lost"] = [one._asdict() for one in self.lost]
        if self.reduced is None:
            del found["reduced"]
        else:
            found["reduced"] = self.reduced.__dict__
        return plain(found)


def evaluate(
    agent: Any,
    opponents: Sequence[Any],
    setup: Rules | Setup | str,
    num_deals: int,
    seed: int = 0,
    on_progress: Callable[[int], object] | None = None,
    on_record: Callable[[Record], object] | None = None,
    variance_reduction: str = NONE,
) -> Evaluation:
    """Evaluate an agent by playing duplicate deals against opponents.

    An agent that depends on a service, such as a language model, loses a game in which it gets no answer
    (`Evaluation.lost`).

    Args:
        agent: the agent to evaluate: an agent spec, an agent, an object with ``act(view)``, a function of a view, or a
            network; see `romans_agents.agent_of`.
        opponents: one for each other seat, from the agent's left on, of the same types.
        setup: the game, as its setup, its rules, or its name.
        num_deals: number of deals; each is played once from every seat.
        seed: seed of the deals and of all agents' random numbers.
        on_progress: called with the number of games played; games in progress count in part.
        on_record: called with the record of every game; a game that was lost for a missing answer ends there. All
            agents are then called in Python, which takes longer, and compiled agents draw other random numbers.
        variance_reduction: method of additional, variance-reduced estimates, one of `variance_reduction.METHODS`.
            Agents are called as for ``on_record``.

    Raises:
        ValueError: if there are no deals, the number of opponents is wrong, or the game lacks the variance reduction.
        romans_env.IllegalActionError: if an agent chose an illegal action.
        romans_agents.AgentError: if an agent's code failed, or a server does not answer.
    """
    if num_deals < 1:
        raise ValueError(f"the number of deals must be at least 1, not {num_deals}")
    rules = rules_of(setup)
    if len(opponents) != rules.num_players - 1:
        raise ValueError(f"{rules.setup} needs {rules.num_players - 1} opponents, not {len(opponents)}")
    check_method(variance_reduction, rules.name)
    agent, *opponents = players = [agent_of(player, rules.name) for player in (agent, *opponents)]
    is_watched = on_record is not None or variance_reduction != NONE
    asked = [one for one in players if code_of(rules, one) == EXTERNAL]
    is_batched = [isinstance(one, BatchAgent) for one in asked]
    # The number of games in a batch is fixed because policies draw other actions in batches of another size.
    is_fixed, length = is_watched or any(is_batched), math.inf
    if is_fixed and all(is_batched) and on_progress is not None:
        length = _play(_Seatings(rules, agent, opponents, range(1), seed, is_watched, NONE).arena)
    for k, player in enumerate(players):
        player.seed(int(np.random.SeedSequence([seed, 1, k]).generate_state(1)[0]))
    outcomes, variates, faults, first = [], [], list[Fault](), 0
    while first < num_deals:
        at_once = max(1, GAMES_AT_ONCE // rules.num_players) if is_fixed else min(max(1, first // 4), DEALS_AT_ONCE)
        deals = range(first, min(first + at_once, num_deals))
        games = _Seatings(rules, agent, opponents, deals, seed, on_record is not None, variance_reduction)
        finished, first = first * rules.num_players, deals.stop
        length = _play(games.arena, length, on_progress, finished)
        outcomes.append(games.outcomes())
        faults += games.forfeits.faults
        if games.variates is not None:
            variates.append(games.variates_of_deals())
        if on_record is not None:
            for record in games.records():
                on_record(record)
    returns, points, best, alone = (np.concatenate(column) for column in zip(*outcomes, strict=True))
    won, drawn = best & alone, best & ~alone
    return Evaluation(
        agent=agent.name,
        opponents=tuple(opponent.name for opponent in opponents),
        setup=str(rules.setup),
        num_deals=num_deals,
        num_games=returns.size,
        win_rate=rate_of_clusters(won),
        draw_rate=rate_of_clusters(drawn),
        mean_points=mean_of_clusters(points),
        mean_return=mean_of_clusters(returns),
        reduced=_reduced(variance_reduction, variates, won, drawn, points, returns) if variates else None,
        lost=tuple(_lost(players, faults)),
    )


def _reduced(method: str, variates: Sequence[npt.NDArray[np.float64]], *columns: npt.NDArray[Any]) -> ReducedEstimates:
    """Return variance-reduced estimates of wins, draws, points and returns.

    Args:
        method: the method of `METHODS` that made the variates.
        variates: the agent's control variates by deal, float64, shape ``(some deals, variates)`` each.
        columns: the results, shape ``(deals, seats)`` each.
    """
    of_deals = np.concatenate(variates)
    means = (reduced(values.mean(axis=1), of_deals)[:, None] for values in columns)
    estimates = (share_of_clusters, share_of_clusters, mean_of_clusters, mean_of_clusters)
    return ReducedEstimates(method, *(estimate(mean) for estimate, mean in zip(estimates, means, strict=True)))


def _lost(players: Sequence[Agent], faults: Sequence[Fault]) -> Iterator[LostGames]:
    """Yield the games that each agent has lost by each kind of fault."""
    for player in players:
        for kind in FAULTS:
            messages = [fault.message for fault in faults if fault.agent is player and fault.kind == kind]
            if messages:
                yield LostGames(player.name, kind, len(messages), messages[0])


def _play(
    arena: Arena, length: float = math.inf, report: Callable[[int], object] | None = None, before: int = 0
) -> float:
    """Play games to their ends; return the mean number of decisions per game.

    Args:
        arena: the games, which proceed together and so end at about the same time.
        length: the expected number of decisions in a game, for the progress; infinite if unknown.
        report: called with the number of games played; games in progress count in part.
        before: number of games played before these.
    """
    decisions = 0
    for done in arena.play():
        decisions += arena.num_games - done
        if report is not None:
            report(before + max(done, min(arena.num_games - 1, int(decisions / length))))
    return decisions / arena.num_games or math.inf


class _Seatings:
    """Some deals, each played from every seat."""

    def __init__(
        self,
        rules: Rules,
        agent: Agent,
        opponents: Sequence[Agent],
        deals: range,
        seed: int,
        is_recorded: bool,
        variance_reduction: str,
    ):
        self._rules, self._num_deals, self._deals, self._seed = rules, len(deals), deals, seed
        num_seats = rules.num_players
        self.states, words = deal_games(rules, deals, seed).repeated(num_seats)
        self._seats = np.tile(np.arange(num_seats), len(deals))
        ring = (agent, *opponents)
        self._players = [[ring[(seat - own) % num_seats] for seat in range(num_seats)] for own in self._seats]
        chance = [np.random.SeedSequence([seed, 2, deal, seat]) for deal in deals for seat in range(num_seats)]
        draws = np.random.SeedSequence([seed, 3, deals.start])
        self.variates = variates_of(variance_reduction, rules, self._players, draws, words)
        self.forfeits = Forfeits()
        self.arena = Arena(
            rules,
            self.states,
            self._players,
            chance,
            self.forfeits,
            words,
            keeps_actions=is_recorded,
            callback=self.variates,
        )

    def variates_of_deals(self) -> npt.NDArray[np.float64]:
        """Return the agent's control variates, averaged over seats: float64, shape ``(deals, variates)``."""
        assert self.variates is not None
        own = self.variates.values()[np.arange(len(self._seats)), self._seats]
        return np.asarray(own.reshape(self._num_deals, self._rules.num_players, -1).mean(axis=1))

    def records(self) -> Iterator[Record]:
        """Yield the records of the games, which have been played to their ends or to an agent's fault."""
        assert self.arena.actions is not None
        for i, actions in enumerate(self.arena.actions):
            game = Game(self._rules, seed=deal_seed(self._seed, self._deals[i // self._rules.num_players]))
            agents = zip(game.players, self._players[i], strict=True)
            game.agents = {player: agent.name for player, agent in agents}
            for action in actions:
                game.act(action)
            yield game.record()

    def outcomes(self) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """Return the agent's return, points, whether it wins, and whether there is a single winner.

        The first two are float64, the others bool, each of shape ``(deals, seats)``. After a fault the other seats
        share the win.
        """
        rules, shape = self._rules, (self._num_deals, self._rules.num_players)
        at_fault = {fault.game: fault.seat for fault in self.forfeits.faults}
        of_others = 1.0 / max(1, rules.num_players - 1)
        games = list(enumerate(self._seats.tolist()))
        returns = np.array([rules.game_return(self.states, i, seat) for i, seat in games], dtype=float)
        points = np.array([rules.points(self.states, i, seat) for i, seat in games], dtype=float)
        winners = [rules.winners(self.states, i) for i, _ in games]
        best = np.array([rules.players[seat] in winners[i] for i, seat in games])
        alone = np.array([len(one) == 1 for one in winners])
        for i, seat in at_fault.items():
            best[i], alone[i] = self._seats[i] != seat, rules.num_players == 2
            returns[i] = return_of_share(of_others * best[i], rules.num_players)
        if rules.num_players == 1:
            best, alone = returns >= 0.0, returns == 1.0
        return returns.reshape(shape), points.reshape(shape), best.reshape(shape), alone.reshape(shape)
