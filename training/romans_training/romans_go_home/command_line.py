"""``--table`` and ``--variant`` of Romans Go Home!."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from romans_env.protocol import Setup
from romans_env.romans_go_home.spec import SPEC
from romans_env.romans_go_home.table import LEGAL_SIZES, SMALL_TABLE, VARIANTS, Table
from romans_training.cli.setup_options import ExtraOption, SetupOptions

OF_SMALL_TABLES = ("warriors", "line_size", "num_rounds")


class _Options:
    """``players+neutrals``, such as ``2+1``, or ``small``."""

    metavar = "players+neutrals"
    help_text = "Players+neutrals, or small."
    default = "2+0"
    every = tuple(f"{players}+{neutrals}" for players, neutrals in LEGAL_SIZES)
    names = (*every, "small")
    extras: Mapping[str, ExtraOption] = {"variant": ExtraOption(VARIANTS, "standard", "RULES 8.")}

    def settings(self, name: str) -> dict[str, Any]:
        """The settings of a table but for the variant."""
        if name == "small":
            return {setting: value for setting, value in SMALL_TABLE.as_json().items() if setting != "variant"}
        players, neutrals = LEGAL_SIZES[self.every.index(name)]
        return {"num_players": players, "num_neutrals": neutrals}

    def replaced(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """The deck of a small table goes with it; that of a full one stays, as the variant does."""
        defaults = SPEC.training
        if all(settings.get(name, defaults[name]) == defaults[name] for name in OF_SMALL_TABLES):
            return {}
        return {name: defaults[name] for name in ("fort_deck", *OF_SMALL_TABLES)}

    def setup_of_self_play(self, name: str, settings: Mapping[str, Any]) -> Setup:
        """A full table with the variant and the deck of the run."""
        players, neutrals = map(int, name.split("+"))
        return Table(players, neutrals, settings["variant"], settings["fort_deck"])


OPTIONS: SetupOptions = _Options()
