"""A Sphinx extension for link previews: each page gets a title, a description and a picture (Open Graph).

So does the page at the root of the site, which redirects to the first page. The picture needs an absolute address; it
is left out unless the address of the site is known (`html_baseurl`).
"""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

_LONGEST = 200
"""Longest description in letters; programs cut off longer ones."""
_PICTURE = "_static/card.png"
_PICTURE_ALT = "A position of each of the three games"


def description_of(doctree: nodes.document) -> str:
    """Return the first paragraph of a page, shortened between words; "" for a page without one."""
    for paragraph in doctree.findall(nodes.paragraph):
        text = " ".join(paragraph.astext().split())
        # Skip paragraphs that consist of a picture or a link.
        if len(text.split()) > 3 and not isinstance(paragraph.parent, nodes.entry):
            return text if len(text) <= _LONGEST else text[:_LONGEST].rsplit(" ", 1)[0] + " …"
    return ""


def tags_of(title: str, description: str, site: str, address: str) -> str:
    """Return the meta elements for a page's head.

    Args:
        title: title as plain text.
        description: description as plain text.
        site: address of the site, ending in a slash; empty if unknown.
        address: address of the page; empty if unknown.
    """
    properties = {"og:type": "website", "og:site_name": "romans-env", "og:title": title, "og:description": description}
    if site:
        properties |= {"og:url": address, "og:image": site + _PICTURE, "og:image:alt": _PICTURE_ALT}
    tags = [f'<meta property="{name}" content="{escape(value)}">' for name, value in properties.items() if value]
    if description:
        tags.append(f'<meta name="description" content="{escape(description)}">')
    if site:
        tags.append('<meta name="twitter:card" content="summary_large_image">')
    return "\n".join(tags)


def _on_page(app: Sphinx, _name: str, _template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    if doctree is not None:
        title = re.sub(r"<[^>]+>", "", context["title"])
        tags = tags_of(title, description_of(doctree), _site(app), context.get("pageurl") or "")
        context["metatags"] = f"{context.get('metatags', '')}\n{tags}\n"


def _on_built(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        first, site = f"{app.config.root_doc}.html", _site(app)
        description = description_of(app.env.get_doctree(app.config.root_doc))
        page = (
            '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>romans-env</title>\n'
            f'<meta http-equiv="refresh" content="0; url={first}">\n'
            f'<link rel="icon" href="_static/{Path(app.config.html_favicon).name}">\n'
            f'{tags_of("romans-env", description, site, site)}\n<a href="{first}">romans-env</a>\n</html>\n'
        )
        (Path(app.outdir) / "index.html").write_text(page, encoding="utf-8")


def _site(app: Sphinx) -> str:
    address = app.config.html_baseurl
    return f"{address.rstrip('/')}/" if address else ""


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    # Runs after the theme, which sets the address of the page.
    app.connect("html-page-context", _on_page, priority=900)
    # Runs after sphinx_external_toc, which also writes a page at the root.
    app.connect("build-finished", _on_built, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
