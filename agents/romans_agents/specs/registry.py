"""The registry, which creates agents from specs such as ``random``, ``name:option=value`` or ``my_bot.py:MyBot``."""

from __future__ import annotations

import copy
import functools
import inspect
import os
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from typing import Any, NamedTuple, cast

from romans_agents.base import Agent
from romans_agents.errors import UnknownAgentError
from romans_agents.permission import Files, allowing
from romans_agents.policies.policy import Policy, PolicyAgent
from romans_agents.policies.policy_file import PolicyFileError
from romans_agents.specs import from_file
from romans_agents.specs.adapted import adapted
from romans_env.core.games import DEFAULT_GAME, spec_of
from romans_env.core.games import names as games
from romans_env.core.python_files import FileText, parts_of
from romans_env.errors import did_you_mean, error_line, is_control_character, shortened

Factory = Callable[..., Agent]

NO_AGENTS: dict[str, Factory] = {}
"""The empty registry of a game that has no agents of its own."""
LONGEST_SPEC = 4096
"""The maximum length of an agent spec in characters, which is that of a path."""

_FACTORIES: dict[tuple[str | None, str], Factory] = {}
"""Factories by game and name; the game is None for agents that play every game."""
_naming = threading.Lock()


class Named(NamedTuple):
    """The parts of an agent spec, with the factory that it names.

    Attributes:
        spec: the agent spec. If it was the path of a policy file or a model, the name of the agent that plays such
            files has been put in front.
        name: the name of the agent.
        factory: a callable that creates the agent; for an agent in a Python file, its class.
        options: the options of the spec, as text.
        in_file: the path of the Python file and the name of the class in it; None for a registered agent.
    """

    spec: str
    name: str
    factory: Factory
    options: str
    in_file: FileText | None = None


def register(name: str, factory: Factory, game: str | None = None) -> None:
    """Register an agent under a name, which is then an agent spec that `make` understands.

    Args:
        name: the name, which may contain letters, digits, ``-`` and ``_``.
        factory: a callable that creates the agent. It is called with the options of the spec as keyword arguments, so
            the parameters in its signature are the agent's options. If it has an attribute ``earlier_name``, error
            messages refer users of that name to the new name.
        game: the game that the agent plays; None if it plays every game.
    """
    _FACTORIES[game, name] = factory


def names(game: str = DEFAULT_GAME) -> list[str]:
    """Return the names of the agents that play a game, sorted.

    Raises:
        ValueError: if there is no such game.
    """
    return sorted(_factories(game))


def make(spec: str, files: Files = "code", game: str = DEFAULT_GAME) -> Agent:
    """Create the agent that a spec names.

    Args:
        spec: one of the following:

            - a registered name, with or without options: ``name`` or ``name:option=value,option=value``;
            - the path of a policy file: ``something.npz``;
            - the path of a stable-baselines3 model: ``model.zip``;
            - a class in a Python file, with or without options: ``my_bot.py:MyBot`` or
              ``my_bot.py:MyBot:option=value,option=value``;
            - a function of a view in a Python file: ``my_bot.py:function``.

        files: the files that the spec, and every spec inside it, may load: ``"code"`` (policy files and Python files,
            which run with the rights of the user), ``"policies"`` (policy files only), or ``"none"`` (registered names
            only). Use ``"policies"`` or ``"none"`` for a spec that was read from a file.
        game: the game that the agent plays.

    Raises:
        UnknownAgentError: if a name, option or value is unknown (the message lists the known ones); if a file or class
            is missing, cannot be used or may not be loaded (`romans_agents.permission.FileNotAllowedError`); if the
            spec has a control character; if the policy was made for another game.
        romans_agents.policies.policy.PolicyFileError: if a policy file cannot be read.
        ValueError: if there is no such permission or game.
    """
    with allowing(files):
        found = named(spec, game)
        agent = _made(found, game)
    if isinstance(agent, PolicyAgent) and agent.policy.game != game:
        raise UnknownAgentError(f"{shortened(found.spec)} plays {agent.policy.game}, not {game}")
    agent.name = agent.made_from = found.spec
    return agent


