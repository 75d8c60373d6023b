"""Errors that users of the package may want to catch, and how errors quote what they were given."""

from __future__ import annotations

import contextlib
import difflib
import reprlib
import traceback
import unicodedata
from collections.abc import Iterable, Iterator
from numbers import Integral
from pathlib import Path
from typing import Any


class UserError(Exception):
    """An error that the user can correct: the command line prints it in one line."""


class IllegalActionError(UserError, ValueError):
    """An action that the rules do not allow now; the game is unchanged."""


class CannotSampleError(UserError, NotImplementedError):
    """A game that does not say how to sample what a seat does not know, when a search asks for it."""


class GameOverError(RuntimeError):
    """An action after the end of the game."""


def did_you_mean(name: Any, valid: Iterable[str]) -> str:
    """Return the end of an error about an unknown name: ``" (did you mean 'greedy'?)"``, or nothing."""
    nearest = difflib.get_close_matches(str(name)[:100].lower(), valid, n=1, cutoff=0.6)
    return f" (did you mean {nearest[0]!r}?)" if nearest else ""


@contextlib.contextmanager
def needs_extra(what: str, extra: str) -> Iterator[None]:
    """Guard imports of what only an extra of the package installs.

    Args:
        what: what needs the imports, such as ``Parquet``.
        extra: the name of the extra.

    Raises:
        ModuleNotFoundError: a package is not installed; the message says how to install it.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f'{what} needs {error.name}: install the extra {extra!r}, by pip install "romans-env[{extra}]"',
            name=error.name,
        ) from error


def is_control_character(character: str) -> bool:
    """Return whether a character has no place in a name: controls, lone surrogates, characters of no width."""
    return unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp")


def looks_of(name: str) -> str:
    """Return what names that a reader may mistake for each other have in common; "" for letters other than A to Z.

    Accents, capitals, spaces and signs do not count.
    """
    plain = "".join(c for c in unicodedata.normalize("NFKD", name).casefold() if unicodedata.category(c) != "Mn")
    same = plain.translate(str.maketrans("01i|!", "ollll")).replace("rn", "m").replace("vv", "w")
    return "".join(filter(str.isalnum, same)) if same.isascii() else ""


def is_integer(value: Any) -> bool:
    """Return whether a setting is an integer; truth values, which are integers to Python, are none."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def shortened(value: Any, limit: int = 200) -> str:
    """Return the repr of a value as an error quotes it: one line of at most ``limit`` letters.

    It never fails, whatever the value is: nested too deeply for ``repr``, an integer of too many digits, an object
    whose ``__repr__`` raises.
    """
    if isinstance(value, int) and value.bit_length() > 4 * limit:
        return f"an integer of {value.bit_length():,} bits"
    short = reprlib.Repr()
    short.maxstring = short.maxlong = short.maxother = limit
    short.maxlist = short.maxtuple = short.maxset = short.maxfrozenset = short.maxdict = 20
    short.maxlevel = 3
    try:
        return in_one_line(short.repr(value), limit)
    except Exception:  # a __repr__ may raise anything
        return f"<{type(value).__name__}>"


def in_one_line(text: object, limit: int = 500) -> str:
    """Return a text of unknown origin as part of an error: one line of at most ``limit`` letters.

    What is not printable (ends of lines, control characters, lone surrogates) is written as in a Python literal, so
    that the error can be shown anywhere.
    """
    line = _cut(str(text), limit)
    return _cut("".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in line), limit)


def error_line(error: BaseException) -> str:
    """Return the kind of an error and the first line of its message."""
    message = str(error).strip().partition("\n")[0]
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def error_line_with_place(error: BaseException, file: str | None = None) -> str:
    """Return an error as ``ValueError: its message (my_bot.py, line 3)``.

    Args:
        error: the error; of a syntax error the place is the wrong line.
        file: a path: the place is the last one in this file or a neighbour of it. None, or an error that never was
            there: the place where the error was raised.
    """
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        places = [(error.filename, error.lineno)]
    else:
        frames = traceback.extract_tb(error.__traceback__)
        places = [(frame.filename, frame.lineno or 0) for frame in frames]
        own = [place for place in places if file is not None and Path(place[0]).parent == Path(file).parent]
        places = own or places
    # A SyntaxError's text ends with the place.
    error = type(error)(error.msg) if isinstance(error, SyntaxError) else error
    place = f" ({Path(places[-1][0]).name}, line {places[-1][1]})" if places else ""
    return error_line(error) + place


def _cut(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    # The end is kept as well: it is where a path names its file.
    end = (limit - 3) // 3
    return f"{text[: limit - 3 - end]}...{text[-end:]}"
