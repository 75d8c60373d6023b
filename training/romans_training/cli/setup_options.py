"""What a game offers the command line for its setup: names for ``--table``, and options for single settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import click

from romans_env.core.parts import SetupNames


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
