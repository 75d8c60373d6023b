"""Sets of small numbers as the bits of an integer."""

from __future__ import annotations


def bits_as_list(bits: int) -> list[int]:
    """The positions of the set bits, ascending."""
    positions = []
    while bits:
        low = bits & -bits
        positions.append(low.bit_length() - 1)
        bits ^= low
    return positions
