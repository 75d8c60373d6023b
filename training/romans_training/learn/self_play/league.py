"""The league: the learner's opponents other than itself, and its results against each of them.

Opponents are drawn by prioritised fictitious self-play (Vinyals et al. 2019): the more an opponent wins, the more often
it is met. Training concentrates on games from which something can be learned, and opponents that were beaten once are
not forgotten.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from romans_agents.loops.codes import LEARNER
from romans_env.core.files import json_of, read_text, write_text
from romans_env.errors import in_one_line, shortened
from romans_training.learn.run_folder import RunFolderError
from romans_training.schema import fits

FORMAT = "romans-league/1"
SCRIPTED, PAST, EXPLOITER = "scripted", "past", "exploiter"
KINDS = (SCRIPTED, PAST, EXPLOITER)

PRIOR_GAMES = 20.0
"""Number of fictitious drawn games with which a new member starts."""
MEMORY = 1000.0
"""Number of games after which the weight of an old result has decayed to 1/e, because the learner changes."""
HARDNESS = 2.0
"""The exponent p of Vinyals et al.'s weighting (1 - win rate)^p."""
MOST_GAMES = 10**18
"""Largest valid number of games in a result, and of decisions before a member joined."""
LEAST_WEIGHT = 0.01
"""Weight of a member that never wins, so that it is still drawn now and then; one that always wins has 1 more."""


@dataclass
class Result:
    """The result of games between the learner and a member with one setup.

    Attributes:
        games: number of games; fractional if older games are discounted.
        total_return: sum of the learner's returns, each from -1 to 1.
    """

    games: float = 0
    total_return: float = 0.0


@dataclass
class Member:
    """An agent of the league.

    Attributes:
        agent: its spec; for a policy, the path of its file relative to the run folder.
        kind: ``scripted`` (any agent named by the user), ``past`` (a snapshot of the learner) or ``exploiter``.
        joined: number of decisions of the learner when the member joined.
        results: results since then, by setup.
        recent: results over all setups, exponentially discounted.
    """

    agent: str
    kind: str
    joined: int
    results: dict[str, Result] = field(default_factory=dict)
    recent: Result = field(default_factory=Result)

    @property
    def score(self) -> float:
        """The learner's recent score against this member: 0 if the learner always lost, 1/2 if they are even."""
        return 0.5 + 0.5 * self.recent.total_return / (self.recent.games + PRIOR_GAMES)

    @property
    def weight(self) -> float:
        """The weight in the draw of opponents, above 0."""
        return LEAST_WEIGHT + (1.0 - self.score) ** HARDNESS

    def record(self, setup: str, games: int, total_return: float) -> None:
        """Record games that ended, with the sum of the learner's returns in them."""
        whole = self.results.setdefault(setup, Result())
        whole.games += games
        whole.total_return += total_return
        kept = float(np.exp(-games / MEMORY))
        self.recent.games = self.recent.games * kept + games
        self.recent.total_return = self.recent.total_return * kept + total_return


@dataclass
class League:
    """The members of the league, in the order in which they joined."""

    members: list[Member] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.members)

    def add(self, agent: str, kind: str, joined: int) -> Member:
        """Add a new member and return it."""
        self.members.append(Member(agent, kind, joined))
        return self.members[-1]

    def weights(self) -> npt.NDArray[np.float64]:
        """Return the probability of drawing each member: float64, shape ``(members,)``."""
        weights = np.array([member.weight for member in self.members])
        return weights / weights.sum()

    def draw(self, rng: np.random.Generator, count: int) -> npt.NDArray[np.float64]:
        """Draw a few members by `weights`, without replacement, for the next games.

        They are few so that each plays many games in one batch.

        Args:
            rng: the random generator.
            count: the number of members to draw; all members if there are no more.

        Returns:
            Probabilities, float64, shape ``(members,)``: the same for every drawn member, 0 for the others.
        """
        chances = np.zeros(len(self.members))
        if self.members:
            count = min(count, len(self.members))
            chances[rng.choice(len(self.members), count, replace=False, p=self.weights())] = 1.0 / count
        return chances

    def as_json(self) -> dict[str, Any]:
        """Return the league as plain JSON, for `from_json`."""
        members = [
            {**dataclasses.asdict(member), "score": member.score, "weight": weight}
            for member, weight in zip(self.members, self.weights().tolist(), strict=True)
        ]
        return {"format": FORMAT, "members": members}

    @classmethod
    def from_json(cls, league: Any) -> League:
        """Restore a league from the JSON of `as_json`.

        Raises:
            ValueError: if the JSON is not a league: malformed members or results, an unknown kind, or a policy outside
                the run folder.
        """
        if not isinstance(league, dict) or not isinstance(league.get("members"), list):
            raise ValueError("it has no list of members")
        return cls([_member_of(entry, f"member {number}") for number, entry in enumerate(league["members"], 1)])

    def save(self, path: Path) -> None:
        """Write the league file atomically."""
        write_text(path, json.dumps(self.as_json(), indent=2) + "\n")

    @classmethod
    def load(cls, path: Path) -> League:
        """Read a league file; raise RunFolderError if it is not one."""
        name = in_one_line(path)
        try:
            league = json_of(read_text(path))
            if not isinstance(league, dict) or "format" not in league:
                raise ValueError("it lacks 'format'")
            if league["format"] == FORMAT:
                return cls.from_json(league)
        except OSError as error:
            raise RunFolderError(f"cannot read the league file {name}: {in_one_line(error.strerror)}") from None
        except ValueError as error:
            raise RunFolderError(f"{name} is not a valid league file: {in_one_line(error)}") from None
        raise RunFolderError(f"{name} has the format {shortened(league['format'])}; this version reads {FORMAT!r}")


