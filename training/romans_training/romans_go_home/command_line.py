"""Command-line options for the setup of Romans Go Home!: ``--table`` and ``--variant``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from romans_env.errors import shortened
from romans_env.romans_go_home.setup import LEGAL_SIZES, SMALL_TABLE, VARIANTS, Table
from romans_training.cli.setup_options import SetupOption, SetupOptions

OF_SMALL_TABLES = ("warriors", "line_size", "num_rounds")
OF_TABLES = ("num_players", "num_neutrals", "variant", "fort_deck", *OF_SMALL_TABLES)


class _Tables:
    """Table names: ``players+neutrals``, such as ``2+1``, or ``small``."""

    metavar = "players+neutrals"
    help_text = (
        "number of players and of neutral clans, such as 2+1; or small, a table for exact solutions.  [default: 2+0]"
    )
    every = tuple(f"{players}+{neutrals}" for players, neutrals in LEGAL_SIZES)
    names = (*every, "small")

    def settings(self, name: str, setup: Mapping[str, Any]) -> dict[str, Any]:
        """Return the settings of a table; the variant is kept, and so is the deck if both tables are of full size."""
        if name not in self.names:
            raise ValueError(f"there is no table {shortened(name)}; there are {', '.join(self.names)}")
        variant = {key: setup[key] for key in ("variant",) if key in setup}
        if name == "small":
            return {**SMALL_TABLE.as_json(), **variant}
        material = {key: setup[key] for key in ("fort_deck", *OF_SMALL_TABLES) if key in setup}
        players, neutrals = LEGAL_SIZES[self.every.index(name)]
        size = {"num_players": players, "num_neutrals": neutrals}
        return {**({} if Table(**material).is_small else material), **variant, **size}


class _Options(SetupOptions):
    def with_setup(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Return the settings of a run; files of earlier versions have the table's settings at the top level."""
        setup = settings.get("setup") or {}
        beside = {name: settings[name] for name in OF_TABLES if name in settings}
        if not beside or not isinstance(setup, dict):
            return dict(settings)
        others = {name: value for name, value in settings.items() if name not in beside}
        return {**others, "setup": {**setup, **beside}}


OPTIONS = _Options(
    options={
        "variant": SetupOption(
            click.Choice(VARIANTS),
            "variant of the rules: the printed rules, or the designer's original ones, in which a fort that is not "
            "captured is fought for again.  [default: standard]",
        )
    },
    names=_Tables(),
)
