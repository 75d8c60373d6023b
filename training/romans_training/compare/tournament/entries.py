"""The entries of a tournament: agent specs, numbered if one is named several times."""

from __future__ import annotations

import hashlib
import os
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from romans_env.core.needed_files import needed_by
from romans_env.errors import UserError

_LONGEST_NAME = 255
"""Largest length of a file name in bytes, and therefore in characters."""


class TournamentError(UserError, ValueError):
    """A tournament that cannot be played as asked; the message says what to do."""


class WorkerDiedError(TournamentError):
    """A worker process died while it was playing."""


class Entry(NamedTuple):
    """An agent that takes part.

    Attributes:
        spec: the agent spec.
        copy: 1; 2, 3, ... if the same spec is named again (a mirror match).
    """

    spec: str
    copy: int = 1

    @property
    def label(self) -> str:
        """The spec, followed by `` #2`` for a second copy."""
        return self.spec if self.copy == 1 else f"{self.spec} #{self.copy}"


def entries_of(specs: Sequence[str]) -> tuple[Entry, ...]:
    """Return the entries for a list of agent specs, in the same order.

    Raises:
        TournamentError: if a spec cannot be stored, such as a path that is not UTF-8.
    """
    named: Counter[str] = Counter()
    entries = []
    for spec in specs:
        try:
            spec.encode()
        except UnicodeEncodeError:
            raise TournamentError(f"the agent {spec!a} is not UTF-8; rename the file that it names") from None
        named[spec] += 1
        entries.append(Entry(spec, named[spec]))
    return tuple(entries)


def digest_of(spec: str) -> str:
    """Return a digest of the files that an agent spec names, to detect changes; an empty text if it names none.

    Every part of the spec between ``:``, ``=``, ``,`` and blanks is checked for a file path; paths may contain these
    separators. For a Python file, the files of its folder that it needs are included
    (`romans_env.core.needed_files.needed_by`).
    """
    digest, found = hashlib.sha256(), False
    for path in _files_in(spec):
        digest.update(path.read_bytes())
        found = True
        for needed in needed_by(path) if path.suffix == ".py" else []:
            name = Path(os.path.relpath(needed, path.resolve().parent)).as_posix()
            digest.update(b"\0" + os.fsencode(name) + b"\0" + hashlib.sha256(needed.read_bytes()).digest())
    return digest.hexdigest() if found else ""


def _files_in(spec: str) -> list[Path]:
    """Return the files that an agent spec names: from each part on, the longest path that is a file."""
    parts = re.split("([:=, ])", spec)
    found = []
    for first in range(0, len(parts), 2):
        text, longest = "", None
        for k, part in enumerate(parts[first:]):
            text += part
            slash = text.rfind("/") + 1
            # Longer texts begin with this one, so they cannot be paths either.
            if len(text) - slash > _LONGEST_NAME or ("/" in part and not os.path.isdir(_path(text[:slash]))):
                break
            if k % 2 == 0 and "." in text[slash:] and os.path.splitext(_path(text))[1] and os.path.isfile(_path(text)):
                longest = Path(_path(text))
        if longest is not None:
            found.append(longest)
    return found


def _path(text: str) -> str:
    return os.path.expanduser(text.strip("'\""))
