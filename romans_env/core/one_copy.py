"""Whether all packages that belong together come from one place."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

from romans_env.compiling.progress import say


def warn_of_another_copy(package: str, file: str) -> None:
    """Say in a line on standard error if a package lies elsewhere than a wheel or a checkout of this one has it.

    In the root of a checkout Python finds this package there, and the others where a wheel was installed: changes of
    the checkout count in part, and rules of one version meet agents of another.

    Args:
        package: its name.
        file: the path of its ``__init__.py``.
    """
    own, other = Path(__file__).resolve().parents[2], Path(file).resolve().parents[1]
    if other not in (own, own / "agents") and multiprocessing.parent_process() is None:
        say(
            f"it is imported from {own}, and {package} from {other}: two copies that may differ; "
            "install the checkout by pip install -e . in its folder, or start Python in another folder"
        )
