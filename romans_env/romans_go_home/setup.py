"""The table: the fixed settings of a game (RULES 1.2, 1.3, 8).

A *small table* plays the same rules with fewer warriors, slots or rounds. It is this project's own addition, for exact
computations (docs/measuring/small_table.md).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from romans_env.errors import in_one_line, is_integer, shortened
from romans_env.romans_go_home.material import (
    DEFAULT_FORT_DECK,
    FORTS,
    LINE_SIZE,
    NUM_LEGION_FORTS,
    NUM_ROUNDS,
    WARRIORS,
    WHOLE_CLAN,
)

LEGAL_SIZES = ((1, 1), (1, 2), (2, 0), (2, 1), (2, 2), (3, 0), (3, 1), (4, 0))
"""The legal pairs (number of players, number of neutral clans) of RULES 1.3."""

VARIANTS = ("standard", "vogel")

_ALWAYS_SAID = ("num_players", "num_neutrals", "variant")
_SAID_WHERE_CHANGED = ("fort_deck", "warriors", "line_size", "num_rounds")


@dataclass(frozen=True)
class Table:
    """The fixed settings of a game.

    The last three arguments make a *small table*: a clan holds fewer warriors, the wall has fewer slots, or the game
    has fewer rounds. A player then draws ``line_size + 1`` warriors and sets one aside, a neutral's line has
    ``line_size`` warriors, and the deck holds one fort for each slot of each round. All other rules stay the same.

    Args:
        num_players: 1 to 4 (RULES 1.3).
        num_neutrals: number of neutral clans, 0 to 2.
        variant: ``"standard"`` or ``"vogel"`` (RULES 8).
        fort_deck: names of 18 forts with exactly 4 Legion forts (RULES 1.2), or None for the default deck. A small
            table needs ``num_rounds * line_size`` forts, at most 4 of them Legion forts. The order does not matter;
            the names are stored sorted.
        warriors: names of a clan's warriors, ``line_size + 1`` to 9 of the nine, or None for all nine; stored sorted.
        line_size: number of slots of the wall, and so of turns in a round, 1 to 6.
        num_rounds: 1 to 3.

    Raises:
        ValueError: if the rules have no such table.
    """

    game: ClassVar[str] = "romans-go-home"
    num_players: int = 2
    num_neutrals: int = 0
    variant: str = "standard"
    fort_deck: tuple[str, ...] = DEFAULT_FORT_DECK
    warriors: tuple[str, ...] = WHOLE_CLAN
    line_size: int = LINE_SIZE
    num_rounds: int = NUM_ROUNDS

    def __init__(
        self,
        num_players: int = 2,
        num_neutrals: int = 0,
        variant: str = "standard",
        fort_deck: Sequence[str] | None = None,
        warriors: Sequence[str] | None = None,
        line_size: int = LINE_SIZE,
        num_rounds: int = NUM_ROUNDS,
    ):
        if not (is_integer(num_players) and is_integer(num_neutrals) and (num_players, num_neutrals) in LEGAL_SIZES):
            sizes = ", ".join(f"{players}+{neutrals}" for players, neutrals in LEGAL_SIZES)
            raise ValueError(
                f"no table has {shortened(num_players)} players and {shortened(num_neutrals)} neutrals; "
                f"players+neutrals can be {sizes} (RULES 1.3)"
            )
        if variant not in VARIANTS:
            raise ValueError(
                f"unknown variant {shortened(variant)}; there are {' and '.join(map(repr, VARIANTS))} (RULES 8)"
            )
        for name, number, most in (("line_size", line_size, LINE_SIZE), ("num_rounds", num_rounds, NUM_ROUNDS)):
            if not is_integer(number) or not 1 <= number <= most:
                raise ValueError(f"{name} is 1 to {most}, not {shortened(number)}")
        clan = _checked_clan(WHOLE_CLAN if warriors is None else warriors, line_size)
        is_full = (clan, line_size, num_rounds) == (WHOLE_CLAN, LINE_SIZE, NUM_ROUNDS)
        if fort_deck is None and line_size * num_rounds != len(DEFAULT_FORT_DECK):
            raise ValueError(
                f"give a fort_deck with num_rounds * line_size = {line_size * num_rounds} forts: "
                "a small table has no default deck"
            )
        deck = _checked_deck(DEFAULT_FORT_DECK if fort_deck is None else fort_deck, line_size * num_rounds, is_full)
        vars(self).update(num_players=int(num_players), num_neutrals=int(num_neutrals), variant=variant)
        vars(self).update(fort_deck=deck, warriors=clan, line_size=int(line_size), num_rounds=int(num_rounds))

    @property
    def is_small(self) -> bool:
        """Whether the table has fewer warriors, slots or rounds than the printed game."""
        return (self.warriors, self.line_size, self.num_rounds) != (WHOLE_CLAN, LINE_SIZE, NUM_ROUNDS)

    @property
    def hand_size(self) -> int:
        """Number of warriors that a player draws in a round: one per slot, and one to set aside (RULES 2.2, 3.1)."""
        return self.line_size + 1

    @property
    def num_clans(self) -> int:
        """Number of clans, neutral ones included."""
        return self.num_players + self.num_neutrals

    @property
    def num_seats(self) -> int:
        """Number of seats; every clan has one, so it equals `num_clans`."""
        return self.num_clans

    @property
    def players(self) -> tuple[str, ...]:
        """Names of the players in seat order (RULES 1.3)."""
        return tuple(f"player_{i}" for i in range(self.num_players))

    @property
    def clans(self) -> tuple[str, ...]:
        """Names of all clans in seat order: players, then neutrals (RULES 1.3)."""
        return self.players + tuple(f"neutral_{i}" for i in range(self.num_neutrals))

    def deck_counts(self) -> npt.NDArray[np.int8]:
        """Return the number of copies of each fort kind in the deck: int8, shape ``(11,)``."""
        counts = Counter(self.fort_deck)
        return np.array([counts[name] for name in FORTS], dtype=np.int8)

    def warrior_counts(self) -> npt.NDArray[np.int8]:
        """Return the number of copies of each warrior kind in a clan: int8, shape ``(8,)``."""
        counts = Counter(self.warriors)
        return np.array([counts[name] for name in WARRIORS], dtype=np.int8)

    def as_json(self) -> dict[str, Any]:
        """Return the table as plain JSON for `from_json`, without the small-table settings that have their default."""
        settings: dict[str, Any] = {name: getattr(self, name) for name in _ALWAYS_SAID}
        for name in _SAID_WHERE_CHANGED:
            value = getattr(self, name)
            if value != _DEFAULTS[name]:
                settings[name] = list(value) if isinstance(value, tuple) else value
        return settings

    @classmethod
    def from_json(cls, settings: Any) -> Table:
        """Return the table described by the JSON of `as_json`.

        Raises:
            ValueError: if ``settings`` does not describe a table.
        """
        needed = set(_ALWAYS_SAID)
        if not isinstance(settings, dict) or not needed <= set(settings) <= needed | set(_SAID_WHERE_CHANGED):
            raise ValueError(
                f"a table is an object with the keys {sorted(needed)}, and {', '.join(map(repr, _SAID_WHERE_CHANGED))} "
                f"where they differ from the default, not {shortened(settings)}"
            )
        return cls(**settings)

    def __str__(self) -> str:
        words = [f"{self.num_players}+{self.num_neutrals}"]
        if self.variant != "standard":
            words.append(self.variant)
        if self == SMALL_TABLE:
            return "small"
        if self.is_small:
            words.append(f"{len(self.warriors)} warriors {self.num_rounds}x{self.line_size} forts")
        return " ".join(words)


def _checked_names(names: Any, what: str, kinds: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names sorted in the order of ``kinds``; raise ValueError for an unknown name."""
    unknown = sorted(
        {in_one_line(name, 50) if isinstance(name, str) else shortened(name, 50) for name in names if name not in kinds}
    )
    if unknown:
        raise ValueError(f"unknown {what}: {in_one_line(', '.join(unknown))}; the kinds are {', '.join(kinds)}")
    return tuple(sorted(names, key=kinds.index))


