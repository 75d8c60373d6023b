"""What every analysis gives back: a table, and a picture of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from matplotlib.figure import Figure

from romans_env.errors import needs_extra
from romans_training.figures import styled

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, repr=False)
class AnalysisResult:
    """The result of an analysis.

    Attributes:
        frame: a table in long form; the function that made it says what the columns are. Of an estimate ``x`` with a
            95 % interval clustered by deal, the columns are ``x``, ``x_low`` and ``x_high``.
        sample: what was counted, such as ``2+1, 50 deals, n = 300 plans``.
        draw: draws a result.
    """

    frame: DataFrame
    sample: str
    draw: Callable[[Any], Figure]

    @styled
    def figure(self) -> Figure:
        """A picture of the table, as a matplotlib figure that no pyplot knows."""
        return self.draw(self)

    def __repr__(self) -> str:
        return f"{self.sample}\n{self.frame}"

    def _repr_html_(self) -> str:
        return self.frame.to_html(index=False, float_format="{:.3f}".format, max_rows=30)


def table_of(rows: Any, columns: Sequence[str] | None = None, categories: Iterable[str] | None = None) -> DataFrame:
    """A table.

    Args:
        rows: tuples, or columns by name.
        columns: names of the columns, where ``rows`` are tuples.
        categories: the agents' labels, where the column ``agent`` is a category.
    """
    with needs_extra("an analysis", "analysis"):
        import pandas
    frame: DataFrame = pandas.DataFrame(rows, columns=columns)
    if categories is not None:
        frame["agent"] = pandas.Categorical(frame["agent"], categories=categories)
    return frame


def with_interval(name: str) -> list[str]:
    """The columns of an estimate."""
    return [name, f"{name}_low", f"{name}_high"]
