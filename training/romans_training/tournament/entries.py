"""The entries of a tournament: agent specs, with a number where one is named twice."""

from __future__ import annotations

import hashlib
import os
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from romans_env.errors import UserError


class TournamentError(UserError, ValueError):
    """A tournament that cannot be played as asked, saying what to do."""


class WorkerDiedError(TournamentError):
    """A worker process died while it played."""


class Entry(NamedTuple):
    """An agent that takes part.

    Attributes:
        spec: the agent spec.
        copy: 1, or 2, 3, ... where the same spec is named again (a mirror match).
    """

    spec: str
    copy: int = 1

    @property
    def label(self) -> str:
        """The spec, with `` #2`` behind it for a second copy."""
        return self.spec if self.copy == 1 else f"{self.spec} #{self.copy}"


def entries_of(specs: Sequence[str]) -> tuple[Entry, ...]:
    """Return the entries of a list of agent specs, in its order.

    Raises:
        TournamentError: a spec that cannot be stored, such as a path whose bytes are no UTF-8.
    """
    named: Counter[str] = Counter()
    entries = []
    for spec in specs:
        try:
            spec.encode()
        except UnicodeEncodeError:
            raise TournamentError(f"the agent {spec!a} is no UTF-8; rename what it names") from None
        named[spec] += 1
        entries.append(Entry(spec, named[spec]))
    return tuple(entries)


def digest_of(spec: str) -> str:
    """Return a digest of the files that an agent spec names, to notice a changed policy file; empty without any.

    Every part between ``:``, ``=``, ``,`` and blanks that is the path of a file counts, separators within a path
    included.
    """
    parts = re.split("([:=, ])", spec)
    digest, found = hashlib.sha256(), False
    for first in range(0, len(parts), 2):
        for last in range(len(parts), first, -2):
            path = "".join(parts[first:last]).strip("'\"")
            if os.path.splitext(path)[1] and os.path.isfile(path):
                digest.update(Path(path).read_bytes())
                found = True
                break
    return digest.hexdigest() if found else ""