def _is_list(names: Any) -> bool:
    return isinstance(names, (Sequence, np.ndarray)) and not isinstance(names, str)


def _checked_clan(warriors: Sequence[str], line_size: int) -> tuple[str, ...]:
    if not _is_list(warriors):
        raise ValueError(f"warriors is a list of names, not {shortened(warriors)} (RULES 1.1)")
    clan = _checked_names(warriors, "warriors in the clan", WARRIORS)
    too_many = Counter(clan) - Counter(WHOLE_CLAN)
    if too_many:
        names = ", ".join(f"{WHOLE_CLAN.count(name)} {name}" for name in too_many)
        raise ValueError(f"a clan has at most {names} (RULES 1.1)")
    if len(clan) <= line_size:
        raise ValueError(
            f"a line of {line_size} and a warrior to set aside need {line_size + 1} warriors or more, not {len(clan)}"
        )
    if line_size == 1 and len(set(clan)) < len(clan):
        raise ValueError(
            "with line_size 1 a clan cannot have two Ch'ariotts: a player who drew both would have no choice"
        )
    return clan


def _checked_deck(deck: Sequence[str], size: int, is_full: bool) -> tuple[str, ...]:
    if not _is_list(deck):
        raise ValueError(f"a fort deck is a list of {size} forts, not {shortened(deck)} (RULES 1.2)")
    deck = _checked_names(deck, "forts in the deck", FORTS)
    if len(deck) != size:
        where = "a fort deck" if is_full else "this table's fort deck"
        raise ValueError(f"{where} has {size} forts, this one {len(deck)} (RULES 1.2)")
    legion = sum(name.startswith("legion") for name in deck)
    if legion > NUM_LEGION_FORTS or (is_full and legion < NUM_LEGION_FORTS):
        how_many = "exactly" if is_full else "at most"
        raise ValueError(f"a fort deck has {how_many} {NUM_LEGION_FORTS} Legion forts, this one {legion} (RULES 1.2)")
    return deck


_FULL_TABLE = Table()
_DEFAULTS = {name: getattr(_FULL_TABLE, name) for name in _SAID_WHERE_CHANGED}

SMALL_TABLE = Table(
    fort_deck=("dinary-3", "signal-4", "dinary-5"),
    warriors=("qween", "axx", "filchy", "chariott", "chariott"),
    line_size=3,
    num_rounds=1,
)
"""The small table of docs/measuring/small_table.md: two players, one round of three turns.

Any two of the three forts win the game, so it matters in which turn a player holds back: every equilibrium is mixed.
"""
