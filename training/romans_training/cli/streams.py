"""Preparation of the standard streams, which may be closed or have a small character set when a command starts."""

from __future__ import annotations

import codecs
import os
import sys
import unicodedata

_SIGNS = {
    "\N{MINUS SIGN}": "-",
    "\N{EN DASH}": "-",
    "\N{EM DASH}": "-",
    "\N{BOX DRAWINGS LIGHT HORIZONTAL}": "-",
    "\N{LESS-THAN OR EQUAL TO}": "<=",
    "\N{GREATER-THAN OR EQUAL TO}": ">=",
    "\N{NOT EQUAL TO}": "!=",
    "\N{PLUS-MINUS SIGN}": "+-",
    "\N{MULTIPLICATION SIGN}": "x",
    "\N{RIGHTWARDS ARROW}": "->",
    "\N{LEFT SINGLE QUOTATION MARK}": "'",
    "\N{RIGHT SINGLE QUOTATION MARK}": "'",
    "\N{LEFT DOUBLE QUOTATION MARK}": '"',
    "\N{RIGHT DOUBLE QUOTATION MARK}": '"',
    "\N{BULLET}": "*",
    "\N{MIDDLE DOT}": ".",
    "\N{LEFT HALF BLOCK}": "|",
}
"""ASCII substitutes for signs in rules and tables, for encodings that lack them."""


def prepare_streams() -> None:
    """Reopen closed standard streams on the null device, and make the others accept every character.

    Python represents a closed stream by None, and the next file that the process opens would get its descriptor. A
    character that the encoding lacks is replaced by similar ASCII characters: a minus sign by ``-``, an accented letter
    by the plain one, any other character by ``?``.
    """
    codecs.register_error("romans", _similar)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            # Gets the lowest free descriptor, which is that of the closed stream.
            number = os.open(os.devnull, os.O_RDWR)
            os.set_inheritable(number, True)
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8", errors="romans"))
        # The streams of a notebook accept every character and cannot be reconfigured.
        elif mode == "w" and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="romans")


def _similar(error: UnicodeError) -> tuple[str, int]:
    """Return an ASCII substitute for the first character that cannot be encoded; an error handler for `codecs`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letter = error.object[error.start]
    plain = "".join(part for part in unicodedata.normalize("NFKD", letter) if not unicodedata.combining(part))
    return _SIGNS.get(letter) or (plain if plain.isascii() and plain else "?"), error.start + 1
