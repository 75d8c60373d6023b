"""Sets of small integers, represented by the bits of an integer."""

from __future__ import annotations

import numpy as np

from romans_env.compiling.decorators import inlined


def bits_as_list(bits: int) -> list[int]:
    """Return the positions of the set bits, ascending."""
    positions = []
    while bits:
        low = bits & -bits
        positions.append(low.bit_length() - 1)
        bits ^= low
    return positions


@inlined
def lowest(bits):
    """Return the position of the lowest set bit of an int64 that is not 0."""
    return num_bits((bits & -bits) - np.int64(1))


_EVEN = np.int64(0x5555555555555555)
_PAIRS = np.int64(0x3333333333333333)
_NIBBLES = np.int64(0x0F0F0F0F0F0F0F0F)


@inlined
def num_bits(bits):
    """Return the number of set bits of an int64 that is at least 0."""
    bits = bits - ((bits >> np.int64(1)) & _EVEN)
    bits = (bits & _PAIRS) + ((bits >> np.int64(2)) & _PAIRS)
    bits = (bits + (bits >> np.int64(4))) & _NIBBLES
    bits = bits + (bits >> np.int64(8))
    bits = bits + (bits >> np.int64(16))
    return (bits + (bits >> np.int64(32))) & np.int64(127)


def _tables_of_bytes():
    """Return the number of set bits of each byte, int64, shape (256,), and their positions, int64, shape (256, 8)."""
    num, nth = np.zeros(256, dtype=np.int64), np.zeros((256, 8), dtype=np.int64)
    for byte in range(256):
        places = [k for k in range(8) if byte >> k & 1]
        num[byte] = len(places)
        nth[byte, : len(places)] = places
    return num, nth


_BITS_OF_BYTE, _NTH_OF_BYTE = _tables_of_bytes()


@inlined
def nth_bit(bits, n):
    """Return the position of the n-th set bit, counted from 0, of an int64 that has more than n set bits."""
    place = np.int64(0)
    byte = bits & np.int64(255)
    while n >= _BITS_OF_BYTE[byte]:
        n -= _BITS_OF_BYTE[byte]
        place += 8
        byte = (bits >> place) & np.int64(255)
    return place + _NTH_OF_BYTE[byte, n]
