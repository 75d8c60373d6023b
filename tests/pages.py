"""What is in a replay page."""

from __future__ import annotations

import re

from romans_env.render.replay_page import unpacked


def data_of(page):
    """The games of a page as its script reads them."""
    return unpacked(re.search(r'<script id="data" type="text/plain">([^<]*)</script>', page)[1])
