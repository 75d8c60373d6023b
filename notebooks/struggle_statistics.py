"""Statistics of games of Struggle for Rome between agents.

They are for `08_struggle.ipynb` and the page `docs/research/struggle_statistics.md`.

`played_games` plays duplicate deals, `statistics_of` counts what happened in them, with 95 % intervals clustered by
deal; `figure_of` draws it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from game_statistics import lengths_and_wins, played_deals, spread
from matplotlib.figure import Figure

from romans_agents import Agent
from romans_env import Game
from romans_env.struggle import StruggleForRome
from romans_env.struggle.actions import ACCEPT, CONQUER, LEGION, OFFER, PLUNDER
from romans_env.struggle.board import Board
from romans_env.struggle.material import NUM_PROVINCES, NUM_TRIBES, PROVINCES
from romans_env.struggle.points import CITIES_OF_AN_HEIR
from romans_training.measure.intervals import Estimate, mean_in_clusters, rate_in_clusters

AGENTS = ("chieftain", "plunderer", "kingdom-builder", "trader")
"""The agents that play by default."""
ENDS = ("a city", "Heir to Rome", "Scourge of Rome", "the Diplomacy card", "the last round")
"""The source of the tenth point (STRUGGLE 7.1, 7.2), or another end of the game."""
_CITY, _HEIR, _SCOURGE, _DIPLOMACY, _LAST_ROUND = range(len(ENDS))


class PlayedSeat(NamedTuple):
    """The actions and the result of a seat in a game.

    Attributes:
        agent: index of its agent among those that play.
        share: its share of the win.
        points: its points at the end (7.3).
        diplomacy: whether it holds the Diplomacy card at the end.
        scourges: number of its tribes with counters of all five colours.
        heir: whether each of its tribes owns at least four cities.
        plunders: number of cities that it plundered, by province.
        kingdoms: number of kingdoms that it founded, by province.
        cities: number of cities that it owns at the end, by province.
        cultures: number of cultures played.
    """

    agent: int
    share: float
    points: int
    diplomacy: bool
    scourges: int
    heir: bool
    plunders: tuple[int, ...]
    kingdoms: tuple[int, ...]
    cities: tuple[int, ...]
    cultures: int


class PlayedGame(NamedTuple):
    """A game that was played to its end.

    Attributes:
        deal: number of its deal.
        rounds: number of rounds begun.
        decisions: number of decisions by all seats.
        end: index of the ending in ENDS.
        offers: number of offers made.
        accepted: number of offers accepted.
        seats: actions and result of each seat.
    """

    deal: int
    rounds: int
    decisions: int
    end: int
    offers: int
    accepted: int
    seats: tuple[PlayedSeat, ...]


def played_games(
    agents: Sequence[str] = AGENTS,
    num_deals: int = 150,
    seed: int = 0,
    on_progress: Callable[[int], object] = lambda games: None,
    **settings: Any,
) -> list[PlayedGame]:
    """Play duplicate deals: every agent in every seat, in the same order around the table.

    Args:
        agents: three or four agent specs.
        num_deals: number of deals, each played once from every seat.
        seed: seed of the deals and of the agents' random choices.
        on_progress: called with the number of finished games.
        **settings: settings of the game, such as ``player_trade=False``.

    Raises:
        romans_agents.UnknownAgentError: if a spec names no agent.
        ValueError: if the number of agents is wrong, or a setting does not exist.
    """
    rules = StruggleForRome.from_settings(len(agents), **settings)
    return played_deals(rules, agents, num_deals, seed, on_progress, partial(_played, rules.board))


def _played(board: Board, deal: int, game: Game, agents: list[Agent], order: list[int]) -> PlayedGame:
    provinces = np.array([PROVINCES.index(city.province) for city in board.cities])
    plunders, kingdoms = (np.zeros((len(agents), NUM_PROVINCES), dtype=np.int64) for _ in range(2))
    end, offers, accepted = _LAST_ROUND, 0, 0
    while (seat := game.seat_to_act) is not None:
        before = game.states[0].copy()
        action = agents[seat].act(game.view(seat))
        game.act(action)
        state = game.states[0]
        offers += int(OFFER) <= action < int(ACCEPT)
        accepted += action == ACCEPT
        if PLUNDER <= action < CONQUER:
            plunders[seat, provinces[action - PLUNDER]] += 1
        elif CONQUER <= action < LEGION:
            # Conquests are those of the tribe of the phase; a first city is a kingdom.
            kingdoms[seat, provinces[action - CONQUER]] += before.kingdom[seat, before.phase - 3] == 0
        if state.final and not before.final:
            end = _end_of(action, int(state.points[seat] - before.points[seat]))
    state = game.states[0]
    return PlayedGame(
        deal,
        int(state.round_number),
        len(game.actions),
        end,
        offers,
        accepted,
        tuple(
            _seat_of(state, board, seat, order[seat], result, plunders[seat], kingdoms[seat])
            for seat, result in enumerate(game.returns().values())
        ),
    )


def _end_of(action: int, points: int) -> int:
    if PLUNDER <= action < CONQUER:
        return _SCOURGE
    if CONQUER <= action < LEGION:
        return _HEIR if points > 1 else _CITY
    return _DIPLOMACY


def _seat_of(
    state: Any, board: Board, seat: int, agent: int, result: float, plunders: Any, kingdoms: Any
) -> PlayedSeat:
    owned = [city.province for city, owner in zip(board.cities, state.owner, strict=True) if owner == seat]
    others = state.num_players - 1.0
    return PlayedSeat(
        agent=agent,
        share=(others * result + 1.0) / (others + 1.0),
        points=int(state.points[seat]),
        diplomacy=bool(state.diplomacy == seat),
        scourges=sum(int(np.all(state.box[seat, tribe] > 0)) for tribe in range(NUM_TRIBES)),
        heir=bool(np.all(state.num_cities[seat] >= CITIES_OF_AN_HEIR)),
        plunders=tuple(plunders.tolist()),
        kingdoms=tuple(kingdoms.tolist()),
        cities=tuple(owned.count(province) for province in PROVINCES),
        cultures=int(state.played[seat, -1]),
    )


Values = npt.NDArray[np.float64]


class SpecialStatistics(NamedTuple):
    """Statistics of a special card or a culture.

    Attributes:
        name: name of the card.
        held: mean number that a seat has at the end.
        win_share: win share of the seats that have one; 25 % is even in a game for four.
    """

    name: str
    held: Estimate
    win_share: Estimate


class ProvinceStatistics(NamedTuple):
    """Statistics of a province; all numbers are means per seat and game.

    Attributes:
        name: name of the province.
        plunders: cities plundered.
        kingdoms: kingdoms founded.
        cities: cities owned at the end.
        win_share: win share of the seats that founded a kingdom there.
    """

    name: str
    plunders: Estimate
    kingdoms: Estimate
    cities: Estimate
    win_share: Estimate


class Statistics(NamedTuple):
    """Statistics of games.

    Attributes:
        num_games: number of games.
        num_deals: number of deals.
        num_seats: number of seats in a game.
        seats: win share of each seat.
        agents: win share of each agent.
        rounds, decisions: mean numbers of rounds and decisions.
        rounds_spread, decisions_spread: 10 %, 50 % and 90 % quantiles.
        points: mean points of a winner.
        offers, accepted: mean numbers of offers in a game, and of those accepted.
        ends: share of games with each ending of ENDS.
        specials: statistics of the special cards and of culture.
        provinces: statistics of the provinces.
    """

    num_games: int
    num_deals: int
    num_seats: int
    seats: tuple[Estimate, ...]
    agents: tuple[Estimate, ...]
    rounds: Estimate
    decisions: Estimate
    rounds_spread: tuple[int, int, int]
    decisions_spread: tuple[int, int, int]
    points: Estimate
    offers: Estimate
    accepted: Estimate
    ends: tuple[Estimate, ...]
    specials: tuple[SpecialStatistics, ...]
    provinces: tuple[ProvinceStatistics, ...]


def statistics_of(games: Sequence[PlayedGame]) -> Statistics:
    """Compute the statistics of games.

    Args:
        games: games from `played_games`, of at least two deals.
    """
    num_seats = len(games[0].seats)
    deals = np.array([game.deal for game in games])
    of_seats = np.repeat(deals, num_seats)

    def by_seat(value: Callable[[PlayedSeat], float]) -> Values:
        return np.array([[value(seat) for seat in game.seats] for game in games], dtype=np.float64)

    shares, agents = by_seat(lambda seat: seat.share), by_seat(lambda seat: seat.agent)

    def of_those(which: npt.NDArray[np.bool_]) -> Estimate:
        return rate_in_clusters(shares.ravel()[which.ravel()], of_seats[which.ravel()])

    def mean(values: Values) -> Estimate:
        return mean_in_clusters(values.ravel(), of_seats)

    def special(name: str, value: Callable[[PlayedSeat], float]) -> SpecialStatistics:
        held = by_seat(value)
        return SpecialStatistics(name, mean(held), of_those(held > 0))

    def province(k: int) -> ProvinceStatistics:
        founded = by_seat(lambda seat: seat.kingdoms[k])
        plundered, owned = by_seat(lambda seat: seat.plunders[k]), by_seat(lambda seat: seat.cities[k])
        return ProvinceStatistics(PROVINCES[k], mean(plundered), mean(founded), mean(owned), of_those(founded > 0))

    rounds, decisions, offers, accepted, ends = (
        np.array([getattr(game, name) for game in games])
        for name in ("rounds", "decisions", "offers", "accepted", "end")
    )
    points = by_seat(lambda seat: seat.points)
    won = shares > 0
    return Statistics(
        num_games=len(games),
        num_deals=len(set(deals.tolist())),
        num_seats=num_seats,
        seats=tuple(rate_in_clusters(shares[:, seat], deals) for seat in range(num_seats)),
        agents=tuple(of_those(agents == agent) for agent in range(num_seats)),
        rounds=mean_in_clusters(rounds, deals),
        decisions=mean_in_clusters(decisions, deals),
        rounds_spread=spread(rounds),
        decisions_spread=spread(decisions),
        points=mean_in_clusters(points[won], of_seats[won.ravel()]),
        offers=mean_in_clusters(offers, deals),
        accepted=mean_in_clusters(accepted, deals),
        ends=tuple(rate_in_clusters(ends == end, deals) for end in range(len(ENDS))),
        specials=(
            special("Diplomacy card", lambda seat: seat.diplomacy),
            special("Scourge of Rome, of one tribe or both", lambda seat: seat.scourges),
            special("Scourge of Rome, of both tribes", lambda seat: seat.scourges == NUM_TRIBES),
            special("Heir to Rome", lambda seat: seat.heir),
            special("culture", lambda seat: seat.cultures),
        ),
        provinces=tuple(province(k) for k in range(NUM_PROVINCES)),
    )


def figure_of(games: Sequence[PlayedGame], found: Statistics) -> Figure:
    """Return a matplotlib figure of the lengths of games, and the win share of seats by province of a kingdom."""
    rounds, shares = [game.rounds for game in games], {one.name: one.win_share for one in found.provinces}
    title = "Seats with a kingdom in the province"
    return lengths_and_wins(3, "rounds", rounds, min(rounds), title, shares, found.num_seats)
