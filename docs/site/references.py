"""A Sphinx extension: resolves references in docstrings to public names.

A docstring uses a local name, and a type annotation the module that defines an object, while the reference lists
objects under the name by which users import them. Names of other packages, and names in backticks that are not in the
reference, stay plain text. A type of this library without an entry is left to Sphinx, which warns.
"""

from __future__ import annotations

from typing import Any

from docutils.nodes import Element, TextElement
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.nodes import make_refnode

_OWN = ("romans_env", "romans_agents", "romans_training")


def target_of(name: str, reftype: str, objects: Any) -> str | None:
    """Return the documented object that a name refers to; None if there is none, or more than one.

    Args:
        name: the name as written, such as ``Game``, ``romans_env.core.game.Game`` or ``Game.clone``.
        reftype: role of the reference, such as ``class``.
        objects: names of all documented objects.
    """
    if name in objects:
        return name
    parts = name.removesuffix("()").split(".")
    if parts[0] in _OWN:
        # Drop the module path; a name that follows a class is a member of the class.
        parts = parts[-2:] if len(parts) > 1 and parts[-2][:1].isupper() else parts[-1:]
    found = [known for known in objects if known.split(".")[-len(parts) :] == parts]
    if reftype != "obj" or parts[0][:1].isupper():
        found = [known for known in found if "." not in known or not _is_member(known, parts)] or found
    return found[0] if len(found) == 1 else None


def _is_member(known: str, parts: list[str]) -> bool:
    before = known.split(".")[: -len(parts)]
    return bool(before) and before[-1][:1].isupper()


def _resolve(app: Sphinx, env: BuildEnvironment, node: pending_xref, text: TextElement) -> Element | None:
    if node.get("refdomain") != "py":
        return None
    name = node["reftarget"]
    # Objects also have an alias entry under the module that defines them.
    objects = {known: found for known, found in env.domains.python_domain.objects.items() if not found.aliased}
    target = target_of(name, node["reftype"], objects)
    if target is not None:
        found = objects[target]
        return make_refnode(app.builder, node["refdoc"], found.docname, found.node_id, text, target)
    *modules, last = name.split(".")
    needs_a_page = modules[:1] and modules[0] in _OWN and not last.startswith("_") and node["reftype"] != "obj"
    return None if needs_a_page else text


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("missing-reference", _resolve)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
