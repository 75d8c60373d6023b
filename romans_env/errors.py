"""Errors that users may want to catch, and helpers that format error messages."""

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
    """An error that the user can correct; the command line prints it as one line, without a traceback."""


class IllegalActionError(UserError, ValueError):
    """An action that the rules do not allow now; the game is unchanged."""


class CannotSampleError(UserError, NotImplementedError):
    """A search asked for a determinization, and the game cannot sample one."""


class GameOverError(RuntimeError):
    """An action was played after the end of the game."""


def did_you_mean(name: Any, valid: Iterable[str]) -> str:
    """Return a suggestion to append to an error, such as ``" (did you mean 'greedy'?)"``; empty without a close match.

    Args:
        name: the unknown name.
        valid: the valid names.
    """
    nearest = difflib.get_close_matches(str(name)[:100].lower(), valid, n=1, cutoff=0.6)
    return f" (did you mean {nearest[0]!r}?)" if nearest else ""


@contextlib.contextmanager
def needs_extra(what: str, extra: str) -> Iterator[None]:
    """Guard imports of packages that only an extra installs.

    Args:
        what: the feature that needs them, such as ``Parquet``; the message begins with it.
        extra: the name of the extra.

    Raises:
        ModuleNotFoundError: if a package is missing; the message says how to install the extra.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f'{what} needs {error.name}: install the extra {extra!r}, by pip install "romans-env[{extra}]"',
            name=error.name,
        ) from error


def is_control_character(character: str) -> bool:
    """Return whether a character must not be part of a name: a control, a lone surrogate, a zero-width character."""
    return unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp")


def looks_of(name: str) -> str:
    """Return a key that is equal for names that look alike; empty if a name has letters other than A to Z.

    Accents, case, spaces and punctuation are ignored, and similar characters (O and 0, I and 1, rn and m) are equal.
    """
    plain = "".join(c for c in unicodedata.normalize("NFKD", name).casefold() if unicodedata.category(c) != "Mn")
    same = plain.translate(str.maketrans("01i|!", "ollll")).replace("rn", "m").replace("vv", "w")
    return "".join(filter(str.isalnum, same)) if same.isascii() else ""


def is_integer(value: Any) -> bool:
    """Return whether a value is an integer of any type; unlike in Python, booleans are not integers."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def shortened(value: Any, limit: int = 200) -> str:
    """Return the repr of a value for an error message: one line of at most ``limit`` characters.

    Never raises, even if the value is nested too deeply for ``repr``, is an integer with too many digits, or has a
    ``__repr__`` that raises.
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
    """Return untrusted text for an error message: one line of at most ``limit`` characters.

    Unprintable characters (line breaks, control characters, lone surrogates) are escaped as in a Python literal, so
    that the message can be printed anywhere.
    """
    line = _cut(str(text), limit)
    return _cut("".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in line), limit)


def error_line(error: BaseException) -> str:
    """Return the type of an error and the first line of its message: ``ValueError: bad seed``."""
    message = str(error).strip().partition("\n")[0]
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def error_line_with_place(error: BaseException, file: str | None = None) -> str:
    """Return an error with the line that raised it: ``ValueError: bad seed (my_bot.py, line 3)``.

    Args:
        error: the error; for a SyntaxError, the line is the one that cannot be parsed.
        file: a path: the line is taken from the innermost frame in this file or in another file of its folder. If it is
            None, or the traceback has no such frame, the line is taken from the innermost frame.
    """
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        places = [(error.filename, error.lineno)]
    else:
        frames = traceback.extract_tb(error.__traceback__)
        places = [(frame.filename, frame.lineno or 0) for frame in frames]
        own = [place for place in places if file is not None and Path(place[0]).parent == Path(file).parent]
        places = own or places
    # The str of a SyntaxError ends with the place already.
    error = type(error)(error.msg) if isinstance(error, SyntaxError) else error
    place = f" ({Path(places[-1][0]).name}, line {places[-1][1]})" if places else ""
    return error_line(error) + place


def _cut(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    # Keep the end, too: that is where a path names its file.
    end = (limit - 3) // 3
    return f"{text[: limit - 3 - end]}...{text[-end:]}"
