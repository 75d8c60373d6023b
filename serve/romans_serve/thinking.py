"""The interface of agents to a server (actions, hints and reviews), and what a server offers to play."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol

from romans_env.core.game import View
from romans_env.core.games import spec_of
from romans_env.core.protocol import Rules, Setup
from romans_env.core.records import Record
from romans_env.render.text_interface import text_interface_of

Kind = Literal["act", "hint", "review", "ahead"]
"""What an agent is prepared for; ``ahead`` means before anyone asks. Games wait only for ``act``."""


class ThinkingError(Exception):
    """An agent failed, chose no legal action, or took too long; the message says which, in one line."""


class Hint(NamedTuple):
    """An agent's opinion on a decision.

    Attributes:
        agent: the agent spec.
        probabilities: probability of each action, by the action's name.
        value: expected return of the seat to act, in [-1, 1]; None if the agent has no value estimate.
    """

    agent: str
    probabilities: dict[str, float]
    value: float | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the hint as plain JSON, the likeliest action first."""
        ranked = sorted(self.probabilities.items(), key=lambda item: -item[1])
        value = None if self.value is None else round(self.value, 3)
        return {"agent": self.agent, "probabilities": {name: round(share, 4) for name, share in ranked}, "value": value}


class Reviewed(NamedTuple):
    """A review of a finished game.

    Attributes:
        page: the replay page with the review, as HTML.
        sentences: sentences about the game as a whole.
        totals: figures of each player's choices and luck, by player.
        mistakes: the mistakes, costliest first, in the form of `romans_training.compare.review_words.mistake_as_json`.
    """

    page: str
    sentences: list[str]
    totals: dict[str, dict[str, float | None]]
    mistakes: list[dict[str, Any]]


class ReviewPart(NamedTuple):
    """The progress of a review.

    Attributes:
        share: share of the review that is done, from 0 to 1.
        mistake: a mistake that was found, in the form of `Reviewed.mistakes`; None if none was.
    """

    share: float
    mistake: dict[str, Any] | None = None


class Count(NamedTuple):
    """The progress of compilation.

    Attributes:
        ready: number of functions that are compiled or loaded.
        of: number of functions needed; None if unknown.
    """

    ready: int
    of: int | None


class Thinker(Protocol):
    """Creates agents and asks them. While a game is in progress, it gets only the private views of seats."""

    def check(self, spec: str, game: str) -> None:
        """Check that an untrusted spec names an agent of the game; raise ValueError otherwise."""

    async def prepare(self, kind: Kind, spec: str, view: View, told: Callable[[Count], object]) -> None:
        """Compile or load what an agent needs for games with the view's setup, without a time limit.

        While something is compiled, ``told`` is called on the event loop with the progress.
        """

    async def rest(self) -> None:
        """Release what was used to prepare agents ahead; called when all of them are prepared."""

    async def act(self, spec: str, view: View, seed: int) -> int:
        """Return the id of the agent's action; raise `ThinkingError` if it chooses none in time."""
        ...

    async def hint(self, spec: str, view: View, seed: int) -> Hint:
        """Return the agent's hint; raise `ThinkingError` if it gives none in time."""
        ...

    async def review(self, rules: Rules, record: Record, on_part: Callable[[ReviewPart], object]) -> Reviewed:
        """Return a review of a finished game; raise `ThinkingError` if it is not done in time.

        Meanwhile ``on_part`` is called on the event loop with the progress.
        """
        ...


@dataclass(frozen=True)
class Field:
    """A setting of a setup that the page lets the player choose.

    Attributes:
        name: name of the setting.
        label: its label on the page.
        choices: the values to choose from, the default first.
    """

    name: str
    label: str
    choices: tuple[Any, ...]


@dataclass(frozen=True)
class SetupOffer:
    """A setup that can be chosen.

    Attributes:
        name: name of the setup, such as ``2+1``.
        settings: its settings.
    """

    name: str
    settings: Mapping[str, Any]


