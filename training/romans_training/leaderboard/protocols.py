"""The protocols of ``romans benchmark``: which deals are played against whom, and how strong these opponents are.

``panels.json`` has them. A protocol with a number never changes; what measures differently gets another number.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

from romans_env.errors import did_you_mean
from romans_env.games import spec_of
from romans_env.protocol import Setup
from romans_training.leaderboard.panels import panels
from romans_training.settings import ConfigError
from romans_training.tournament.config import TournamentConfig
from romans_training.tournament.entries import Entry
from romans_training.tournament.line_ups import LineUp
from romans_training.tournament.match import make_agent

MOVE_TIME = 120.0
"""Seconds that a decision may take: an agent that hangs loses the game."""


class BenchmarkError(ConfigError):
    """A benchmark that cannot be played, or a file of results that is not what it says."""


@dataclass(frozen=True)
class Protocol:
    """How agents are measured.

    Attributes:
        name: with its number, such as ``romans-go-home/2+0/1``.
        game: name of the game.
        settings: of its setup.
        seed: of the deals and of all chance: nothing was trained or chosen on it.
        deals: that are played against an opponent, other ones against each, and each from every seat.
        quick_deals: the first of them, for ``--quick``.
        search_deals: the first of them, for an agent that searches.
        variance_reduction: one of `romans_training.variance_reduction.METHODS`.
        reference: the opponent whose rating is 1000; that of ``random`` is 0.
        unit: a point of the scale in natural logarithms of strength.
        panel: the ratings of the opponents by agent spec, from weak to strong: what the protocol gives them.
        copies: on the same scale, the strength of each as an opponent, which has all seats but one.
    """

    name: str
    game: str
    settings: dict[str, int | str]
    seed: int
    deals: int
    quick_deals: int
    search_deals: int
    variance_reduction: str
    reference: str
    unit: float
    panel: dict[str, float]
    copies: dict[str, float]

    @property
    def setup(self) -> Setup:
        """The setup of the game."""
        return spec_of(self.game).make_setup(**self.settings)

    def config(self, agent: str, deals: int) -> TournamentConfig:
        """Return the games of an agent as a tournament: equally many against every opponent, of different deals.

        With the same deals, the luck against one opponent would be that against all of them.
        """
        if make_agent(agent, self.game).searches:
            deals = min(deals, self.search_deals)
        return TournamentConfig(
            agents=(agent, *self.panel),
            setup=self.setup,
            deals=deals,
            search_deals=deals,
            seed=self.seed,
            move_time=MOVE_TIME,
            variance_reduction=self.variance_reduction,
            own_deals=True,
        )

    def line_ups(self, agent: str) -> dict[str, LineUp]:
        """Return the line-up against every opponent, which has all other seats."""
        return {opponent: line_up_of(agent, opponent, self.setup.num_players) for opponent in self.panel}


def line_up_of(agent: str, opponent: str, num_players: int) -> LineUp:
    """Return the line-up of an agent against copies of an opponent."""
    return LineUp(tuple(sorted([_own_entry(agent, opponent), *[Entry(opponent)] * (num_players - 1)])))


def own_slot(line_up: LineUp, agent: str, opponent: str) -> int:
    """Return the slot of an agent in a `line_up_of`."""
    return line_up.slots.index(_own_entry(agent, opponent))


def _own_entry(agent: str, opponent: str) -> Entry:
    # An agent may be its own opponent.
    return Entry(agent, 2 if agent == opponent else 1)


@functools.cache
def protocols() -> dict[str, Protocol]:
    """Return all protocols by name; the first of a game is what it is measured by unless another is named."""
    return {name: Protocol(name, **fields) for name, fields in panels().items()}


def protocol_of(game: str | None, name: str | None = None) -> Protocol:
    """Return a protocol by name, or the first one of a game.

    Args:
        game: the game of the protocol; None for any.
        name: the name of the protocol.

    Raises:
        BenchmarkError: there is no such protocol; the message names those that there are.
    """
    found = {one.name: one for one in protocols().values() if game in (None, one.game)}
    if name is None and found:
        return next(iter(found.values()))
    if name not in found:
        known, whose = found or protocols(), f"{game} has" if game else "there is"
        which = f" {name!r}{did_you_mean(name, known)}" if name else ""
        raise BenchmarkError(f"{whose} no benchmark{which}; there are {', '.join(known)}")
    return found[name]
