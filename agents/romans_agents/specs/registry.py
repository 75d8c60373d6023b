"""From an agent spec to an agent: ``random``, ``runs/first/policy.npz``, ``my_bot.py:MyBot``, ``name:option=value``."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, NamedTuple, cast

from romans_agents.base import Agent
from romans_agents.errors import UnknownAgentError
from romans_agents.permission import Files, allowing
from romans_agents.policies.policy import Policy, PolicyAgent
from romans_agents.policies.policy_file import PolicyFileError
from romans_agents.specs import from_file
from romans_env.core.games import DEFAULT_GAME, spec_of
from romans_env.core.games import names as games
from romans_env.errors import did_you_mean, error_line, is_control_character, shortened

Factory = Callable[..., Agent]

NO_AGENTS: dict[str, Factory] = {}
"""Those of a game that has none of its own."""
LONGEST_SPEC = 4096
"""Characters of an agent spec; as long as a path may be."""

_FACTORIES: dict[tuple[str | None, str], Factory] = {}
"""By game and name; agents that play every game have no game."""


class Named(NamedTuple):
    """What an agent spec names.

    Attributes:
        spec: the agent spec; of a policy file with the name of the agent that plays it.
        name: of the agent.
        factory: makes it; of a class in a file, the class.
        options: those of the spec, as text.
        in_file: where the class is; None for a registered agent.
    """

    spec: str
    name: str
    factory: Factory
    options: str
    in_file: from_file.FileText | None = None


def register(name: str, factory: Factory, game: str | None = None) -> None:
    """Make ``name`` an agent spec that `make` understands.

    Args:
        name: letters, digits, ``-`` and ``_``.
        factory: called with the options of the spec as keyword arguments; its signature is the list of options. Its
            ``earlier_name``, if it has one, is what an earlier version called the agent; messages translate it.
        game: the game that the agent plays; None for one that plays every game.
    """
    _FACTORIES[game, name] = factory


def names(game: str = DEFAULT_GAME) -> list[str]:
    """Return the names of the agents that play a game, sorted.

    Raises:
        ValueError: there is no such game.
    """
    return sorted(_factories(game))


def make(spec: str, files: Files = "code", game: str = DEFAULT_GAME) -> Agent:
    """Create the agent that a spec names.

    Args:
        spec: a name with options (``name`` or ``name:option=value,option=value``), the path of a policy file
            (``something.npz``), or a class in a file of one's own with options (``my_bot.py:MyBot`` or
            ``my_bot.py:MyBot:option=value,option=value``; see `romans_agents.specs.from_file`).
        files: what the spec, and every spec within it, may load: ``"code"`` (policy files and Python files, which run
            with the rights of the user), ``"policies"`` (policy files alone), or ``"none"`` (registered names alone).
            Give less than ``"code"`` for a spec that comes out of a file.
        game: the game that it shall play.

    Raises:
        UnknownAgentError: an unknown name, option or value, saying what there is; a file or class that is not there or
            cannot be used, or may not be loaded (`romans_agents.permission.FileNotAllowedError`); a control character;
            a policy of another game.
        romans_agents.policies.policy.PolicyFileError: a policy file that cannot be read.
        ValueError: there is no such permission or game.
    """
    with allowing(files):
        found = named(spec, game)
        agent = _made(found, game)
    if isinstance(agent, PolicyAgent) and agent.policy.game != game:
        raise UnknownAgentError(f"{shortened(found.spec)} plays {agent.policy.game}, not {game}")
    agent.name = agent.made_from = found.spec
    return agent


def spelled(spec: str, game: str = DEFAULT_GAME) -> str:
    """Return the plain spelling of a spec of a registered agent; a spec of another form is returned as it is.

    Numbers are as Python writes them, and options at their defaults are left out. Options keep their order.

    Raises:
        UnknownAgentError: as for `make`, of the options.
    """
    name, _, rest = spec.partition(":")
    if name not in _factories(game):
        return spec
    factory = named(spec, game).factory
    parameters, options = parameters_of(name, factory), _options(name, factory, rest, game)
    parts = []
    for part, (key, value) in zip(filter(None, rest.split(",")), options.items(), strict=True):
        if value != parameters[key].default:
            text = spelled(value, game) if isinstance(value, str) else str(value).lower().removesuffix(".0")
            parts.append(f"{key}={text}" if part.startswith(f"{key}=") else text)
    return f"{name}:{','.join(parts)}" if parts else name


def as_agent(opponent: str | Agent, game: str) -> Agent:
    """Return the agent that an opponent is or names.

    Raises:
        TypeError: the opponent is neither an agent nor a spec.
        UnknownAgentError: a spec that names no agent.
    """
    if isinstance(opponent, Agent):
        return opponent
    if isinstance(opponent, str):
        return make(opponent, game=game)
    hint = ": give an object of that class, not the class" if isinstance(opponent, type) else ""
    raise TypeError(f"an opponent is an agent spec or a romans_agents.Agent, not {opponent!r}{hint}")


def named(spec: str, game: str = DEFAULT_GAME) -> Named:
    """Return what a spec names.

    Raises:
        UnknownAgentError: as for `make`, of the name, the file and the class.
        ValueError: no such game.
    """
    _check_characters(spec)
    name, _, options = spec.partition(":")
    factories, in_file = _factories(game), from_file.parts_of(spec)
    if name in factories:
        return Named(spec, name, factories[name], options)
    if in_file is not None:
        return Named(spec, in_file.name, from_file.load_class(in_file), in_file.options, in_file)
    if spec.endswith(".npz"):
        return Named(f"{PolicyAgent.name}:{spec}", PolicyAgent.name, PolicyAgent, spec)
    others = [other for other in games() if other != game and name in _factories(other)]
    hint = f" (it plays {others[0]})" if others else _renamed(name, game) or did_you_mean(name, factories)
    raise UnknownAgentError(
        f"unknown agent {shortened(spec)}{hint}; there are {', '.join(names(game))}, or give the path of a policy file "
        "(.npz) or a class (my_bot.py:MyBot)"
    )


def _factories(game: str) -> dict[str, Factory]:
    """Return the agents that play a game, by name: those of every game, the game's, and those registered for it."""
    found = {name: factory for (played, name), factory in _FACTORIES.items() if played is None}
    of_game = {name: factory for (played, name), factory in _FACTORIES.items() if played == game}
    return {**found, **cast("dict[str, Factory]", spec_of(game).part("agents")), **of_game}


