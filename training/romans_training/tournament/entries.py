"""Who takes part: agents' texts, told apart where one is named twice."""

from __future__ import annotations

import hashlib
import os
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple


class TournamentError(ValueError):
    """A tournament that cannot be played as asked, saying what to do."""


class Entry(NamedTuple):
    """An agent that takes part.

    Attributes:
        text: what `romans_agents.make` makes it of.
        copy: 1, or 2, 3, ... where the same text is named again (a mirror match).
    """

    text: str
    copy: int = 1

    @property
    def label(self) -> str:
        """The text, with `` #2`` behind it for a second copy."""
        return self.text if self.copy == 1 else f"{self.text} #{self.copy}"


def entries_of(texts: Sequence[str]) -> tuple[Entry, ...]:
    """The entries of a list of texts, in its order.

    Raises:
        TournamentError: a text that cannot be stored, such as a path whose bytes are no UTF-8.
    """
    named: Counter[str] = Counter()
    entries = []
    for text in texts:
        try:
            text.encode()
        except UnicodeEncodeError:
            raise TournamentError(f"the agent {text!a} is no UTF-8; rename what it names") from None
        named[text] += 1
        entries.append(Entry(text, named[text]))
    return tuple(entries)


def digest_of(text: str) -> str:
    """A digest of the files that an agent's text names, by which a changed policy file is noticed; empty without any.

    Every part between ``:``, ``=`` and ``,`` that is the path of a file counts, separators within a path included.
    """
    parts = re.split("([:=,])", text)
    digest, found = hashlib.sha256(), False
    for first in range(0, len(parts), 2):
        for last in range(len(parts), first, -2):
            path = "".join(parts[first:last])
            if os.path.splitext(path)[1] and os.path.isfile(path):
                digest.update(Path(path).read_bytes())
                found = True
                break
    return digest.hexdigest() if found else ""
