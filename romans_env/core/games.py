"""The registry of games. A game is one line here, and one folder in each layer that it needs.

Parts of a game are named by strings (``"module:attribute"``) and imported on first use, so that no layer imports a
layer above it.
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
    """The description of a game: its names, its rules, and its optional parts.

    A part is a string (``"module:attribute"`` or ``"module"``) or the object itself, as in a game that is a single
    file.

    Attributes:
        name: for ``--game``, records and policy files, such as ``"romans-go-home"``.
        title: for windows and pages, such as ``"Romans Go Home!"``.
        rules: the class of its `romans_env.core.protocol.Rules`; a setup is its only argument.
        env_id: the id of its environments in Gymnasium and PettingZoo, such as ``"RomansGoHome-v0"``; None registers
            none.
        env_module: the name of a module with ``env`` and ``raw_env``; None for the environment of every game.
        setup: a callable that takes settings and returns a setup, such as the setup's class, for rules that take long
            to import; None if the rules make the setup.
        step: the module of its step functions, for which loops are compiled (`romans_env.compiling`); None if loops
            call the rules in Python.
        renderer: a `romans_env.render.renderer.Renderer`; by default positions are shown as text.
        open_spiel: a `romans_env.envs.open_spiel_parts.OpenSpielPart`; by default chance nodes are the game's chance
            events, and an information state is the sequence of a seat's observations.
        agents: a mapping from names to factories of its own agents; by default only the agents for every game play it.
        players: the module of its compiled agents, a `romans_env.core.parts.Players`; by default only `random` is
            compiled.
        evaluator: the module of its `romans_env.core.parts.Evaluator`, for searches; None for even priors and random
            rollouts.
        best_responder: a callable that takes an agent, the rules and a compute budget (``"full"`` or ``"light"``) and
            returns a best response to the agent on all other seats; None if ``romans exploit`` can only learn one.
        control_variates: a callable that takes the rules, the agents of every game by seat, a seed and the games'
            chance words, and returns a `romans_env.core.parts.ControlVariates`, such as
            `romans_agents.variates.chance_variates.ChanceVariates`; None if there is no variance reduction.
        reviewer: the spec of the agent that judges decisions in a review, a
            `romans_agents.searches.comparison.Comparing`.
        luck: a callable that takes a game with its history and a seed, and returns a list of
            `romans_agents.variates.luck.Luck`, the luck in its chance events; None if it is not measured.
        text_env: the class of its text environments, a `romans_agents.external.text_env.TextEnv`.
        default_opponent: the spec of the agent that people and assistants play against.
        default_pool: the default opponents of environments: agent specs from weak to strong, from which each opponent
            of each game is sampled; by default the default opponent alone.
        default_players: the number of players if neither it nor the opponents are given.
        training: defaults of ``romans train`` for this game that differ from
            `romans_training.learn.config.TrainConfig`, such as the opponent pool.
        command_line: its command-line options, a `romans_training.cli.setup_options.SetupOptions`; by default settings
            are given as ``--setup NAME=VALUE``.
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
        """The value of ``format`` in the game's records, such as ``"roma/1"``."""
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
        """Return a part, imported if it is named by a string; None if the game does not have it.

        Parts whose type belongs to a higher layer are typed `Any` here; functions of that layer, such as
        `romans_env.render.renderer.renderer_of`, return them typed.
        """
        where = getattr(self, name)
        return imported(where) if isinstance(where, str) else where

    def make_rules(self, **settings: Any) -> Rules:
        """Return the rules with a setup of these settings.

        Raises:
            ValueError: if a setting does not exist or has an invalid value.
        """
        check_settings(settings, self.setting_names())
        return self.part("rules").from_settings(**settings)

    def make_setup(self, **settings: Any) -> Setup:
        """Return a setup of these settings; faster than `make_rules` if the rules are slow to import.

        Raises:
            ValueError: if a setting does not exist or has an invalid value.
        """
        setup = self.part("setup")
        if setup is None:
            return cast(Setup, self.make_rules(**settings).setup)
        check_settings(settings, self.setting_names())
        return setup(**settings)

    def setting_names(self) -> list[str]:
        """Return the names of the game's settings."""
        return names_of_settings(self.part("setup") or self.part("rules").from_settings)


_SPECS: dict[str, str | GameSpec] = {
    "romans-go-home": "romans_env.romans_go_home.spec:SPEC",
    "roma": "romans_env.roma.spec:SPEC",
    "struggle": "romans_env.struggle.spec:SPEC",
}
DEFAULT_GAME = "romans-go-home"
_OF_FAMILIES: dict[str, GameSpec] = {}
"""The games of families, by name, as far as `spec_of` was asked for them."""


def register(spec: GameSpec) -> None:
    """Register a game under its name; `romans_env.register` registers its environments, too."""
    _SPECS[spec.name] = spec


def register_later(name: str, where: str) -> None:
    """Register a game whose spec is imported on first use, unless the name is taken.

    Args:
        name: the name of the game.
        where: the place of its spec, ``"module:attribute"``.
    """
    _SPECS.setdefault(name, where)


def unregister(name: str) -> None:
    """Remove a game from the registry; its environments stay registered.

    Raises:
        ValueError: if there is no such game; the message lists the games.
    """
    spec_of(name)
    del _SPECS[name]


def rules_of(game: Rules | Setup | str) -> Rules:
    """Return the rules for a setup, or for a game's name with its default setup; rules are returned as they are."""
    if isinstance(game, str):
        return spec_of(game).make_rules()
    if hasattr(game, "new_states"):
        return cast(Rules, game)
    setup: Any = game
    return spec_of(setup.game).part("rules")(setup)


def names() -> list[str]:
    """Return the names of the registered games, sorted."""
    return sorted(_SPECS)


def there_are(known: Iterable[str]) -> str:
    """Return the end of an error about an unknown game: the known ones, and how to name one's own."""
    return f"there are {', '.join(known)}; one of your own is named by its file, --game FILE.py:SPEC"


def spec_of(name: str) -> GameSpec:
    """Return the spec of a game.

    Args:
        name: the name of a game, or ``FAMILY:GAME`` for a game of a family, such as ``"openspiel:kuhn_poker"``. Several
            texts may name the same game of a family; the spec has its canonical name.

    Raises:
        ValueError: if there is no such game; the message lists the games.
    """
    if isinstance(name, str) and ":" in name and name not in _SPECS:
        return _of_family(name)
    if not isinstance(name, str) or name not in _SPECS:
        raise ValueError(f"unknown game {shortened(name)}{did_you_mean(name, names())}; {there_are(names())}")
    found = _SPECS[name]
    spec: GameSpec = imported(found) if isinstance(found, str) else found
    return spec


def _of_family(name: str) -> GameSpec:
    """Return a game of a family, made by the family's ``game_of`` from the text after the colon.

    A family is a subpackage of ``romans_env`` with a module ``family``. Names come from untrusted records, too, so they
    must not be able to import anything else.
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
    except ModuleNotFoundError:  # its parent package does not exist
        return False


@functools.cache
def imported(where: str) -> Any:
    """Import and return the object that ``"module:attribute"`` or ``"module"`` names."""
    name, _, attribute = where.partition(":")
    module = importlib.import_module(name)
    return getattr(module, attribute) if attribute else module
