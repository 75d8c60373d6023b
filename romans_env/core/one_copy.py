"""A check that all packages of the distribution are imported from one place."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

from romans_env.compiling.progress import say


def warn_of_another_copy(package: str, file: str) -> None:
    """Warn on standard error if a package is not imported from the same wheel or checkout as ``romans_env``.

    That happens in the root of a checkout if a wheel is installed, too: Python imports ``romans_env`` from the checkout
    and the other packages from the wheel, so agents may run with the rules of another version.

    Args:
        package: the name of the package.
        file: the path of its ``__init__.py``.
    """
    own, other = Path(__file__).resolve().parents[2], Path(file).resolve().parents[1]
    if other not in (own, own / "agents") and multiprocessing.parent_process() is None:
        say(
            f"it is imported from {own}, and {package} from {other}: two copies that may differ; "
            "install the checkout by pip install -e . in its folder, or start Python in another folder"
        )
