"""What games of Struggle for Rome show: seats, lengths, special cards, ends and provinces.

Intervals are 95 %, clustered by deal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from romans_env.struggle.material import NUM_PROVINCES, NUM_TRIBES, PROVINCES
from romans_training.intervals import Estimate, mean_in_clusters, rate_in_clusters, spread
from romans_training.struggle.analysis.played_games import ENDS, PlayedGame, PlayedSeat

Values = npt.NDArray[np.float64]


class SpecialStatistics(NamedTuple):
    """What games show of a special card or a culture.

    Attributes:
        name: of it.
        held: how many of them a seat has at the end, the mean.
        win_share: the share of the wins of the seats that have one; in a game for four 25 % is even.
    """

    name: str
    held: Estimate
    win_share: Estimate


class ProvinceStatistics(NamedTuple):
    """What games show of a province; numbers are those of a seat in a game.

    Attributes:
        name: of the province.
        plunders: cities plundered.
        kingdoms: kingdoms founded.
        cities: cities owned at the end.
        win_share: the share of the wins of the seats that founded a kingdom there.
    """

    name: str
    plunders: Estimate
    kingdoms: Estimate
    cities: Estimate
    win_share: Estimate


class Statistics(NamedTuple):
    """What games show.

    Attributes:
        num_games: how many.
        num_deals: on how many deals.
        num_seats: seats of a game.
        seats: of each seat, the share of the wins.
        agents: of each agent, the share of the wins.
        rounds, decisions: the means.
        rounds_spread, decisions_spread: the 10 %, 50 % and 90 % quantiles.
        points: of a winner, the mean.
        offers, accepted: offers of a game, and those accepted, the means.
        ends: the share of games that end so, as ENDS.
        specials: the special cards, and culture.
        provinces: by province.
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
    """Count what games show.

    Args:
        games: of `played_games`, of at least two deals.
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
