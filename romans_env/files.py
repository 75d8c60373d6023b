"""Files that are whole or not there: written under a temporary name, then renamed."""

from __future__ import annotations

import contextlib
import errno
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def written_whole(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a temporary path beside ``path``; what was written there takes its place when the block ends well.

    Raises:
        OSError: naming ``path``, which is left as it was.
    """
    target = Path(path)
    try:
        _check_kind(target)
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
        error.filename, error.filename2 = str(target), None
        raise


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file whole."""
    with written_whole(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def check_writable(path: str | os.PathLike[str]) -> None:
    """Refuse a path that `written_whole` could not write, before the work is done whose result shall go there.

    A file is made beside the path, and the folders that it needs, as the writing itself would make them; they are
    removed again, and a file that lies at the path is not touched. What happens later, a disk that fills up above all,
    can still hinder the writing.

    Args:
        path: where a file is to be written or replaced.

    Raises:
        OSError: the path is a folder or a device, or lies where nothing can be made; ``filename`` is the path, and
            ``strerror`` says why.
    """
    target = Path(path)
    try:
        _check_kind(target)
        with _folders_for_now(target.parent):
            handle, name = tempfile.mkstemp(prefix=f".{target.name}-", suffix=target.suffix, dir=target.parent)
            os.close(handle)
            os.unlink(name)
    except OSError as error:
        # The constructor picks the subclass that belongs to the number.
        raise OSError(error.errno, error.strerror, str(target)) from None
    except ValueError as error:
        raise OSError(errno.EINVAL, str(error), str(target)) from None


def _check_kind(target: Path) -> None:
    """OSError for what is there and is no file: a device or a pipe would be replaced by one, which nobody means."""
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if target.exists() and not target.is_file():
        raise OSError(errno.EINVAL, "Not an ordinary file")


@contextlib.contextmanager
def _folders_for_now(folder: Path) -> Iterator[None]:
    """Make a folder and its parents as far as they are missing; remove those in the end."""
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


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
