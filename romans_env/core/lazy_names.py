"""Names of a package that are imported on first access (PEP 562)."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from romans_env.core.games import imported


def lazy_names(package: str, places: dict[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the ``__getattr__`` and the ``__dir__`` of a package with lazy names.

    Args:
        package: the name of the package.
        places: for each lazy name, the module that defines it.
    """

    def get(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return imported(f"{places[name]}:{name}")

    return get, lambda: sorted({*vars(sys.modules[package]), *places})
