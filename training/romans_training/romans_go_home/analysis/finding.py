"""What every analysis gives back: a table, and a picture of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from matplotlib.figure import Figure

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, repr=False)
class Finding:
    """What an analysis found.

    Attributes:
        frame: a table in long form; the function that made it says what the columns are. Of an estimate ``x`` with a
            95 % interval clustered by deal, the columns are ``x``, ``x_low`` and ``x_high``.
        basis: on what it rests, such as ``2+1, 50 deals``.
    """

    frame: DataFrame
    basis: str

    def figure(self) -> Figure:
        """A picture of the table, as a matplotlib figure that no pyplot knows."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{self.basis}\n{self.frame}"

    def _repr_html_(self) -> str:
        return self.frame.to_html(index=False, float_format="{:.3f}".format, max_rows=30)
