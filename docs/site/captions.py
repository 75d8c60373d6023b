"""A Sphinx extension: captions of the sidebar say their level, as ARIA asks of what has the role of a heading."""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx

_ROLE = 'class="caption" role="heading"'


def _on_page(_app: Sphinx, _name: str, _template: str, context: dict[str, Any], _doctree: Any) -> None:
    tree = context["furo_navigation_tree"]
    context["furo_navigation_tree"] = tree.replace(_ROLE, f'{_ROLE} aria-level="2"')


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    # After the theme has made its tree of pages.
    app.connect("html-page-context", _on_page, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