def _made(found: Named, game: str) -> Agent:
    options = _options(found.name, found.factory, found.options, game)
    if found.in_file is not None:
        return from_file.made(found.in_file, found.factory, options)
    try:
        return found.factory(**options)
    except (UnknownAgentError, PolicyFileError):
        raise
    except (ValueError, OverflowError, MemoryError) as error:
        raise UnknownAgentError(f"agent {found.name!r}: {error}") from None


def _renamed(name: str, game: str) -> str:
    """Return a hint at the agent of a game that an earlier version called ``name``; empty where there is none."""
    now = [one for one, factory in _factories(game).items() if getattr(factory, "earlier_name", None) == name]
    return f" (what was once called {name} is {now[0]})" if now else ""


def _check_characters(spec: Any) -> None:
    """Refuse what is no string, and characters that would be read in one place and not in another."""
    if not isinstance(spec, str):
        raise UnknownAgentError(f"an agent is named by a text, such as 'greedy', not by {shortened(spec)}")
    if len(spec) > LONGEST_SPEC:
        raise UnknownAgentError(f"an agent spec has at most {LONGEST_SPEC} characters, not {len(spec)}")
    wrong = [character for character in spec if is_control_character(character)]
    if wrong:
        raise UnknownAgentError(
            f"the agent spec {shortened(spec)} has the control character {wrong[0]!r}: leave it out"
        )


def policy_of(spec: str, files: Files = "code", game: str = DEFAULT_GAME) -> Policy:
    """Return the network of the trained agent that a spec names: of a policy file, or of an agent such as ``legate``.

    Args:
        spec: an agent spec.
        files: what may be loaded, as for `make`.
        game: the game that the agent plays.

    Raises:
        UnknownAgentError: as for `make`, or an agent without a network.
        romans_agents.policies.policy.PolicyFileError: a policy file that cannot be read.
    """
    agent = make(spec, files, game)
    if not isinstance(agent, PolicyAgent):
        raise UnknownAgentError(
            f"{shortened(spec)} has no network: name a policy file (.npz) or a trained agent (legate, quaestor)"
        )
    return agent.policy


def _options(name: str, factory: Factory, rest: str, game: str) -> dict[str, Any]:
    """Return ``a=1,b=x`` as keyword arguments of the types the factory's signature names.

    A first part without ``=`` is the factory's first parameter; so is one like ``a/b=c``, with no name before ``=``.
    """
    parameters = parameters_of(name, factory)
    options: dict[str, Any] = {}
    for position, part in enumerate(part for part in rest.split(",") if part):
        key, equals, value = part.partition("=")
        if position == 0 and parameters and not (equals and key.isidentifier()):
            key, value = next(iter(parameters)), part
        elif not equals or key not in parameters:
            there = ", ".join(parameters) or "none"
            hint = did_you_mean(key, parameters) or _renamed(name, game)
            raise UnknownAgentError(f"agent {name!r} has no option {shortened(part)}{hint}; its options: {there}")
        if key in options:
            raise UnknownAgentError(f"agent {name!r}: the option {key!r} is given twice")
        kind, default = parameters[key].annotation, parameters[key].default
        options[key] = _converted(name, key, value, type(default) if kind is inspect.Parameter.empty else kind)
    for key, parameter in parameters.items():
        if parameter.default is parameter.empty and key not in options:
            raise UnknownAgentError(f"agent {name!r} needs the option {key!r}, as in '{name}:{key}=...'")
    return options


def parameters_of(name: str, factory: Factory) -> dict[str, inspect.Parameter]:
    """Return the options of an agent: the parameters that `factory` takes by name.

    Raises:
        UnknownAgentError: a signature that cannot be read; ``name`` says whose.
    """
    try:
        parameters = inspect.signature(factory, eval_str=True).parameters
    except Exception as error:  # annotations are code, and may fail in any way
        raise UnknownAgentError(f"agent {name!r}: cannot read its options: {error_line(error)}") from error
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return {key: parameter for key, parameter in parameters.items() if parameter.kind in kinds}


def _converted(name: str, key: str, value: str, annotation: Any) -> Any:
    if annotation in (bool, bool | None):
        if value.lower() in ("true", "false"):
            return value.lower() == "true"
        raise UnknownAgentError(f"agent {name!r}: {key} is true or false, not {shortened(value)}")
    for kind in (int, float):
        if annotation in (kind, kind | None):
            try:
                return kind(value)
            except ValueError:
                raise UnknownAgentError(f"agent {name!r}: {key} is a number, not {shortened(value)}") from None
    return value
