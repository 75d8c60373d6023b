"""What a game offers the command line for its setup: names for ``--table``, and options for single settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import click


class SetupNames(Protocol):
    """Names of setups, which ``--table`` and ``--tables`` take.

    Attributes:
        metavar: the placeholder of a name in the help.
        help_text: of ``--table``.
        names: all names.
        every: the names that ``--tables all`` means.
    """

    metavar: str
    help_text: str
    names: tuple[str, ...]
    every: tuple[str, ...]

    def settings(self, name: str, setup: Mapping[str, Any]) -> dict[str, Any]:
        """Return the settings of a name's setup, with those of ``setup`` that it leaves open, or raise ValueError."""
        ...


@dataclass(frozen=True)
class SetupOption:
    """An option for a setting of the setup, such as ``--variant``.

    Attributes:
        type: converts its text.
        help_text: for ``--help``, with the default.
    """

    type: click.ParamType[Any]
    help_text: str


@dataclass(frozen=True)
class SetupOptions:
    """The options of a game for its setup; `romans_env.core.games.GameSpec.command_line` names them.

    Attributes:
        options: by the name of the setting.
        names: of setups; None: setups have no names.
    """

    options: Mapping[str, SetupOption] = field(default_factory=dict)
    names: SetupNames | None = None

    def with_setup(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Return a run's settings with those of the setup in ``setup``, where earlier versions had them elsewhere."""
        return dict(settings)


NO_OPTIONS = SetupOptions()
