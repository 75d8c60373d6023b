"""The games of the library. A game is one line here, and a folder for each layer that it needs.

Parts of a game are named by strings (``"module:attribute"``) and imported when they are asked for: no layer imports
one above it.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, cast, overload

from romans_env.core.protocol import Rules, Setup
from romans_env.core.unknown_settings import check_settings, names_of_settings
from romans_env.engine.step_functions import StepFunctions
from romans_env.errors import did_you_mean, shortened

if TYPE_CHECKING:
    from romans_env.core.parts import (
        AgentLike,
        ControlVariates,
        Evaluator,
        Players,
    )


@dataclass(frozen=True)
class GameSpec:
    """What the library knows of a game.

    A part is named by a string (``"module:attribute"``, or ``"module"``), or is the object itself: that is how a game
    in a file of its own has it.

    Attributes:
        name: for instance ``"romans-go-home"``; ``--game`` takes it, and records and policy files hold it.
        title: for instance ``"Romans Go Home!"``, for windows and pages.
        rules: a class, called with a setup, that is a `romans_env.core.protocol.Rules`; it
            has ``from_settings(num_players=None, **settings)`` and ``from_json(setup)``, which make one.
        env_id: gymnasium's id of the environments, such as ``"RomansGoHome-v0"``; None: they are not registered.
        env_module: the name of a module with ``env`` and ``raw_env``; None: those that every game has.
        setup: what is called with settings and makes a setup, such as its class, where the rules take long to
            import; None: the rules make it.
        step: the module of step functions, for which loop templates are compiled (`romans_env.compiling`); None: the
            rules are called, one game at a time.
        renderer: a `romans_env.render.renderer.Renderer`; by default the position is shown as text.
        open_spiel: a `romans_env.envs.open_spiel_parts.OpenSpielPart`; by default chance nodes are the chance events
            in play, and an information state is the sequence of a seat's observations.
        agents: a mapping from names to factories; by default the agents that play every game alone.
        players: the module of the compiled agents, as `romans_agents.loops.agent_loops` asks for them; by default
            `random` alone is compiled.
        evaluator: the module of what searches take for granted, as `romans_agents.loops.search_loops` asks for it;
            None: even priors and random rollouts.
        best_responder: what is called with an agent, the rules and an effort (full or light), and makes a best
            response to it on all other seats; None: ``romans exploit`` learns a response only.
        control_variates: what is called with the rules, the agents of every game by seat, a seed and the games'
            chance words, and makes a `romans_env.core.parts.ControlVariates`, such as
            `romans_agents.variates.chance_variates.ChanceVariates`; None: intervals are not narrowed.
        reviewer: the spec of the agent that judges the decisions of a game, a
            `romans_agents.searches.comparison.Comparing`.
        luck: what is called with a game, with its past, and a seed, and gives the luck of its chance events, a list
            of `romans_agents.variates.luck.Luck`; None: it is not known.
        text_env: the class of its text environments, a `romans_agents.external.text_env.TextEnv`.
        default_opponent: the spec of the agent that people and assistants play against.
        default_pool: agent specs from weak to strong, from which every opponent of every game is sampled where an
            environment is given none; by default the default opponent alone.
        default_players: players of a game for which neither their number nor opponents are given.
        training: defaults of ``romans train`` for the game, such as the pool of opponents, where they are not those of
            `romans_training.learn.config.TrainConfig`.
        command_line: the game's options for its setup, a `romans_training.cli.setup_options.SetupOptions`; by
            default its settings are given as ``--setup NAME=VALUE``.
    """

    name: str
    title: str
    rules: str | type[Rules]
    setup: str | Callable[..., Setup] | None = None
    step: str | StepFunctions | None = None
    renderer: str | Any = "romans_env.render.plain:RENDERER"
    env_id: str | None = None
    env_module: str | None = None
    open_spiel: str | Any = "romans_env.envs.open_spiel_parts:PART"
    agents: str | Mapping[str, Callable[..., AgentLike]] = "romans_agents.specs.registry:NO_AGENTS"
    players: str | Players = "romans_agents.loops.no_players"
    evaluator: str | Evaluator | None = None
    best_responder: str | Callable[..., Any] | None = None
    control_variates: str | Callable[..., ControlVariates] | None = None
    reviewer: str = "flat-mc"
    luck: str | Callable[..., Any] | None = None
    text_env: str | type[Any] = "romans_agents.external.text_env:TextEnv"
    default_opponent: str = "random"
    default_pool: tuple[str, ...] = ()
    default_players: int = 2
    training: Mapping[str, Any] = field(default_factory=dict)
    command_line: str | Any = "romans_training.cli.setup_options:NO_OPTIONS"

    @property
    def record_format(self) -> str:
        """The format that the game's records name."""
        return f"{self.name}/1"

    @overload
    def part(self, name: Literal["rules"]) -> type[Rules]: ...
    @overload
    def part(self, name: Literal["setup"]) -> Callable[..., Setup] | None: ...
    @overload
    def part(self, name: Literal["step"]) -> StepFunctions | None: ...
    @overload
    def part(self, name: Literal["players"]) -> Players: ...
    @overload
    def part(self, name: Literal["evaluator"]) -> Evaluator | None: ...
    @overload
    def part(self, name: Literal["agents"]) -> Mapping[str, Callable[..., AgentLike]]: ...
    @overload
    def part(self, name: Literal["best_responder"]) -> Callable[..., Any] | None: ...
    @overload
    def part(self, name: Literal["control_variates"]) -> Callable[..., ControlVariates] | None: ...
    @overload
    def part(self, name: Literal["renderer", "open_spiel", "luck", "text_env", "command_line"]) -> Any: ...
    def part(self, name: str) -> Any:
        """Return one of the parts, which is imported if it is named by a string; None where the game has none.

        A part whose type is `Any` here is of a type of a layer above, which the attributes name; that layer says so, as
        `romans_env.render.renderer.renderer_of` does.
        """
        where = getattr(self, name)
        return imported(where) if isinstance(where, str) else where

    def make_rules(self, **settings: Any) -> Rules:
        """Return the rules with a setup.

        Raises:
            ValueError: settings that the game does not have.
        """
        check_settings(settings, self.setting_names())
        return self.part("rules").from_settings(**settings)

    def make_setup(self, **settings: Any) -> Setup:
        """Return the setup alone, without its rules.

        Raises:
            ValueError: settings that the game does not have.
        """
        setup = self.part("setup")
        if setup is None:
            return cast(Setup, self.make_rules(**settings).setup)
        check_settings(settings, self.setting_names())
        return setup(**settings)

    def setting_names(self) -> list[str]:
        """Return the names of the settings of the setup."""
        return names_of_settings(self.part("setup") or self.part("rules").from_settings)


