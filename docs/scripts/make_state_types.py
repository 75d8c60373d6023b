"""Writes the types of the games' state records, for editors and type checkers, from the dtypes in ``state.py``."""

from __future__ import annotations

import importlib
from pathlib import Path

import numpy as np

GAMES = ("romans_go_home", "roma", "struggle")


def path_of(game: str) -> Path:
    """Return the path of a game's file, by the name of the game's package."""
    return Path(__file__).resolve().parents[2] / "romans_env" / game / "state_type.py"


def source(game: str) -> str:
    """Return the text of the file."""
    fields = importlib.import_module(f"romans_env.{game}.state").STATE.fields
    return f'''"""The fields of a record of the state, for type checkers and editors (`romans_env.engine.state_fields`).

Generated from the dtype of ``state.py``, which says what they mean, by ``python docs/scripts/make_state_types.py``.
"""

from __future__ import annotations

from romans_env.engine.state_fields import Number, Numbers


class State:
    """One STATE record."""

{"".join(_declaration(name, dtype) for name, (dtype, *_) in fields.items())}'''


def _declaration(name: str, dtype: np.dtype) -> str:
    if not dtype.shape:
        return f"    {name} = Number()\n"
    return f'    {name}: Numbers\n    """{dtype.base.name}, shape {dtype.shape}."""\n'


if __name__ == "__main__":
    for game in GAMES:
        path_of(game).write_text(source(game), encoding="utf-8")
        print(path_of(game))
