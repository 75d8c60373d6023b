"""A Sphinx extension: what screen readers and keyboards need and the theme lacks.

Captions in the sidebar get the level that ARIA requires of headings; pictures in the outputs of notebooks get an
alternative text; a folded cell is announced by its visible text. The script `scrolling.js` makes wide content
scrollable by keyboard.
"""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx

_ROLE = 'class="caption" role="heading"'
_OTHER_NAME = '<summary aria-label="Toggle hidden content">'
"""A label that differs from the visible text of a folded cell."""
_UNTOLD = re.compile(r"<img (?![^>]*\balt=)")


def _on_page(_app: Sphinx, name: str, _template: str, context: dict[str, Any], _doctree: Any) -> None:
    tree = context["furo_navigation_tree"]
    context["furo_navigation_tree"] = tree.replace(_ROLE, f'{_ROLE} aria-level="2"')
    if name.startswith("notebooks/"):
        body = context["body"].replace(_OTHER_NAME, "<summary>")
        context["body"] = _UNTOLD.sub('<img alt="What the cell shows" ', body)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.add_js_file("scrolling.js", loading_method="defer")
    # Runs after the theme has built its navigation tree.
    app.connect("html-page-context", _on_page, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
