"""A Sphinx extension: converts Markdown tables in docstrings to reStructuredText.

It also leaves out the base class ``object``, and gives a class whose base is a mocked library the arguments of its own
constructor instead of the mock's.
"""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx
from sphinx.util.inspect import signature as signature_of
from sphinx.util.inspect import stringify_signature

_RULE = re.compile(r"\|(?:\s*:?-+:?\s*\|)+")


def with_tables(lines: list[str]) -> list[str]:
    """Return the lines of a docstring, with each Markdown table replaced by a ``list-table``."""
    made: list[str] = []
    rest = list(lines)
    while rest:
        if len(rest) > 1 and rest[0].startswith("|") and _RULE.fullmatch(rest[1].strip()):
            size = next((k for k, line in enumerate(rest) if not line.startswith("|")), len(rest))
            made += _list_table(rest[:size])
            rest = rest[size:]
        else:
            made.append(rest.pop(0))
    return made


def _list_table(table: list[str]) -> list[str]:
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in (table[0], *table[2:])]
    has_header = any(rows[0])
    lines = [".. list-table::", *(["   :header-rows: 1"] if has_header else []), ""]
    for row in rows if has_header else rows[1:]:
        lines += [f"   {'* -' if k == 0 else '  -'} {cell}" for k, cell in enumerate(row)]
    return [*lines, ""]


def _without_a_type(_app: Sphinx, what: str, _name: str, _obj: Any, _options: Any, lines: list[str]) -> None:
    """Keep napoleon from taking the text before the first colon for the type of an attribute: annotations have it."""
    if what in ("attribute", "data", "property") and lines and ":" in lines[0]:
        lines[0] = f": {lines[0]}"


def _process(_app: Sphinx, _what: str, _name: str, _obj: Any, _options: Any, lines: list[str]) -> None:
    lines[:] = with_tables(lines)


def _bases(_app: Sphinx, _name: str, _obj: Any, _options: Any, bases: list[Any]) -> None:
    if bases == [object]:
        bases.clear()


def with_own_arguments(
    _app: Sphinx, what: str, _name: str, obj: Any, _options: Any, arguments: str | None, returns: str | None
) -> tuple[str | None, str | None]:
    """Return the signature of an object; for a class with a mocked base, that of its own constructor."""
    if what == "class" and any("__sphinx_mock__" in vars(base) for base in obj.__mro__):
        own = signature_of(obj.__init__, bound_method=True)
        arguments = stringify_signature(own, show_return_annotation=False, unqualified_typehints=True)
    return arguments, returns


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("autodoc-process-docstring", _without_a_type, priority=100)
    app.connect("autodoc-process-docstring", _process)
    app.connect("autodoc-process-bases", _bases)
    app.connect("autodoc-process-signature", with_own_arguments)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
