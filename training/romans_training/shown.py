"""Results that show themselves in a notebook, as a table and a picture."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from romans_env.errors import needs_extra

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame


class ShownResult:
    """The base of results: a table of rows (``frame``), and what a notebook shows of one (``_repr_html_``)."""

    def rows(self) -> list[dict[str, Any]]:
        """Return the rows of the table: of an estimate ``x`` the 95 % interval is ``x_low`` to ``x_high``."""
        raise NotImplementedError

    def heading(self) -> str:
        """Return what the result is of, in a line."""
        raise NotImplementedError

    def figure(self) -> Figure:
        """Draw the result as a matplotlib figure, which no pyplot knows."""
        raise NotImplementedError

    @property
    def frame(self) -> DataFrame:
        """The rows as a table.

        Raises:
            ModuleNotFoundError: without pandas, which the extra ``analysis`` installs.
        """
        with needs_extra("a table of results", "analysis"):
            import pandas
        frame: DataFrame = pandas.DataFrame(self.rows())
        return frame

    def _repr_html_(self) -> str:
        return html_of(self.heading(), self.rows(), self.figure())


def html_of(heading: str, rows: Sequence[dict[str, Any]], figure: Figure) -> str:
    """Return a heading, a table and a picture as HTML; texts in them are no HTML."""
    from romans_training.figures import image_of

    names = list(rows[0]) if rows else []
    head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
    body = "".join(f"<tr>{''.join(f'<td>{_cell(row[name])}</td>' for name in names)}</tr>" for row in rows)
    return f"<b>{html.escape(heading)}</b><table><tr>{head}</tr>{body}</table>{image_of(figure)}"


def _cell(value: Any) -> str:
    return html.escape(f"{value:.4g}" if isinstance(value, float) else str(value))
