"""The result of a failed check."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from romans_env.errors import in_one_line


@dataclass(frozen=True)
class Finding:
    """A fault of a game.

    Attributes:
        check: the name of the check, such as ``"legal actions"``.
        message: what is wrong, in one line.
        setup: the settings with which it was found.
        seed: the seed of the game; None for a fault found without playing.
        decision: the number of decisions made before it in the game.
        record: the game up to the fault as a JSON record for `romans_env.replay`; None if there is none.
    """

    check: str
    message: str
    setup: dict[str, Any]
    seed: int | None = None
    decision: int | None = None
    record: Any = field(default=None, repr=False)

    def __str__(self) -> str:
        where = ", ".join(f"{name}={value}" for name, value in self.setup.items())
        if self.seed is not None:
            at = "" if self.decision is None else f", decision {self.decision}"
            where = f"seed {self.seed}{at}" + (f", {where}" if where else "")
        return f"{self.check}: {in_one_line(self.message)}" + (f" ({where})" if where else "")
