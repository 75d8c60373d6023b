"""The protocols of ``romans benchmark``: the deals, the opponents, and the opponents' ratings.

They are defined in ``reference_opponents.json``. A numbered protocol never changes; another way of measuring gets
another number.
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
"""Time limit for a decision in seconds; an agent that exceeds it loses the game."""


class BenchmarkError(ConfigError):
    """A benchmark that cannot be played, or a file of results that is not valid."""


@dataclass(frozen=True)
class BenchmarkProtocol:
    """A way to measure agents.

    Attributes:
        name: the name with its number, such as ``romans-go-home/2+0/1``.
        track: a short name, such as ``duel``.
        hard: a sentence on what is hard about it.
        to_beat: the best ``agent`` of the leaderboard and its ``rating``; if ``is_exact``, also the
            ``least_exploitable`` agent and its ``exploitability``.
        game: the name of the game.
        settings: the settings of its setup.
        seed: seed of the deals and all random numbers; nothing was trained or selected on it.
        held_out: SHA-256 of the seed of other deals, an unpublished text of 32 hexadecimal digits.
        deals: number of deals against an opponent, each played from every seat; every opponent has deals of its own.
        quick_deals: number of deals with ``--quick``, the first ones.
        search_deals: number of deals of an agent that searches, the first ones.
        variance_reduction: one of `romans_training.measure.variance_reduction.METHODS`.
        reference: the opponent whose rating is 1000; the rating of ``random`` is 0.
        unit: one point of the scale, in natural logarithms of strength.
        opponents: ratings of the opponents by agent spec, from weak to strong, fixed by the protocol.
        copies: the strength of each as an opponent, when its copies have all seats but one, on the same scale.
        renamed: for renamed agents, by agent spec, the spec that decides their games' seeds, so that the games stay the
            same.
        is_exact: whether the game is small enough to compute exploitability exactly.
        is_held_out: whether ``seed`` is the unpublished one.
        is_own: whether the scale is of its own, with opponents that were measured on the spot.
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
        """The scale as plain JSON if it is of its own, else None."""
        if not self.is_own:
            return None
        return {name: getattr(self, name) for name in ("reference", "unit", "opponents", "copies")}

    @property
    def setup(self) -> Setup:
        """The setup of the game."""
        return spec_of(self.game).make_setup(**self.settings)

    def config(self, agent: str, deals: int) -> TournamentConfig:
        """Return an agent's games as a tournament: equally many against every opponent, each on different deals.

        With the same deals for all opponents, the luck of the deals would not average out.
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
        """Return the protocol with the held-out deals, whose seed is read from a file.

        Raises:
            BenchmarkError: if the file holds another seed, or is not text.
            OSError: if the file cannot be read.
        """
        try:
            text = read_text(path).strip()
        except ValueError:  # not text; the empty text fails the check of the digest
            text = ""
        if hashlib.sha256(text.encode()).hexdigest() != self.held_out:
            raise BenchmarkError(f"{path} does not hold the seed of the held-out deals of {self.name}")
        return replace(self, seed=int(text, 16), is_held_out=True)

    def line_ups(self, agent: str) -> dict[str, LineUp]:
        """Return the line-up against every opponent; copies of the opponent have all other seats."""
        former = self.renamed.get(agent)
        return {opponent: line_up_of(agent, opponent, self.setup.num_players, former) for opponent in self.opponents}


def line_up_of(agent: str, opponent: str, num_players: int, former: str | None = None) -> LineUp:
    """Return the line-up of an agent against copies of an opponent.

    Args:
        agent: the agent spec.
        opponent: the spec of all other seats.
        num_players: the number of seats that agents play.
        former: a spec that decides the seeds of the games instead of ``agent``.
    """
    own, others = _own_entry(agent, opponent), [Entry(opponent)] * (num_players - 1)
    if former is None:
        return LineUp(tuple(sorted([own, *others])))
    seeds = tuple(sorted([Entry(former), *others]))
    return LineUp(tuple(own if entry.spec == former else entry for entry in seeds), seeds)


def own_slot(line_up: LineUp, agent: str, opponent: str) -> int:
    """Return the agent's slot in a line-up of `line_up_of`."""
    return line_up.slots.index(_own_entry(agent, opponent))


def _own_entry(agent: str, opponent: str) -> Entry:
    # An agent may be its own opponent; it is then the second copy.
    return Entry(agent, 2 if agent == opponent else 1)


@functools.cache
def protocols() -> dict[str, BenchmarkProtocol]:
    """Return all protocols by name; the first one of a game is its default."""
    return {name: BenchmarkProtocol(name, **fields) for name, fields in reference_opponents().items()}


def protocol_of(game: str | None, name: str | None = None) -> BenchmarkProtocol:
    """Return a protocol by name or track, or the first one of a game.

    Args:
        game: the game of the protocol; None for any.
        name: the name of the protocol, or its track.

    Raises:
        BenchmarkError: if there is no such protocol; the message lists the existing ones.
    """
    found = {one.name: one for one in protocols().values() if game in (None, one.game)}
    if name is None and found:
        return next(iter(found.values()))
    name = next((one.name for one in found.values() if one.track == name), name)
    if not found:
        raise BenchmarkError(f"{game} has a scale of its own and no tracks: leave out --track")
    if name not in found:
        whose, names = f"{game} has" if game else "there is", [*found, *(one.track for one in found.values())]
        which = f" {name!r}{did_you_mean(name, names)}" if name else ""
        raise BenchmarkError(f"{whose} no benchmark{which}; there are {', '.join(names)}")
    return found[name]
