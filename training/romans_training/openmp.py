"""How the threads of the network's arithmetic wait."""

from __future__ import annotations

import os


def spin_briefly() -> None:
    """Let GNU OpenMP's threads spin for a short time only; call it before torch is imported.

    They spin while they wait. Where something else needs the cores, that is several times slower than one thread; with
    a short spin it is hardly slower, and where nothing does, as fast. A ``GOMP_SPINCOUNT`` of the user's own stays.
    """
    os.environ.setdefault("GOMP_SPINCOUNT", "2000")
