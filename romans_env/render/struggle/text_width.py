"""An approximate width of texts, to decide what fits."""

from __future__ import annotations

_NARROW = {
    **dict.fromkeys("iljI.,:;|'", 0.3),
    **dict.fromkeys("rtf()- ", 0.38),
    **dict.fromkeys("mwMW", 0.86),
    "\N{MULTIPLICATION SIGN}": 0.8,
}


def width_of(text: str, size: float, bold: bool = False) -> float:
    """Return the approximate width of a text in a font size."""
    return size * (1.06 if bold else 1.0) * sum(_NARROW.get(one, 0.66 if one.isupper() else 0.56) for one in text)
