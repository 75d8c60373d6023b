"""The layout of an action space: one flat range of ids, with a block for each kind of decision."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Block(NamedTuple):
    """Consecutive action ids for one kind of decision.

    Attributes:
        kind: the kind of decision, such as ``"place"``.
        first: the first id.
        choices: the choice that each id stands for; empty texts for an action without choices.
        meaning: what the actions do, for the encoding pages.
    """

    kind: str
    first: int
    choices: tuple[str, ...]
    meaning: str

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the block's actions, in order of their ids: ``kind:choice``, or the kind alone."""
        return tuple(f"{self.kind}:{choice}" if choice else self.kind for choice in self.choices)


def blocks_in_order(layout: Iterable[tuple[str, Sequence[str], str]]) -> tuple[Block, ...]:
    """Return the blocks of a layout, given as (kind, choices, meaning), with ids that follow each other from 0 on."""
    blocks, first = list[Block](), 0
    for kind, choices, meaning in layout:
        blocks.append(Block(kind, first, tuple(choices), meaning))
        first += len(choices)
    return tuple(blocks)