def draw_line_ups(
    rng: np.random.Generator, count: int, num_players: int, self_play: float, weights: npt.NDArray[np.float64]
) -> npt.NDArray[np.int64]:
    """Draw the line-ups of new games.

    With probability ``self_play`` the learner has every seat. Otherwise it has a random seat, and a random member has
    the next one. The remaining seats all go to that member in half of these games. In the other half each of them goes,
    with equal probability, to the learner or to another random member, because a policy for four players must cope with
    rivals of one kind and of several.

    Args:
        rng: the random generator.
        count: the number of games.
        num_players: the number of seats.
        self_play: the probability of self-play, from 0 to 1.
        weights: the probability of drawing each member, float64, shape ``(members,)``; empty if there are none.

    Returns:
        The index of a member, or LEARNER, for every seat: int64, shape ``(count, num_players)``.
    """
    line_ups = np.full((count, num_players), LEARNER, dtype=np.int64)
    if num_players == 1 or weights.size == 0:
        return line_ups
    meets = rng.random(count) >= self_play
    drawn = rng.choice(weights.size, size=(count, num_players), p=weights)
    is_one_kind = rng.random(count) < 0.5
    has_member = rng.random((count, num_players)) < 0.5
    own = rng.integers(num_players, size=count)
    rows = np.arange(count)
    for k in range(1, num_players):
        seat = (own + k) % num_players
        of_kinds = np.where(has_member[:, k] | (k == 1), drawn[:, k], LEARNER)
        line_ups[rows, seat] = np.where(meets, np.where(is_one_kind, drawn[:, 1], of_kinds), LEARNER)
    return line_ups


_POLICY = re.compile(r"[^:\\\x00-\x1f]+\.npz")
"""A policy path relative to the run folder, without colons: a path with one could name another agent, or a drive."""


def _is_number(value: Any) -> bool:
    return fits(value, float) and abs(value) <= MOST_GAMES


_MEMBER: dict[str, tuple[Any, str]] = {
    "agent": (str, "a text"),
    "kind": (KINDS, ", ".join(KINDS)),
    "joined": (range(MOST_GAMES + 1), "a number of decisions"),
    "results": (dict, "an object"),
    "recent": (dict, "an object"),
}
_RESULT: dict[str, tuple[Any, str]] = dict.fromkeys(("games", "total_return"), (_is_number, "a number"))
"""The names that an object must have, with the schema (`romans_training.schema`) of each value and its description."""


def _member_of(entry: Any, where: str) -> Member:
    """Return the member that an entry of the league file describes.

    Args:
        entry: the entry, of any type.
        where: a description of the entry for errors.

    Raises:
        ValueError: if the entry does not describe a member, or its policy is not in the run folder.
    """
    # The file has score and weight for its readers only; both are computed from the results.
    agent, kind, joined, results, recent = _values_of(entry, _MEMBER, where, ignored=("score", "weight"))
    if kind != SCRIPTED and not _is_in_folder(agent):
        raise ValueError(f"the policy of {where} is {shortened(agent)}, which is not a policy file in the run folder")
    by_table = {table: _result_of(one, f"{where} at {in_one_line(table, 50)}") for table, one in results.items()}
    return Member(agent, kind, joined, by_table, _result_of(recent, where))


def _result_of(entry: Any, where: str) -> Result:
    games, total_return = _values_of(entry, _RESULT, f"a result of {where}")
    # Every return is from -1 to 1; the tolerance is for rounding in long sums.
    if games < 0 or abs(total_return) > games * 1.001 + 0.001:
        raise ValueError(f"a result of {where} is {shortened(total_return)} in {shortened(games)} games")
    return Result(games, total_return)


def _values_of(entry: Any, kinds: dict[str, tuple[Any, str]], where: str, ignored: Sequence[str] = ()) -> list[Any]:
    """Return the values of an object of the file, in the order of ``kinds``.

    Args:
        entry: the object, of any type.
        kinds: the names that it must have, with the schema of each value and its description.
        where: a description of the object for errors.
        ignored: names that it may have in addition.

    Raises:
        ValueError: if it is not an object with these names, or a value does not match its schema.
    """
    if not isinstance(entry, dict) or not set(kinds) <= set(entry) <= {*kinds, *ignored}:
        raise ValueError(f"{where} must be an object of {', '.join(kinds)}, not {shortened(entry)}")
    for name, (kind, words) in kinds.items():
        if not fits(entry[name], kind):
            raise ValueError(f"{where} has the {name} {shortened(entry[name])}, not {words}")
    return [entry[name] for name in kinds]


def _is_in_folder(path: str) -> bool:
    return _POLICY.fullmatch(path) is not None and not path.startswith(("/", "~")) and ".." not in path.split("/")
