"""From a text to an agent: ``random``, ``policy:runs/first/policy.npz``, ``name:option=value,option=value``."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from agents.base import Agent

Factory = Callable[..., Agent]

_FACTORIES: dict[str, Factory] = {}


class UnknownAgentError(ValueError):
    """A text that names no agent, or options the agent does not have."""


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
        text: a name with options (``name`` or ``name:option=value,option=value``), or the path of a policy file
            (``something.npz``).

    Raises:
        UnknownAgentError: an unknown name, option or value, saying what there is.
        agents.policy.PolicyFileError: a policy file that cannot be read.
    """
    if not isinstance(text, str):
        raise UnknownAgentError(f"an agent is named by a text, such as 'greedy', not by {text!r}")
    name, _, rest = text.partition(":")
    if text.endswith(".npz") and name not in _FACTORIES:
        name, rest, text = "policy", text, f"policy:{text}"
    if name not in _FACTORIES:
        raise UnknownAgentError(
            f"unknown agent {text!r}; there are {', '.join(names())}, or give the path of a policy file (.npz)"
        )
    factory = _FACTORIES[name]
    agent = factory(**_options(name, factory, rest))
    agent.name = text
    return agent


def _options(name: str, factory: Factory, rest: str) -> dict[str, Any]:
    """``a=1,b=x`` as keyword arguments of the types the factory's signature names.

    A first part without ``=`` is the factory's first parameter; so is one like ``a/b=c``, with no name before ``=``.
    """
    parameters = inspect.signature(factory, eval_str=True).parameters
    options: dict[str, Any] = {}
    for position, part in enumerate(part for part in rest.split(",") if part):
        key, equals, value = part.partition("=")
        if position == 0 and parameters and not (equals and key.isidentifier()):
            key, value = next(iter(parameters)), part
        elif not equals or key not in parameters:
            there = ", ".join(parameters) or "none"
            raise UnknownAgentError(f"agent {name!r} has no option {part!r}; its options: {there}")
        options[key] = _converted(name, key, value, parameters[key].annotation)
    for key, parameter in parameters.items():
        is_option = parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
        if is_option and parameter.default is parameter.empty and key not in options:
            raise UnknownAgentError(f"agent {name!r} needs the option {key!r}, as in '{name}:{key}=...'")
    return options


def _converted(name: str, key: str, value: str, annotation: Any) -> Any:
    if annotation is bool:
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
