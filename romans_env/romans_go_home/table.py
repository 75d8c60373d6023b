"""The table: the settings of a game that never change while it is played (RULES 1.2, 1.3, 8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from romans_env.romans_go_home.cards import (
    DECK_SIZE,
    DEFAULT_FORT_DECK,
    FORTS,
    NUM_LEGION_FORTS,
)

LEGAL_SIZES = ((1, 1), (1, 2), (2, 0), (2, 1), (2, 2), (3, 0), (3, 1), (4, 0))
"""(players, neutrals) of every table of RULES 1.3."""

VARIANTS = ("standard", "vogel")


@dataclass(frozen=True)
class Table:
    """The fixed settings of a game.

    Args:
        num_players: 1 to 4 (RULES 1.3).
        num_neutrals: neutral clans, 0 to 2.
        variant: ``"standard"`` or ``"vogel"`` (RULES 8).
        fort_deck: names of 18 forts with exactly 4 Legion forts (RULES 1.2), or None for the default deck. The order is
            of no account; it is kept sorted.

    Raises:
        ValueError: for a table the rules do not have, saying what is wrong.
    """

    num_players: int = 2
    num_neutrals: int = 0
    variant: str = "standard"
    fort_deck: tuple[str, ...] = DEFAULT_FORT_DECK

    def __init__(
        self,
        num_players: int = 2,
        num_neutrals: int = 0,
        variant: str = "standard",
        fort_deck: Sequence[str] | None = None,
    ):
        if not (_is_integer(num_players) and _is_integer(num_neutrals) and (num_players, num_neutrals) in LEGAL_SIZES):
            sizes = ", ".join(f"{players}+{neutrals}" for players, neutrals in LEGAL_SIZES)
            raise ValueError(
                f"no table has {num_players!r} players and {num_neutrals!r} neutrals; "
                f"players+neutrals can be {sizes} (RULES 1.3)"
            )
        if variant not in VARIANTS:
            raise ValueError(f"unknown variant {variant!r}; there are {' and '.join(map(repr, VARIANTS))} (RULES 8)")
        deck = _checked_deck(DEFAULT_FORT_DECK if fort_deck is None else fort_deck)
        for name, value in (
            ("num_players", int(num_players)),
            ("num_neutrals", int(num_neutrals)),
            ("variant", variant),
            ("fort_deck", deck),
        ):
            object.__setattr__(self, name, value)

    @property
    def num_clans(self) -> int:
        return self.num_players + self.num_neutrals

    @property
    def players(self) -> tuple[str, ...]:
        """Names of the players in seat order (RULES 1.3)."""
        return tuple(f"player_{i}" for i in range(self.num_players))

    @property
    def clans(self) -> tuple[str, ...]:
        """Names of all clans in seat order: players, then neutrals (RULES 1.3)."""
        return self.players + tuple(f"neutral_{i}" for i in range(self.num_neutrals))

    def deck_counts(self) -> npt.NDArray[np.int8]:
        """Copies of each fort kind in the deck: int8, shape (11,)."""
        counts = Counter(self.fort_deck)
        return np.array([counts[name] for name in FORTS], dtype=np.int8)

    def as_json(self) -> dict[str, Any]:
        """Plain JSON; ``Table.from_json`` reads it back."""
        settings: dict[str, Any] = {
            "num_players": self.num_players,
            "num_neutrals": self.num_neutrals,
            "variant": self.variant,
        }
        if self.fort_deck != _checked_deck(DEFAULT_FORT_DECK):
            settings["fort_deck"] = list(self.fort_deck)
        return settings

    @classmethod
    def from_json(cls, settings: Any) -> Table:
        """The table a record names.

        Raises:
            ValueError: for something that is no table.
        """
        needed = {"num_players", "num_neutrals", "variant"}
        if not isinstance(settings, dict) or not needed <= set(settings) <= needed | {"fort_deck"}:
            raise ValueError(
                f"a table is an object with the keys {sorted(needed)}, and 'fort_deck' where that is not the default, "
                f"not {settings!r}"
            )
        return cls(**settings)

    def __str__(self) -> str:
        suffix = "" if self.variant == "standard" else f" {self.variant}"
        return f"{self.num_players}+{self.num_neutrals}{suffix}"


def _is_integer(number: Any) -> bool:
    return isinstance(number, (int, np.integer)) and not isinstance(number, bool)


def _checked_deck(deck: Sequence[str]) -> tuple[str, ...]:
    if not isinstance(deck, (Sequence, np.ndarray)) or isinstance(deck, str):
        raise ValueError(f"a fort deck is a list of {DECK_SIZE} forts, not {deck!r} (RULES 1.2)")
    deck = tuple(deck)
    unknown = sorted({str(name) for name in deck if name not in FORTS})
    if unknown:
        raise ValueError(f"unknown forts in the deck: {', '.join(unknown)}; the kinds are {', '.join(FORTS)}")
    if len(deck) != DECK_SIZE:
        raise ValueError(f"a fort deck has {DECK_SIZE} forts, this one {len(deck)} (RULES 1.2)")
    legion = sum(name.startswith("legion") for name in deck)
    if legion != NUM_LEGION_FORTS:
        raise ValueError(f"a fort deck has exactly {NUM_LEGION_FORTS} Legion forts, this one {legion} (RULES 1.2)")
    return tuple(sorted(deck, key=FORTS.index))
