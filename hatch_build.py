"""Metadata of a build: the README as it is shown outside the repository, and the links to where that is hosted."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_VARIABLE = "ROMANS_ENV_REPOSITORY"
"""Environment variable with the address of the repository, such as https://github.com/OWNER/NAME; the workflow that
releases sets it. Without it a build has no links."""
_VERSION = re.compile(r'^__version__ = "([^"]+)"$', re.MULTILINE)
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\((?!\w+:|#)([^)\s]+)\)")


class Metadata(MetadataHookInterface):
    """Sets ``readme`` and ``urls``."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the fields; ValueError for an address that is none."""
        root, address = Path(self.root), os.environ.get(_VARIABLE, "").rstrip("/")
        text = (root / "README.md").read_text(encoding="utf-8")
        if address:
            if not re.fullmatch(r"https://[\w.-]+/[\w.-]+/[\w.-]+", address):
                raise ValueError(f"{_VARIABLE} is an address such as https://github.com/OWNER/NAME, not {address!r}")
            match = _VERSION.search((root / "romans_env" / "__init__.py").read_text(encoding="utf-8"))
            assert match is not None
            tag = f"v{match[1]}"
            text = with_whole_links(text, address, tag)
            metadata["urls"] = {
                "Homepage": address,
                "Documentation": f"{address}/tree/{tag}/docs",
                "Source": address,
                "Changelog": f"{address}/blob/{tag}/CHANGELOG.md",
                "Issues": f"{address}/issues",
            }
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def with_whole_links(text: str, address: str, tag: str) -> str:
    """A page with addresses in place of relative links; those within the page stay.

    Args:
        text: of a page at the top of the repository, as Markdown.
        address: of the repository.
        tag: of the release.
    """
    return _LINK.sub(
        lambda link: f"{link[1]}[{link[2]}]({address}/{'raw' if link[1] else 'blob'}/{tag}/{link[3]})", text
    )
