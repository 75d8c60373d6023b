"""pandas, which only analyses need: asked for when the first table is made."""

from __future__ import annotations

from typing import Any


def pandas() -> Any:
    """The module.

    Raises:
        ModuleNotFoundError: saying how to install it.
    """
    try:
        import pandas as module
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"an analysis needs {error.name}: install the extra 'analysis', for instance by pip install '.[analysis]'",
            name=error.name,
        ) from error
    return module
