"""A Sphinx extension: the directive ``commands`` shows the ``--help`` of each command of ``romans``."""

from __future__ import annotations

import importlib
import os
from unittest import mock

import click
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

_WIDTH = 88


class Commands(SphinxDirective):
    """A section for each command, with its help as text."""

    def run(self) -> list[nodes.Node]:
        main = importlib.import_module("romans_training.cli.main")
        group = main.romans
        context = click.Context(group, info_name="romans")
        sections: list[nodes.Node] = []
        # Help is wrapped to the same width everywhere, whatever terminal builds the site.
        with mock.patch.dict(os.environ, {"COLUMNS": str(_WIDTH)}):
            for name in group.list_commands(context):
                command = group.get_command(context, name)
                assert command is not None
                inner = command.context_class(
                    command, parent=context, info_name=name, terminal_width=_WIDTH, max_content_width=_WIDTH
                )
                section = nodes.section(ids=[f"romans-{name}"], names=[f"romans {name}"])
                section += nodes.title("", "", nodes.literal("", f"romans {name}"))
                section += nodes.literal_block("", command.get_help(inner), language="none")
                sections.append(section)
        return sections


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.add_directive("commands", Commands)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
