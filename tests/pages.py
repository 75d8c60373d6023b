"""What is in a replay page."""

import base64
import gzip
import json
import re


def data_of(page):
    """The games of a page as its script reads them: `romans_env.render.replay_page.packed` has made the letters."""
    letters = re.search(r'<script id="data" type="text/plain">([^<]*)</script>', page)[1]
    return json.loads(gzip.decompress(base64.b64decode(letters)))
