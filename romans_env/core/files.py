"""Files that are whole or not there, written under a temporary name, then renamed; and files of unknown origin, read.

What is read may come from anywhere, so only regular files of a bounded size are read, and every way in which a file is
not what it should be is an ``OSError`` or a ``ValueError``, which the caller makes its own documented error.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import io
import json
import os
import re
import stat
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from romans_env.errors import shortened

MOST_TEXT = 16 * 2**20
"""Bytes of a text file that is read, unless its reader says otherwise."""

_LONGEST_NAME = 60
"""Characters of a game's name in the names of files."""
_MOST_DIGITS = 1000
"""Digits of an integer in JSON; reading one takes time that grows with the square of their number."""


def in_file_names(game: str) -> str:
    """Return the name of a game as part of the names of files: that of a game of a family may be long, with brackets.

    Where signs are lost that tell such games apart, a part of a digest does.
    """
    plain = re.sub(r"[^\w.+-]+", "-", game).strip("-")
    if len(plain) <= _LONGEST_NAME and (plain == game or (":" in game and "(" not in game)):
        return plain
    return f"{plain[:_LONGEST_NAME]}-{hashlib.sha256(game.encode()).hexdigest()[:8]}"


@contextlib.contextmanager
def atomic_write(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a temporary path beside ``path``; what was written there takes its place when the block ends well.

    Raises:
        OSError: naming ``path``, which is left as it was.
    """
    target = Path(path)
    try:
        if target.exists():
            _check_regular(os.stat(target))  # writing must not replace a device or a pipe by a file
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{target.name}-", suffix=target.suffix, dir=target.parent)
        os.close(handle)
        temporary = Path(name)
        try:
            yield temporary
            os.chmod(temporary, 0o666 & ~_umask())
            os.replace(temporary, target)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        # A full disk is noticed by a write, which names no file; and nobody knows the temporary one.
        if error.errno is not None:
            error.filename, error.filename2 = str(target), None
        raise


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file whole."""
    with atomic_write(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def check_writable(path: str | os.PathLike[str]) -> None:
    """Check, before long work is done, that `atomic_write` could write a path for its result.

    A file is made beside the path, and the folders that it needs, as the writing itself would make them; they are
    removed again, and a file that is at the path is not touched. What happens later, a disk that fills up above all,
    can still hinder the writing.

    Args:
        path: where a file is to be written or replaced.

    Raises:
        OSError: the path is a folder or a device, or is where nothing can be created; ``filename`` is the path, and
            ``strerror`` says why.
    """
    target = Path(path)
    try:
        if target.exists():
            _check_regular(os.stat(target))  # writing must not replace a device or a pipe by a file
        with _folders_for_now(target.parent):
            handle, name = tempfile.mkstemp(prefix=f".{target.name}-", suffix=target.suffix, dir=target.parent)
            os.close(handle)
            os.unlink(name)
    except OSError as error:
        # The constructor picks the subclass that belongs to the number.
        raise OSError(error.errno, error.strerror, str(target)) from None
    except ValueError as error:
        raise OSError(errno.EINVAL, str(error), str(target)) from None


@contextlib.contextmanager
def _folders_for_now(folder: Path) -> Iterator[None]:
    """Make a folder and its missing parents for the block; remove them at its end."""
    made = []
    try:
        for one in reversed([folder, *folder.parents]):
            if not one.is_dir():
                try:
                    one.mkdir()
                except FileExistsError:
                    raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR)) from None
                made.append(one)
        yield
    finally:
        for one in reversed(made):
            # Somebody else may have put something there.
            with contextlib.suppress(OSError):
                one.rmdir()


def open_regular(path: str | os.PathLike[str]) -> io.BufferedReader:
    """Open a regular file to read its bytes.

    Raises:
        OSError: no such file; or a folder, a device or a pipe, which may never end; or something that is no path. Its
            ``strerror`` says so.
    """
    try:
        _check_regular(os.stat(path))
        # Between the two checks a pipe could take the file's place, and opening that would wait for a writer.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
    except ValueError as error:  # a null byte, or a letter that the file system cannot write
        raise OSError(errno.EINVAL, f"it is no path: {error}") from None
    try:
        _check_regular(os.fstat(handle))
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def _check_regular(status: os.stat_result) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file")


def read_text(path: str | os.PathLike[str], most: int = MOST_TEXT) -> str:
    r"""Read a UTF-8 text file, with ``\n`` at the ends of its lines.

    Args:
        path: the path of the file.
        most: the largest size in bytes.

    Raises:
        OSError: as of `open_regular`, or a file that is too large.
        ValueError: a file that is not UTF-8.
    """
    with open_regular(path) as file:
        # Python allocates what it is asked to read, however short the file is.
        content = file.read(min(os.fstat(file.fileno()).st_size, most) + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"it is larger than {most // 2**20} MB")
    return io.TextIOWrapper(io.BytesIO(content), encoding="utf-8").read()


def json_of(text: str) -> Any:
    """Return the value of a JSON string.

    Raises:
        ValueError: the text is no JSON, is nested too deeply, has an integer of more than 1,000 digits, or an object
            that gives a name twice.
    """
    try:
        return json.loads(text, parse_int=_bounded_integer, object_pairs_hook=_object_of)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _bounded_integer(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise ValueError(f"it has an integer of {len(digits):,} digits")
    return int(digits)


def _object_of(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise ValueError(f"it gives the name {shortened(name)} twice")
            seen.add(name)
    return found


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
