"""The standard streams of a command, which can be closed, or of an encoding with few letters, when it starts."""

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
"""Signs of the rules and of tables, and what stands for them where they cannot be written."""


def prepare_streams() -> None:
    """Open closed standard streams on the null device, and let the others take every character.

    A closed stream is None to Python, and the next file that the process opened would get its number. A character
    that the encoding lacks is replaced by similar ASCII characters: a minus sign by ``-``, an accented letter by the
    plain one, any other by ``?``.
    """
    codecs.register_error("romans", _similar)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            # The lowest free number, which is that of the closed stream.
            number = os.open(os.devnull, os.O_RDWR)
            os.set_inheritable(number, True)
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8", errors="romans"))
        # Streams of a notebook take every character, and cannot be told how.
        elif mode == "w" and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="romans")


def _similar(error: UnicodeError) -> tuple[str, int]:
    """Return ASCII characters for the first one that cannot be written, as codecs ask an error handler."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letter = error.object[error.start]
    plain = "".join(part for part in unicodedata.normalize("NFKD", letter) if not unicodedata.combining(part))
    return _SIGNS.get(letter) or (plain if plain.isascii() and plain else "?"), error.start + 1
