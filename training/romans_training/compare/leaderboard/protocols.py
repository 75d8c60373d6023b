"""The protocols of ``romans benchmark``: which deals are played against whom, and how strong these opponents are.

``reference_opponents.json`` has them. A protocol with a number never changes; what measures differently gets another
number.
"""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from romans_env.core.files import read_text
from romans_env.core.games import spec_of
from romans_env.core.protocol import Setup
from romans_env.errors import did_you_mean
from romans_training.compare.tournament.config import TournamentConfig
from romans_training.compare.tournament.entries import Entry
from romans_training.compare.tournament.line_ups import LineUp
from romans_training.compare.tournament.match import make_agent
from romans_training.measure.reference_opponents import reference_opponents
from romans_training.settings import ConfigError

MOVE_TIME = 120.0
"""Seconds that a decision may take: an agent that hangs loses the game."""


class BenchmarkError(ConfigError):
    """A benchmark that cannot be played, or a file of results that is not what it says."""


@dataclass(frozen=True)
class BenchmarkProtocol:
    """How agents are measured.

    Attributes:
        name: with its number, such as ``romans-go-home/2+0/1``.
        track: a short name, such as ``duel``.
        hard: what is hard about it, in a sentence.
        to_beat: the ``agent`` of the highest ``rating`` on the leaderboard, and that; where it is exact, the
            ``least_exploitable`` agent with its ``exploitability``, too.
        game: name of the game.
        settings: of its setup.
        seed: of the deals and of all chance: nothing was trained or chosen on it.
        held_out: SHA-256 of the seed of other deals, which is not published: 32 hexadecimal digits.
        deals: that are played against an opponent, other ones against each, and each from every seat.
        quick_deals: the first of them, for ``--quick``.
        search_deals: the first of them, for an agent that searches.
        variance_reduction: one of `romans_training.measure.variance_reduction.METHODS`.
        reference: the opponent whose rating is 1000; that of ``random`` is 0.
        unit: a point of the scale in natural logarithms of strength.
        opponents: the ratings of the opponents by agent spec, from weak to strong: what the protocol gives them.
        copies: on the same scale, the strength of each as an opponent, which has all seats but one.
        renamed: by agent spec the spec that an agent was measured by before it got its name; its games stay the same.
        is_exact: whether the game is so small that exploitability is computed exactly.
        is_held_out: whether the seed is the one that is not published.
        is_own: whether the scale is one of its own, of opponents that were measured on the spot.
    """

    name: str
    track: str
    hard: str
    to_beat: dict[str, Any]
    game: str
    settings: dict[str, Any]
    seed: int
    held_out: str
    deals: int
    quick_deals: int
    search_deals: int
    variance_reduction: str
    reference: str
    unit: float
    opponents: dict[str, float]
    copies: dict[str, float]
    renamed: dict[str, str] = field(default_factory=dict)
    is_exact: bool = False
    is_held_out: bool = False
    is_own: bool = False

    @property
    def scale(self) -> dict[str, Any] | None:
        """The scale as plain JSON where it is one of its own."""
        if not self.is_own:
            return None
        return {name: getattr(self, name) for name in ("reference", "unit", "opponents", "copies")}

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
            agents=(agent, *self.opponents),
            setup=self.setup,
            deals=deals,
            search_deals=deals,
            seed=self.seed,
            move_time=MOVE_TIME,
            variance_reduction=self.variance_reduction,
            own_deals=True,
        )

    def with_deals_from(self, path: str | Path) -> BenchmarkProtocol:
        """Return the protocol with the held-out deals, whose seed is in a file.

        Raises:
            BenchmarkError: the file holds a different seed or is not text.
            OSError: it cannot be read.
        """
        try:
            text = read_text(path).strip()
        except ValueError:  # not text: no seed has the digest of the empty one
            text = ""
        if hashlib.sha256(text.encode()).hexdigest() != self.held_out:
            raise BenchmarkError(f"{path} does not hold the seed of the held-out deals of {self.name}")
        return replace(self, seed=int(text, 16), is_held_out=True)

    def line_ups(self, agent: str) -> dict[str, LineUp]:
        """Return the line-up against every opponent, which has all other seats."""
        former = self.renamed.get(agent)
        return {opponent: line_up_of(agent, opponent, self.setup.num_players, former) for opponent in self.opponents}


def line_up_of(agent: str, opponent: str, num_players: int, former: str | None = None) -> LineUp:
    """Return the line-up of an agent against copies of an opponent.

    Args:
        agent: its spec.
        opponent: the spec of all others.
        num_players: how many seats agents play.
        former: the spec that decides the chance of the games in place of the agent's.
    """
    own, others = _own_entry(agent, opponent), [Entry(opponent)] * (num_players - 1)
    if former is None:
        return LineUp(tuple(sorted([own, *others])))
    seeds = tuple(sorted([Entry(former), *others]))
    return LineUp(tuple(own if entry.spec == former else entry for entry in seeds), seeds)


def own_slot(line_up: LineUp, agent: str, opponent: str) -> int:
    """Return the slot of an agent in a `line_up_of`."""
    return line_up.slots.index(_own_entry(agent, opponent))


def _own_entry(agent: str, opponent: str) -> Entry:
    # An agent may be its own opponent.
    return Entry(agent, 2 if agent == opponent else 1)


@functools.cache
def protocols() -> dict[str, BenchmarkProtocol]:
    """Return all protocols by name; the first of a game is what it is measured by unless another is named."""
    return {name: BenchmarkProtocol(name, **fields) for name, fields in reference_opponents().items()}


def protocol_of(game: str | None, name: str | None = None) -> BenchmarkProtocol:
    """Return a protocol by name or track, or the first one of a game.

    Args:
        game: the game of the protocol; None for any.
        name: the name of the protocol, or its track.

    Raises:
        BenchmarkError: there is no such protocol; the message names those that there are.
    """
    found = {one.name: one for one in protocols().values() if game in (None, one.game)}
    if name is None and found:
        return next(iter(found.values()))
    name = next((one.name for one in found.values() if one.track == name), name)
    if not found:
        raise BenchmarkError(f"{game} has no tracks, but a scale of its own: leave out --track")
    if name not in found:
        whose, names = f"{game} has" if game else "there is", [*found, *(one.track for one in found.values())]
        which = f" {name!r}{did_you_mean(name, names)}" if name else ""
        raise BenchmarkError(f"{whose} no benchmark{which}; there are {', '.join(names)}")
    return found[name]