_SPECS: dict[str, str | GameSpec] = {
    "romans-go-home": "romans_env.romans_go_home.spec:SPEC",
    "roma": "romans_env.roma.spec:SPEC",
    "struggle": "romans_env.struggle.spec:SPEC",
}
DEFAULT_GAME = "romans-go-home"
_OF_FAMILIES: dict[str, GameSpec] = {}
"""Games of families that were asked for, by their names; `spec_of` finds them."""


def register(spec: GameSpec) -> None:
    """Make a game known under its name; `romans_env.register` has gymnasium and PettingZoo know it, too."""
    _SPECS[spec.name] = spec


def register_later(name: str, where: str) -> None:
    """Make a game known under its name, by ``"module:attribute"`` of its spec, unless there is one of that name."""
    _SPECS.setdefault(name, where)


def unregister(name: str) -> None:
    """Forget the game of a name; its environments stay registered.

    Raises:
        ValueError: no such game, saying which there are.
    """
    spec_of(name)
    del _SPECS[name]


def rules_of(game: Rules | Setup | str) -> Rules:
    """Return the rules of a setup, or of a game's name with its usual setup; rules are given back as they are."""
    if isinstance(game, str):
        return spec_of(game).make_rules()
    if hasattr(game, "new_states"):
        return cast(Rules, game)
    setup: Any = game
    return spec_of(setup.game).part("rules")(setup)


def names() -> list[str]:
    """Return the names of the games, sorted."""
    return sorted(_SPECS)


def there_are(known: Iterable[str]) -> str:
    """Return the end of an error about an unknown game: which there are, and how others become known."""
    return f"there are {', '.join(known)}; one of your own is named by its file, --game FILE.py:SPEC"


def spec_of(name: str) -> GameSpec:
    """Return the game of a name, or of a family: ``FAMILY:GAME``, which may have several names, and knows its own.

    Raises:
        ValueError: there is no such game; the message names those that there are.
    """
    if isinstance(name, str) and ":" in name and name not in _SPECS:
        return _of_family(name)
    if not isinstance(name, str) or name not in _SPECS:
        raise ValueError(f"unknown game {shortened(name)}{did_you_mean(name, names())}; {there_are(names())}")
    found = _SPECS[name]
    spec: GameSpec = imported(found) if isinstance(found, str) else found
    return spec


def _of_family(name: str) -> GameSpec:
    """Return a game of a family: what ``game_of`` makes of the text behind the colon.

    A family is a package of this one with a module ``family``: what a record of a stranger names imports nothing else.
    """
    if name not in _OF_FAMILIES:
        family, _, text = name.partition(":")
        module = f"romans_env.{family}.family"
        if not re.fullmatch("[a-z0-9]+", family) or not _has_module(module):
            raise ValueError(f"unknown game {shortened(name)}; {there_are(names())}")
        spec: GameSpec = imported(f"{module}:game_of")(text)
        _OF_FAMILIES[name] = spec
    return _OF_FAMILIES[name]


def _has_module(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:  # of the package around it
        return False


@functools.cache
def imported(where: str) -> Any:
    """Import and return what ``"module:attribute"`` or ``"module"`` names."""
    name, _, attribute = where.partition(":")
    module = importlib.import_module(name)
    return getattr(module, attribute) if attribute else module
