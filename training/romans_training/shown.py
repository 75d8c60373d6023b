"""Results that display as a table and a figure in a notebook."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from romans_env.errors import needs_extra

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame


class ShownResult:
    """Base class of results: a table of rows (``frame``) and a notebook display (``_repr_html_``)."""

    def rows(self) -> list[dict[str, Any]]:
        """Return the rows of the table; an estimate ``x`` has its 95 % interval in ``x_low`` and ``x_high``."""
        raise NotImplementedError

    def heading(self) -> str:
        """Return a line that says what was measured."""
        raise NotImplementedError

    def figure(self) -> Figure:
        """Draw the result as a matplotlib figure that is not registered with pyplot."""
        raise NotImplementedError

    @property
    def frame(self) -> DataFrame:
        """The rows as a pandas table.

        Raises:
            ModuleNotFoundError: if pandas is missing, which the extra ``analysis`` installs.
        """
        with needs_extra("a table of results", "analysis"):
            import pandas
        frame: DataFrame = pandas.DataFrame(self.rows())
        return frame

    def _repr_html_(self) -> str:
        return html_of(self.heading(), self.rows(), self.figure())


def html_of(heading: str, rows: Sequence[dict[str, Any]], figure: Figure) -> str:
    """Return a heading, a table and a figure as HTML; their texts are escaped."""
    from romans_training.figures import image_of

    names = list(rows[0]) if rows else []
    head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
    body = "".join(f"<tr>{''.join(f'<td>{_cell(row[name])}</td>' for name in names)}</tr>" for row in rows)
    return f"<b>{html.escape(heading)}</b><table><tr>{head}</tr>{body}</table>{image_of(figure)}"


def _cell(value: Any) -> str:
    return html.escape(f"{value:.4g}" if isinstance(value, float) else str(value))
