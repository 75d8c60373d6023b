"""pandas, which no command needs: it is imported when the first table is made."""

from __future__ import annotations

from typing import Any


def pandas(purpose: str) -> Any:
    """The module.

    Args:
        purpose: what needs it, such as ``an analysis``.

    Raises:
        ModuleNotFoundError: saying how to install it.
    """
    try:
        import pandas as module
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"{purpose} needs {error.name}: install the extra 'analysis', by pip install \"romans-env[analysis]\"",
            name=error.name,
        ) from error
    return module
