"""What a game offers the command line for its setup: names for ``--table``, and options of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from romans_env.protocol import Setup


@dataclass(frozen=True)
class ExtraOption:
    """An option beside ``--table``, such as ``--variant``.

    Attributes:
        choices: what it takes.
        default: one of them.
        help_text: for ``--help``.
    """

    choices: Sequence[str]
    default: str
    help_text: str


class SetupOptions(Protocol):
    """A game's options; `romans_env.games.GameSpec.command_line` names them. Settings are those of the game's setup.

    The help of a command is that of the default game; every game's names are understood.
    """

    @property
    def metavar(self) -> str:
        """What stands for a name in the help."""

    @property
    def help_text(self) -> str:
        """Of ``--table``."""

    @property
    def default(self) -> str:
        """The name that is played where none is given."""

    @property
    def names(self) -> Sequence[str]:
        """What ``--table`` takes."""

    @property
    def every(self) -> Sequence[str]:
        """What ``--tables all`` stands for: names that `setup_of_self_play` understands."""

    @property
    def extras(self) -> Mapping[str, ExtraOption]:
        """The game's other options by the name of the setting that they give."""

    def settings(self, name: str) -> dict[str, Any]:
        """The settings that one of `names` stands for, without those of `extras`."""

    def replaced(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """What a name on the command line puts back to its default among the settings of a file."""

    def setup_of_self_play(self, name: str, settings: Mapping[str, Any]) -> Setup:
        """The setup of a name of ``--tables``, else with the settings of the run; ValueError for no such name."""
