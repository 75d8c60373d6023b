"""Who decides for seats without a person, and gives hints; and what a server offers to play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol

from romans_env.core.game import View
from romans_env.core.games import spec_of
from romans_env.core.protocol import Rules, Setup
from romans_env.core.records import Record
from romans_env.render.text_interface import text_interface_of

Kind = Literal["act", "hint", "review"]
"""What an agent is asked for. Games do not wait for those who ask for a hint, or for a review."""


class ThinkingError(Exception):
    """An agent that failed, gave no legal action, or took too long; one line says which."""


class Hint(NamedTuple):
    """What an agent would do.

    Attributes:
        agent: its agent spec.
        probabilities: by name, how likely it is to choose each action.
        value: the return that it expects for the seat to act, in [-1, 1]; None where it does not say.
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
    """A review of a game that is over.

    Attributes:
        page: the replay page with it, as HTML.
        sentences: what there is to say of the game as a whole.
        totals: by player, figures of its choices and luck.
    """

    page: str
    sentences: list[str]
    totals: dict[str, dict[str, float | None]]


class Thinker(Protocol):
    """Makes agents, and asks them. Of a game that runs it is handed views alone."""

    def check(self, spec: str, game: str) -> None:
        """Check that a spec that anybody may have typed names an agent of the game; raise ValueError otherwise."""

    async def prepare(self, kind: Kind, spec: str, view: View) -> None:
        """Compile, or load, what the agent needs in games as the view's, where it is asked; however long that takes."""

    async def act(self, spec: str, view: View, seed: int) -> int:
        """Return the agent's action; raise `ThinkingError` if it gives none in time."""
        ...

    async def hint(self, spec: str, view: View, seed: int) -> Hint:
        """Return what the agent would do; raise `ThinkingError` if it does not say in time."""
        ...

    async def review(self, rules: Rules, record: Record) -> Reviewed:
        """Return a review of a game that is over; raise `ThinkingError` if there is none in time."""
        ...


@dataclass(frozen=True)
class Field:
    """A setting of a setup that the page asks for.

    Attributes:
        name: the setting.
        label: on the page.
        choices: the values that may be chosen, the default first.
    """

    name: str
    label: str
    choices: tuple[Any, ...]


@dataclass(frozen=True)
class SetupOffer:
    """A setup that can be chosen.

    Attributes:
        name: such as ``2+1``.
        settings: of the game's setup.
    """

    name: str
    settings: Mapping[str, Any]


class AgentOffer(NamedTuple):
    """An agent that can be chosen.

    Attributes:
        spec: its agent spec.
        about: a sentence about it.
        level: how strong it is, from 1 to 5; None: nobody has measured it, or it is one for experts.
    """

    spec: str
    about: str = ""
    level: int | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the offer as plain JSON, with a name that begins with a capital."""
        name = self.spec.replace("-", " ") if self.level else self.spec
        return {**self._asdict(), "name": name[:1].upper() + name[1:] if self.level else name}


@dataclass(frozen=True)
class GameOffer:
    """A game that can be played on the server.

    Attributes:
        game: its name.
        setups: one or more, the default first.
        fields: settings that are chosen beside the setup.
        agents: what may be chosen for a seat.
        opponent: the agent spec that opponents have by default.
        adviser: the agent spec that is asked for hints by default.
    """

    game: str
    setups: Sequence[SetupOffer] = (SetupOffer("default", {}),)
    fields: Sequence[Field] = ()
    agents: Sequence[AgentOffer] = (AgentOffer("random"),)
    opponent: str = "random"
    adviser: str = "random"

    def settings(self, setup: str, chosen: Mapping[str, Any]) -> dict[str, Any]:
        """Return the settings of a setup and of fields, none of which may have a value that is not offered.

        Raises:
            ValueError: a value that is not offered; the message says which are.
        """
        setups = {one.name: one for one in self.setups}
        if setup not in setups:
            raise ValueError(f"there is no setup {setup!r}; there are {', '.join(setups)}")
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
        """How strong agents are, by agent spec; only those that were measured."""
        return {one.spec: one.level for one in self.agents if one.level}

    def rivals(self, number: int) -> list[str]:
        """Return the agent specs that seats beside a person have by default: different ones, as far as there are.

        After the default opponent come those whose level is nearest to its own, the weaker first.
        """
        levels = self.levels
        own = levels.pop(self.opponent, None)
        if own is None:
            return [self.opponent] * number
        others = sorted(levels, key=lambda spec: (abs(levels[spec] - own), levels[spec], spec))
        return [*([self.opponent, *others] * number)[:number]]

    def default_setup(self) -> Setup:
        """Return the setup that is offered first."""
        return spec_of(self.game).make_setup(**self.setups[0].settings)

    def stronger(self, spec: str) -> AgentOffer | None:
        """Return the agent of the next level above an agent's; None where there is none, or nobody has measured it."""
        own = self.levels.get(spec)
        above = [one for one in self.agents if own and one.level and one.level > own]
        return min(above, key=lambda one: one.level or 0, default=None)

    def as_json(self) -> dict[str, Any]:
        """Return the offer as plain JSON, with what the page says of the game and each setup's number of players."""
        spec, terminal = spec_of(self.game), text_interface_of(self.game)
        setups = [spec.make_setup(**one.settings) for one in self.setups]
        return {
            "game": self.game,
            "title": spec.title,
            "sentence": terminal.sentence or " ".join(terminal.aim),
            "minutes": terminal.minutes,
            "setups": [
                {"name": one.name, "label": terminal.setup(setup), "num_players": setup.num_players}
                for one, setup in zip(self.setups, setups, strict=True)
            ],
            "fields": [{"name": one.name, "label": one.label, "choices": list(one.choices)} for one in self.fields],
            "agents": [one.as_json() for one in self.agents],
            "opponent": self.opponent,
            "rivals": self.rivals(max(setup.num_players for setup in setups) - 1),
            "adviser": self.adviser,
        }
