"""Who the learner meets beside itself: scripted agents, its own past, exploiters; and how it fares against each.

Prioritised fictitious self-play (Vinyals et al. 2019): an opponent is met the more often the more it wins, so that the
games go where something is left to learn, and what was once beaten stays beaten.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from romans_env.files import write_text
from training.run_folder import RunFolderError

FORMAT = "romans-league/1"
SCRIPTED, PAST, EXPLOITER = "scripted", "past", "exploiter"
KINDS = (SCRIPTED, PAST, EXPLOITER)

PRIOR_GAMES = 20.0
"""Even games that a new member is taken to have played."""
MEMORY = 1000.0
"""Games after which an old result counts for 1/e: the learner changes."""
HARDNESS = 2.0
"""The exponent of Vinyals et al.'s weighting (1 - win rate)^p."""
LEAST_WEIGHT = 0.01
"""Of a member that never wins, beside 1 of one that always does: it is looked at again."""


@dataclass
class Result:
    """Games between the learner and a member at one table.

    Attributes:
        games: how many.
        total_return: the sum of the learner's returns (RULES 7.4), from -1 to 1 each.
    """

    games: float = 0
    total_return: float = 0.0


@dataclass
class Member:
    """An agent of the league.

    Attributes:
        agent: its text; a policy file's path is meant from the run folder.
        kind: ``scripted`` (or any agent named by the user), ``past`` or ``exploiter``.
        joined: decisions the learner had made.
        results: by table, since it joined.
        recent: the same of all tables with older games fading.
    """

    agent: str
    kind: str
    joined: int
    results: dict[str, Result] = field(default_factory=dict)
    recent: Result = field(default_factory=Result)

    @property
    def score(self) -> float:
        """The learner's share of the wins against it as of late, from 0 to 1; 1/2 where they are even."""
        return 0.5 + 0.5 * self.recent.total_return / (self.recent.games + PRIOR_GAMES)

    @property
    def weight(self) -> float:
        """How often it is met, beside the others' weights."""
        return LEAST_WEIGHT + (1.0 - self.score) ** HARDNESS

    def note(self, table: str, returns: npt.NDArray[Any]) -> None:
        """Note games that ended: the learner's returns, shape (n,)."""
        whole = self.results.setdefault(table, Result())
        whole.games += len(returns)
        whole.total_return += float(returns.sum())
        kept = float(np.exp(-len(returns) / MEMORY))
        self.recent.games = self.recent.games * kept + len(returns)
        self.recent.total_return = self.recent.total_return * kept + float(returns.sum())


class League:
    """The members, in the order in which they joined."""

    def __init__(self, members: Sequence[Member] = ()):
        self.members = list(members)

    def __len__(self) -> int:
        return len(self.members)

    def add(self, agent: str, kind: str, joined: int) -> Member:
        """A new member."""
        self.members.append(Member(agent, kind, joined))
        return self.members[-1]

    def weights(self) -> npt.NDArray[np.float64]:
        """The probability with which each member is drawn."""
        weights = np.array([member.weight for member in self.members])
        return weights / weights.sum()

    def draw(self, rng: np.random.Generator, count: int) -> npt.NDArray[np.float64]:
        """Some members that are met for a while, by `weights`: 1 of their number for each of them, 0 for all others.

        Few at a time, so that each decides in many games at once.
        """
        chances = np.zeros(len(self.members))
        if self.members:
            count = min(count, len(self.members))
            chances[rng.choice(len(self.members), count, replace=False, p=self.weights())] = 1.0 / count
        return chances

    def as_json(self) -> dict[str, Any]:
        """Plain JSON; `from_json` reads it back."""
        members = [
            {**dataclasses.asdict(member), "score": member.score, "weight": weight}
            for member, weight in zip(self.members, self.weights().tolist(), strict=True)
        ]
        return {"format": FORMAT, "members": members}

    @classmethod
    def from_json(cls, league: Any) -> League:
        """The league that `as_json` wrote."""
        members = []
        for entry in league["members"]:
            results = {table: Result(**result) for table, result in entry["results"].items()}
            recent = Result(**entry["recent"])
            members.append(Member(entry["agent"], entry["kind"], entry["joined"], results, recent))
        return cls(members)

    def save(self, path: Path) -> None:
        """Write the league file, whole or not at all."""
        write_text(path, json.dumps(self.as_json(), indent=2) + "\n")

    @classmethod
    def load(cls, path: Path) -> League:
        """Read a league file; RunFolderError where it is none."""
        try:
            league = json.loads(path.read_text(encoding="utf-8"))
            if league["format"] != FORMAT:
                raise RunFolderError(f"{path} has the format {league['format']!r}; this version reads {FORMAT!r}")
            return cls.from_json(league)
        except OSError as error:
            raise RunFolderError(f"cannot read the league file {path}: {error.strerror}") from None
        except (json.JSONDecodeError, KeyError, TypeError) as error:
            raise RunFolderError(f"{path} is not a whole league file: {error}") from None