class AgentOffer(NamedTuple):
    """An agent that can be chosen.

    Attributes:
        spec: the agent spec.
        about: a sentence about the agent.
        level: strength from 1 to 5; None if it has not been measured, or the agent is for experts.
    """

    spec: str
    about: str = ""
    level: int | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the offer as plain JSON, with a ``name`` for the page, capitalised if the agent has a level."""
        name = self.spec.replace("-", " ") if self.level else self.spec
        return {**self._asdict(), "name": name[:1].upper() + name[1:] if self.level else name}


@dataclass(frozen=True)
class GameOffer:
    """A game that can be played on the server.

    Attributes:
        game: name of the game.
        setups: one or more setups, the default first.
        fields: settings that are chosen separately from the setup.
        agents: agents that can be chosen for a seat.
        opponent: agent spec of opponents by default.
        adviser: agent spec that is asked for hints by default.
    """

    game: str
    setups: Sequence[SetupOffer] = (SetupOffer("default", {}),)
    fields: Sequence[Field] = ()
    agents: Sequence[AgentOffer] = (AgentOffer("random"),)
    opponent: str = "random"
    adviser: str = "random"

    def settings(self, setup: str, chosen: Mapping[str, Any]) -> dict[str, Any]:
        """Return the settings of a setup together with the values chosen for fields.

        Raises:
            ValueError: if a setup, field or value is not offered; the message lists those that are.
        """
        setups = {one.name: one for one in self.setups}
        if setup not in setups:
            raise ValueError(f"there is no setup {setup!r}; the setups are {', '.join(setups)}")
        fields = {one.name: one for one in self.fields}
        for name, value in chosen.items():
            if name not in fields:
                raise ValueError(f"there is no setting {name!r}; there are {', '.join(fields) or 'none'}")
            if not any(value == choice and type(value) is type(choice) for choice in fields[name].choices):
                there = ", ".join(map(repr, fields[name].choices))
                raise ValueError(f"{name} is one of {there}, not {value!r}")
        return {**setups[setup].settings, **chosen}

    @property
    def levels(self) -> dict[str, int]:
        """The level of each agent that has one, by agent spec."""
        return {one.spec: one.level for one in self.agents if one.level}

    def rivals(self, number: int) -> list[str]:
        """Return ``number`` default agent specs for the opponents of a person; they repeat only if there are too few.

        The default opponent comes first, then agents in order of the distance of their level from its level; of two at
        the same distance, the weaker first.
        """
        levels = self.levels
        own = levels.pop(self.opponent, None)
        if own is None:
            return [self.opponent] * number
        others = sorted(levels, key=lambda spec: (abs(levels[spec] - own), levels[spec], spec))
        return [*([self.opponent, *others] * number)[:number]]

    def default_setup(self) -> Setup:
        """Return the setup that is offered first, which is the default."""
        return spec_of(self.game).make_setup(**self.setups[0].settings)

    def stronger(self, spec: str) -> AgentOffer | None:
        """Return an agent of the next higher level; None if there is none, or ``spec`` has no level."""
        own = self.levels.get(spec)
        above = [one for one in self.agents if own and one.level and one.level > own]
        return min(above, key=lambda one: one.level or 0, default=None)

    def as_json(self) -> dict[str, Any]:
        """Return the offer as plain JSON, with the texts of the page and each setup's number of players."""
        spec, terminal = spec_of(self.game), text_interface_of(self.game)
        setups = [spec.make_setup(**one.settings) for one in self.setups]
        return {
            "game": self.game,
            "title": spec.title,
            "sentence": terminal.sentence or " ".join(terminal.aim),
            "minutes": terminal.minutes,
            "setups": [
                {
                    "name": one.name,
                    "label": terminal.setup_in_words(setup) or one.name,
                    "num_players": setup.num_players,
                }
                for one, setup in zip(self.setups, setups, strict=True)
            ],
            "fields": [{"name": one.name, "label": one.label, "choices": list(one.choices)} for one in self.fields],
            "agents": [one.as_json() for one in self.agents],
            "opponent": self.opponent,
            "rivals": self.rivals(max(setup.num_players for setup in setups) - 1),
            "adviser": self.adviser,
        }
