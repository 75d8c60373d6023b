"""A game's command-line options for its setup: names for ``--table``, and options for single settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import click


class SetupNames(Protocol):
    """Named setups, for ``--table`` and ``--tables``.

    Attributes:
        metavar: placeholder for a name in help texts.
        help_text: help of ``--table``.
        names: all names.
        every: the names that ``--tables all`` stands for.
    """

    metavar: str
    help_text: str
    names: tuple[str, ...]
    every: tuple[str, ...]

    def settings(self, name: str, setup: Mapping[str, Any]) -> dict[str, Any]:
        """Return the settings of a named setup, plus those of ``setup`` that the name leaves open.

        Raises:
            ValueError: if there is no such name.
        """
        ...


@dataclass(frozen=True)
class SetupOption:
    """An option for a setting of the setup, such as ``--variant``.

    Attributes:
        type: click type that converts the text of the option.
        help_text: help of the option, with its default.
    """

    type: click.ParamType[Any]
    help_text: str


@dataclass(frozen=True)
class SetupOptions:
    """A game's options for its setup, found through `romans_env.core.games.GameSpec.command_line`.

    Attributes:
        options: options by the name of their setting.
        names: named setups; None if setups have no names.
    """

    options: Mapping[str, SetupOption] = field(default_factory=dict)
    names: SetupNames | None = None

    def with_setup(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Return a run's settings in today's form, with all settings of the setup under ``setup``."""
        return dict(settings)


NO_OPTIONS = SetupOptions()
