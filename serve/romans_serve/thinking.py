"""The interface by which a server asks agents for actions, hints and reviews, and the games and agents it offers."""

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
"""The purpose for which an agent is prepared. ``ahead`` prepares it before anyone needs it. Games wait for ``act``, but
not for the other kinds."""


class ThinkingError(Exception):
    """An agent failed, chose no legal action, or took too long; the one-line message says which of these happened."""


class Hint(NamedTuple):
    """An agent's opinion on a decision.

    Attributes:
        agent: spec of the agent that gives the hint.
        probabilities: probability of each action, by the action's name.
        value: expected return of the seat to act, in [-1, 1]; None if the agent has no value estimate.
    """

    agent: str
    probabilities: dict[str, float]
    value: float | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the hint as plain JSON, with the likeliest action first."""
        ranked = sorted(self.probabilities.items(), key=lambda item: -item[1])
        value = None if self.value is None else round(self.value, 3)
        return {"agent": self.agent, "probabilities": {name: round(share, 4) for name, share in ranked}, "value": value}


class Reviewed(NamedTuple):
    """A review of a finished game.

    Attributes:
        page: the replay page with the review, as HTML.
        sentences: sentences about the game as a whole.
        totals: total figures for each player's choices and luck, by player.
        mistakes: the mistakes, costliest first, in the form of `romans_training.compare.review_words.mistake_as_json`.
    """

    page: str
    sentences: list[str]
    totals: dict[str, dict[str, float | None]]
    mistakes: list[dict[str, Any]]


class ReviewPart(NamedTuple):
    """A report on the progress of a review.

    Attributes:
        share: share of the review that is done, from 0 to 1.
        mistake: a mistake that was just found, in the form of `Reviewed.mistakes`; None if none was found.
    """

    share: float
    mistake: dict[str, Any] | None = None


class Count(NamedTuple):
    """The progress of compilation.

    Attributes:
        ready: number of functions that are already compiled or loaded.
        of: number of functions that are needed in total; None if unknown.
    """

    ready: int
    of: int | None


class Thinker(Protocol):
    """An object that creates agents and asks them for decisions.

    While a game is in progress, a thinker gets only the private views of seats.
    """

    def check(self, spec: str, game: str) -> None:
        """Check that an untrusted spec names an agent of the game; raise ValueError otherwise."""

    async def prepare(self, kind: Kind, spec: str, view: View, told: Callable[[Count], object]) -> None:
        """Compile or load the functions that an agent needs for games with the view's setup, without a time limit.

        While functions are compiled, ``told`` is called on the event loop with the progress.
        """

    async def rest(self) -> None:
        """Release the resources for preparing agents ahead; called when all agents are prepared."""

    async def act(self, spec: str, view: View, seed: int) -> int:
        """Return the id of the agent's action; raise `ThinkingError` if the agent chooses no action in time."""
        ...

    async def hint(self, spec: str, view: View, seed: int) -> Hint:
        """Return the agent's hint; raise `ThinkingError` if the agent gives no hint in time."""
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
        label: label of the setting on the page.
        choices: the values to choose from, the default first.
    """

    name: str
    label: str
    choices: tuple[Any, ...]


@dataclass(frozen=True)
class SetupOffer:
    """A setup that a player can choose for a new game.

    Attributes:
        name: name of the setup, such as ``2+1``.
        settings: settings of the setup, by name.
    """

    name: str
    settings: Mapping[str, Any]


class AgentOffer(NamedTuple):
    """An agent that a player can choose for a seat.

    Attributes:
        spec: the agent spec.
        about: a sentence that describes the agent.
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
        setups: setups to choose from, at least one; the first is the default.
        fields: settings that the player chooses separately from the setup.
        agents: agents that can be chosen for a seat.
        opponent: agent spec of the default opponent.
        adviser: agent spec of the agent that gives hints by default.
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
            ValueError: if a setup, field or value is not offered; the message lists the offered ones.
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
        """Return ``number`` agent specs for the opponents of a person, without repetition if there are enough agents.

        The default opponent comes first. The others follow by the distance of their level from its level, the nearest
        first; of two agents at the same distance, the weaker comes first.
        """
        levels = self.levels
        own = levels.pop(self.opponent, None)
        if own is None:
            return [self.opponent] * number
        others = sorted(levels, key=lambda spec: (abs(levels[spec] - own), levels[spec], spec))
        return [*([self.opponent, *others] * number)[:number]]

    def default_setup(self) -> Setup:
        """Return the default setup, which is the first of ``setups``."""
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
