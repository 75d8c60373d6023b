"""The layout of an action space: one flat range of ids, with a block for each kind of decision."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Block(NamedTuple):
    """A run of action ids for one kind of decision."""

    kind: str
    first: int
    choices: tuple[str, ...]
    meaning: str

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all actions; the place of each is its id."""
        return tuple(f"{self.kind}:{choice}" if choice else self.kind for choice in self.choices)


def blocks_in_order(layout: Iterable[tuple[str, Sequence[str], str]]) -> tuple[Block, ...]:
    """Return the blocks of a layout (kind, choices, meaning), without gaps."""
    blocks, first = list[Block](), 0
    for kind, choices, meaning in layout:
        blocks.append(Block(kind, first, tuple(choices), meaning))
        first += len(choices)
    return tuple(blocks)
