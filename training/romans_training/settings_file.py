"""Settings files: JSON, or TOML where the name ends in ``.toml``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from romans_env.errors import in_one_line
from romans_env.files import json_of, read_text
from romans_training.settings import ConfigError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

MOST_SETTINGS = 2**20
"""Bytes of a settings file."""
_MOST_DOTS = 1000
"""In a line of a TOML file: the time to read a dotted name grows with the cube of its parts."""


def read_object(path: Path) -> Any:
    """Read what a settings file holds.

    Raises:
        ConfigError: no such file, no regular one of at most 1 MB, or not JSON or TOML.
    """
    name = in_one_line(path)
    try:
        text = read_text(path, MOST_SETTINGS)
        return _toml_of(text) if path.suffix == ".toml" else json_of(text)
    except OSError as error:
        raise ConfigError(f"cannot read the settings {name}: {in_one_line(error.strerror)}") from None
    except ValueError as error:
        raise ConfigError(f"{name} is not a whole settings file: {in_one_line(error)}") from None


def _toml_of(text: str) -> dict[str, Any]:
    """The content of a TOML text; ValueError for another."""
    if max((line.count(".") for line in text.split("\n")), default=0) > _MOST_DOTS:
        raise ValueError(f"it has a line of more than {_MOST_DOTS:,} dots")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
