"""What is in a replay page, and the Python of the pages of the documentation."""

import base64
import gzip
import json
import re
from pathlib import Path

DOCS = Path(__file__).resolve().parents[1] / "docs"


def data_of(page):
    """The games of a page as its script reads them: `romans_env.render.replay_page.packed` has made the letters."""
    letters = re.search(r'<script id="data" type="text/plain">([^<]*)</script>', page)[1]
    return json.loads(gzip.decompress(base64.b64decode(letters)))


def run_python_of(page, blocks=slice(None), change=lambda text: text):
    """Run blocks of Python of a page of `docs/`, such as ``training/data.md``, one after the other."""
    found = re.findall(r"```python\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL)[blocks]
    assert found
    exec(compile(change("\n".join(found)), f"docs/{page}", "exec"), {"__name__": "page"})