def spelled(spec: str, game: str = DEFAULT_GAME) -> str:
    """Return the normalised spelling of a registered agent's spec; a spec in any other form is returned unchanged.

    Numbers are written as Python prints them, and options that equal their defaults are left out. Options keep their
    order.

    Raises:
        UnknownAgentError: if an option is unknown or has a wrong value.
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


def agent_of(player: Any, game: str, name: str | None = None) -> Agent:
    """Return an agent, given an agent spec or an object that can choose actions.

    Args:
        player: an agent spec or the path of a policy file (see `make`), or an object: an agent, a policy, an object
            with ``act(view)``, a function of a view, a network, or a stable-baselines3 model (see
            `romans_agents.specs.adapted.adapted`).
        game: the name of the game that the agent plays.
        name: the agent's name in tables and records; None for the spec, or the name of the object's class or function.

    Raises:
        TypeError: if ``player`` is none of these objects.
        UnknownAgentError: if a spec names no agent, or a network was made for another game.
        romans_agents.policies.policy.PolicyFileError: if a policy file cannot be read.
    """
    if isinstance(player, str | os.PathLike):
        agent = make(os.fspath(player), game=game)
        agent.name = agent.name if name is None else name
        return agent
    return adapted(player, game, name)


@contextmanager
def named_for_a_time(players: Sequence[Any], game: str) -> Iterator[tuple[str, ...]]:
    """Yield an agent spec for each player; an object is registered under a temporary name while the block runs.

    `make` then copies the object, so that two seats, or two games, do not share a random generator or memory. The copy
    is shallow if the object holds something that cannot be copied, such as a connection.

    Raises:
        TypeError, UnknownAgentError: for the same reasons as `agent_of`.
    """
    specs, made = [], []
    try:
        for player in players:
            if isinstance(player, str | os.PathLike):
                specs.append(os.fspath(player))
                continue
            agent = agent_of(player, game)
            plain = re.sub(r"[^A-Za-z0-9_-]+", "-", agent.name).strip("-") or "agent"
            with _naming:
                free = (name for k in count(1) if (name := plain if k == 1 else f"{plain}-{k}") not in _factories(game))
                specs.append(next(free))
                register(specs[-1], functools.partial(_copied, agent), game)
            made.append(specs[-1])
        yield tuple(specs)
    finally:
        for name in made:
            _FACTORIES.pop((game, name), None)


def is_named_for_a_time(spec: str, game: str) -> bool:
    """Return whether a spec is a temporary name registered by `named_for_a_time`."""
    factory = _FACTORIES.get((game, spec))
    return isinstance(factory, functools.partial) and factory.func is _copied


def _copied(agent: Agent, /) -> Agent:
    try:
        return copy.deepcopy(agent)
    except Exception:  # the agent holds something that cannot be copied, such as a connection
        return copy.copy(agent)


def named(spec: str, game: str = DEFAULT_GAME) -> Named:
    """Resolve an agent spec into its name, factory and options, without creating the agent.

    If the spec names a Python file, the file is run.

    Raises:
        UnknownAgentError: if the name is unknown, or the file or class cannot be used or may not be loaded.
        ValueError: if there is no such game.
    """
    _check_characters(spec)
    name, _, options = spec.partition(":")
    factories, in_file = _factories(game), parts_of(spec)
    if name in factories:
        return Named(spec, name, factories[name], options)
    if in_file is not None:
        return Named(spec, f"{in_file.file}:{in_file.name}", from_file.load_factory(in_file), in_file.options, in_file)
    for ending, of_file in ((".npz", PolicyAgent.name), (".zip", "sb3")):
        if spec.endswith(ending):
            return Named(f"{of_file}:{spec}", of_file, factories[of_file], spec)
    others = [other for other in games() if other != game and name in _factories(other)]
    hint = f" (it plays {others[0]})" if others else _renamed(name, game) or did_you_mean(name, factories)
    raise UnknownAgentError(
        f"unknown agent {shortened(spec)}{hint}; there are {', '.join(names(game))}, or give the path of a policy file "
        "(.npz), a model of stable-baselines3 (.zip), or a class or function (my_bot.py:MyBot)"
    )


def _factories(game: str) -> dict[str, Factory]:
    """Return the factories of the agents that play a game, by name; registered agents override the game's own."""
    found = {name: factory for (played, name), factory in _FACTORIES.items() if played is None}
    of_game = {name: factory for (played, name), factory in _FACTORIES.items() if played == game}
    return {**found, **cast("dict[str, Factory]", spec_of(game).part("agents")), **of_game}


