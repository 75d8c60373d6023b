"""From a text to an agent: ``random``, ``runs/first/policy.npz``, ``my_bot.py:MyBot``, ``name:option=value``."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from agents import from_file
from agents.base import Agent
from agents.errors import UnknownAgentError, in_one_line
from agents.policy import Policy, PolicyAgent, PolicyFileError

Factory = Callable[..., Agent]

_FACTORIES: dict[str, Factory] = {}


def register(name: str, factory: Factory) -> None:
    """Make ``name`` a text that `make` understands.

    Args:
        name: letters, digits, ``-`` and ``_``.
        factory: called with the options of the text as keyword arguments; its signature is the list of options.
    """
    _FACTORIES[name] = factory


def names() -> list[str]:
    """The registered names, sorted."""
    return sorted(_FACTORIES)


def make(text: str) -> Agent:
    """The agent that a text names.

    Args:
        text: a name with options (``name`` or ``name:option=value,option=value``), the path of a policy file
            (``something.npz``), or a class in a file of one's own with options (``my_bot.py:MyBot`` or
            ``my_bot.py:MyBot:option=value,option=value``; see `agents.from_file`).

    Raises:
        UnknownAgentError: an unknown name, option or value, saying what there is; a file or class that is not there or
            cannot be used.
        agents.policy.PolicyFileError: a policy file that cannot be read.
    """
    if not isinstance(text, str):
        raise UnknownAgentError(f"an agent is named by a text, such as 'greedy', not by {text!r}")
    name, _, rest = text.partition(":")
    in_file = from_file.parts_of(text)
    if text.endswith(".npz") and in_file is None and name not in _FACTORIES:
        name, rest, text = "policy", text, f"policy:{text}"
    if name in _FACTORIES:
        factory = _FACTORIES[name]
        options = _options(name, factory, rest)
        try:
            agent = factory(**options)
        except (UnknownAgentError, PolicyFileError):
            raise
        except ValueError as error:
            raise UnknownAgentError(f"agent {name!r}: {error}") from None
    elif in_file is not None:
        cls = from_file.load_class(in_file)
        agent = from_file.made(in_file, cls, _options(in_file.name, cls, in_file.options))
    else:
        raise UnknownAgentError(
            f"unknown agent {text!r}; there are {', '.join(names())}, or give the path of a policy file (.npz) or a "
            f"class of your own (my_bot.py:MyBot)"
        )
    agent.name = text
    return agent


def policy_of(text: str) -> Policy:
    """The network of the trained agent that a text names: a policy file's, or that of ``legate``.

    Raises:
        UnknownAgentError: as for `make`, or an agent without a network.
        agents.policy.PolicyFileError: a policy file that cannot be read.
    """
    agent = make(text)
    if not isinstance(agent, PolicyAgent):
        raise UnknownAgentError(
            f"{text!r} has no network: name a policy file (.npz), or a trained agent such as legate"
        )
    return agent.policy


def _options(name: str, factory: Factory, rest: str) -> dict[str, Any]:
    """``a=1,b=x`` as keyword arguments of the types the factory's signature names.

    A first part without ``=`` is the factory's first parameter; so is one like ``a/b=c``, with no name before ``=``.
    """
    parameters = _parameters(name, factory)
    options: dict[str, Any] = {}
    for position, part in enumerate(part for part in rest.split(",") if part):
        key, equals, value = part.partition("=")
        if position == 0 and parameters and not (equals and key.isidentifier()):
            key, value = next(iter(parameters)), part
        elif not equals or key not in parameters:
            there = ", ".join(parameters) or "none"
            raise UnknownAgentError(f"agent {name!r} has no option {part!r}; its options: {there}")
        options[key] = _converted(name, key, value, _kind_of(parameters[key]))
    for key, parameter in parameters.items():
        if parameter.default is parameter.empty and key not in options:
            raise UnknownAgentError(f"agent {name!r} needs the option {key!r}, as in '{name}:{key}=...'")
    return options


def _parameters(name: str, factory: Factory) -> dict[str, inspect.Parameter]:
    try:
        parameters = inspect.signature(factory, eval_str=True).parameters
    except Exception as error:  # annotations are code, and may fail in any way
        raise UnknownAgentError(f"agent {name!r}: cannot read its options: {in_one_line(error)}") from error
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return {key: parameter for key, parameter in parameters.items() if parameter.kind in kinds}


def _kind_of(parameter: inspect.Parameter) -> Any:
    """The annotation, or where there is none the type of the default."""
    return parameter.annotation if parameter.annotation is not parameter.empty else type(parameter.default)


def _converted(name: str, key: str, value: str, annotation: Any) -> Any:
    if annotation in (bool, bool | None):
        if value.lower() in ("true", "false"):
            return value.lower() == "true"
        raise UnknownAgentError(f"agent {name!r}: {key} is true or false, not {value!r}")
    for kind in (int, float):
        if annotation in (kind, kind | None):
            try:
                return kind(value)
            except ValueError:
                raise UnknownAgentError(f"agent {name!r}: {key} is a number, not {value!r}") from None
    return value
