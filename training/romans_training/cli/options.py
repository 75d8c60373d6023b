"""Options that several commands share."""

from __future__ import annotations

from typing import Any

import click

from romans_env import Table
from romans_env.romans_go_home.table import LEGAL_SIZES, SMALL_TABLE, VARIANTS


class TableType(click.ParamType[dict[str, Any]]):
    """``players+neutrals``, such as ``2+1``, or ``small``; gives the settings of the table but for the variant."""

    name = "players+neutrals"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> dict[str, Any]:
        if isinstance(value, dict):
            return value
        sizes: dict[str, dict[str, Any]] = {
            f"{players}+{neutrals}": {"num_players": players, "num_neutrals": neutrals}
            for players, neutrals in LEGAL_SIZES
        }
        sizes["small"] = {name: setting for name, setting in SMALL_TABLE.as_json().items() if name != "variant"}
        if value not in sizes:
            self.fail(f"there is no table {value!r}; there are {', '.join(sizes)}", param, ctx)
        return sizes[value]


class TablesType(click.ParamType[tuple[str, ...]]):
    """Tables with weights, ``2+0=3,4+0``, or ``all``; gives a tuple of texts as `TrainConfig` has them."""

    name = "tables"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        if isinstance(value, tuple):
            return value
        if value == "all":
            return tuple(f"{players}+{neutrals}" for players, neutrals in LEGAL_SIZES)
        return tuple(part.strip() for part in value.split(",") if part.strip())


class TextsType(click.ParamType[tuple[str, ...]]):
    """Agents' texts separated by commas; gives a tuple of texts."""

    name = "agents"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        texts = value if isinstance(value, tuple) else split_texts(value)
        if not texts:
            self.fail("name at least one agent", param, ctx)
        return texts


def split_texts(value: str) -> tuple[str, ...]:
    """Split ``a,b:x=1,y=2,c`` into ``a``, ``b:x=1,y=2`` and ``c``: ``option=value`` belongs to the one before."""
    texts: list[str] = []
    for part in (part.strip() for part in value.split(",")):
        key, equals, _ = part.partition("=")
        if texts and ":" in texts[-1] and equals and key.isidentifier():
            texts[-1] += f",{part}"
        elif part:
            texts.append(part)
    return tuple(texts)


variant_option = click.option(
    "--variant", type=click.Choice(VARIANTS), default="standard", show_default=True, help="RULES 8."
)


def table_of(size: dict[str, Any], variant: str) -> Table:
    """The table of the options."""
    return Table(**size, variant=variant)