def _made(found: Named, game: str) -> Agent:
    options = _options(found.name, found.factory, found.options, game)
    if found.in_file is not None:
        return from_file.made(found.in_file, found.factory, options)
    try:
        return found.factory(**options, **({"game": game} if _is_made_for_game(found.factory) else {}))
    except (UnknownAgentError, PolicyFileError):
        raise
    except (ValueError, OverflowError, MemoryError) as error:
        raise UnknownAgentError(f"agent {found.name!r}: {error}") from None


def _renamed(name: str, game: str) -> str:
    """Return a hint for error messages that gives the new name of an agent once called ``name``; empty without one."""
    now = [one for one, factory in _factories(game).items() if getattr(factory, "earlier_name", None) == name]
    return f" ({name} is now called {now[0]})" if now else ""


def _check_characters(spec: Any) -> None:
    """Refuse a spec that is not a string, is too long, or has control characters, which would be invisible in texts."""
    if not isinstance(spec, str):
        raise UnknownAgentError(f"an agent spec is a string, such as 'greedy', not {shortened(spec)}")
    if len(spec) > LONGEST_SPEC:
        raise UnknownAgentError(f"an agent spec has at most {LONGEST_SPEC} characters, not {len(spec)}")
    wrong = [character for character in spec if is_control_character(character)]
    if wrong:
        raise UnknownAgentError(f"the agent spec {shortened(spec)} has the control character {wrong[0]!r}: remove it")


def policy_of(spec: str, files: Files = "code", game: str = DEFAULT_GAME) -> Policy:
    """Return the policy of the trained agent that a spec names.

    Args:
        spec: the path of a policy file, or the spec of a trained agent such as ``legate``.
        files: the files that the spec may load, as for `make`.
        game: the game that the agent plays.

    Raises:
        UnknownAgentError: for the same reasons as `make`, or if the agent has no network.
        romans_agents.policies.policy.PolicyFileError: if a policy file cannot be read.
    """
    agent = make(spec, files, game)
    if not isinstance(agent, PolicyAgent):
        raise UnknownAgentError(
            f"{shortened(spec)} has no network: name a policy file (.npz) or a trained agent (legate, quaestor)"
        )
    return agent.policy


def _options(name: str, factory: Factory, rest: str, game: str) -> dict[str, Any]:
    """Parse options such as ``a=1,b=x`` into keyword arguments, with the types in the factory's signature.

    A first part without ``=`` is the value of the factory's first parameter. So is a first part such as ``a/b=c``, in
    which the text before ``=`` is not an identifier.
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
    """Return the options of an agent: the parameters that ``factory`` takes by name.

    Args:
        name: the agent's name, for error messages.
        factory: the callable that creates the agent.

    Raises:
        UnknownAgentError: if the signature cannot be read.
    """
    try:
        parameters = inspect.signature(factory, eval_str=True).parameters
    except Exception as error:  # annotations are code, and may fail in any way
        raise UnknownAgentError(f"agent {name!r}: cannot read its options: {error_line(error)}") from error
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    left_out = {"game"} if _is_made_for_game(factory) else set()
    return {key: one for key, one in parameters.items() if one.kind in kinds and key not in left_out}


def _is_made_for_game(factory: Factory) -> bool:
    """Return whether a factory takes the name of the game in addition to the options of the spec."""
    return bool(getattr(factory, "made_for_game", False))


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
