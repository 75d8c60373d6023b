"""A game's aim, cards and rules, for the page."""

from __future__ import annotations

from functools import cache
from typing import Any

from romans_env.core.games import spec_of
from romans_env.render.text_interface import text_interface_of
from romans_serve.games.views import table_as_json


@cache
def rules_of_page(game: str) -> dict[str, Any]:
    """Return the rules of a game for the page.

    Returns:
        A dictionary with these keys:

        - ``title``: the title of the game.
        - ``aim``: a list of lines.
        - ``tables``: a list of tables, each with ``title``, ``columns`` and ``rows``.
        - ``coach``: the explanations that a player gets in a first game, see `romans_env.render.coach.Coach.as_json`;
          None if the game has no explanations.
        - ``html``: the page of rules or, without one, the text of the rules; empty if the game has neither.
    """
    # Imported here, because it is needed only once a player opens the rules.
    from markdown_it import MarkdownIt

    terminal = text_interface_of(game)
    text = "\n".join(terminal.rules_text)
    if terminal.rules_page is not None and terminal.rules_page.exists():
        text = terminal.rules_page.read_text(encoding="utf-8")
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table").disable(["image", "link", "autolink"])
    return {
        "title": spec_of(game).title,
        "aim": list(terminal.aim),
        "tables": [table_as_json(table) for table in terminal.help_tables],
        "coach": terminal.coach.as_json() if terminal.coach else None,
        "html": markdown.render(text),
    }
