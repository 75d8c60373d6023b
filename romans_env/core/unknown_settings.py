"""The error for an unknown setting or option, which suggests the closest valid name and lists all of them."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ParamSpec, TypeVar

from romans_env.errors import did_you_mean, shortened

P = ParamSpec("P")
T = TypeVar("T")


class UnknownSettingError(ValueError):
    """A setting or an option does not exist."""


def check_settings(given: Iterable[str], valid: Sequence[str], kind: str = "setting") -> None:
    """Check that all names are valid.

    Args:
        given: the names to check.
        valid: the valid names.
        kind: what the names are, for the message.

    Raises:
        UnknownSettingError: if a name is not valid.
    """
    valid = list(dict.fromkeys(valid))
    for name in given:
        if name not in valid:
            there_are = f"the {kind}s are {', '.join(valid)}" if valid else f"there are no {kind}s"
            raise UnknownSettingError(f"unknown {kind} {shortened(name)}{did_you_mean(name, valid)}; {there_are}")


def names_of_settings(function: Callable[..., Any]) -> list[str]:
    """Return the names of the parameters of a function or class, except ``self`` and ``**`` parameters."""
    parameters = inspect.signature(function).parameters.values()
    return [one.name for one in parameters if one.kind is not one.VAR_KEYWORD and one.name != "self"]


def checks_settings(setting_names: Callable[[], Sequence[str]]) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Decorate a function that creates an environment, so that unknown keyword arguments raise `UnknownSettingError`.

    The parameters of the function are valid and, if it has a ``**`` parameter, the game's settings as well.

    Args:
        setting_names: returns the names of the game's settings (`romans_env.core.games.GameSpec.setting_names`).
    """

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        own = names_of_settings(function)
        takes_any = any(one.kind is one.VAR_KEYWORD for one in inspect.signature(function).parameters.values())

        @functools.wraps(function)
        def checked(*args: P.args, **kwargs: P.kwargs) -> T:
            if not kwargs.keys() <= set(own):
                check_settings(kwargs, [*own, *(name for name in setting_names() if takes_any and name not in own)])
            return function(*args, **kwargs)

        return checked

    return decorate
