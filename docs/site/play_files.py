"""A Sphinx extension: generates the files of the page that plays without a server.

The page uses the table of `romans serve` with a source of its own. It consists of one script, plus one for every game
with compressed data, because a browser loads nothing else for a page that is opened from disk.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
from bundle import bundled
from play_games import GAMES, PlayedGame, script_of
from sphinx.application import Sphinx

from romans_agents import Policy
from romans_agents.specs.listing import describe_agents
from romans_env.core.games import spec_of
from romans_env.render.text_interface import text_interface_of
from romans_serve.web.board_styles import style_of
from romans_serve.web.rules_pages import rules_of_page

PLAY = Path(__file__).resolve().parent / "play"
SERVED = Path(__file__).resolve().parents[2] / "serve" / "romans_serve" / "page"
"""The folder with the page of `romans serve`."""
PAGES = ("docs/index", "docs/start/play")
TIRO = {"name": "tiro", "level": 4, "about": "A small network that imitates legate."}


def write_files(folder: Path) -> None:
    """Write all files of the page into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("embed.js", "embed.css"):
        shutil.copyfile(PLAY / name, folder / name)
    (folder / "index.html").write_text(_page(), encoding="utf-8")
    (folder / "play.js").write_text(bundled("start.js", (PLAY, SERVED)), encoding="utf-8")
    styles = [(SERVED / "page.css").read_text(encoding="utf-8"), (PLAY / "play.css").read_text(encoding="utf-8")]
    (folder / "play.css").write_text("\n".join(styles), encoding="utf-8")
    for game in GAMES:
        (folder / f"board-{game.name}.css").write_text(f"{style_of(game.name)}\n", encoding="utf-8")
        shutil.copyfile(SERVED / f"{game.name}.svg", folder / f"{game.name}.svg")
        (folder / f"{game.name}.js").write_text(script_of(game), encoding="utf-8")
        _write_script(folder, f"rules-{game.name}", rules_of_page(game.name))
    shape, weights = network_of(PLAY / "tiro.npz")
    packed = base64.b64encode(gzip.compress(weights, 9, mtime=0)).decode()
    _write_script(folder, "tiro", {**shape, "data": packed})


def _page() -> str:
    """Return the page: that of `romans serve`, with another first screen and other files to load.

    Raises:
        ValueError: if the page of `romans serve` lacks a part that is replaced here.
    """
    names = [game.name for game in GAMES]
    offers = json.dumps([_offer(game) for game in GAMES]).replace("<", "\\u003c")
    home = (PLAY / "home.html").read_text(encoding="utf-8").replace("OFFERS", offers)
    # With these links in place, the table does not load the styles of the games.
    styles = "".join(f'\n<link rel="stylesheet" data-board="{name}" href="board-{name}.css">' for name in names)
    again = '<button id="again"'
    changes = {
        r'<link rel="modulepreload"[^>]*>\n': "",
        r'<link rel="stylesheet" href="/page.css">': f'<link rel="stylesheet" href="play.css">{styles}',
        r'<script type="module" src="/page.js"></script>': '<script defer src="play.js"></script>',
        r'<main id="home" hidden>.*?</main>\n': home,
        r'href="/"': 'href="index.html"',
        r", which it loads only from this server": "",
        rf'<div class="row">\s*{again}': f'<details id="thoughts" hidden></details>\n<div class="row">{again}',
    }
    text = (SERVED / "index.html").read_text(encoding="utf-8")
    for pattern, new in changes.items():
        text, number = re.subn(pattern, lambda _, new=new: new, text, flags=re.DOTALL)
        if not number:
            raise ValueError(f"the page of romans serve has no {pattern}")
    return text


def _offer(game: PlayedGame) -> dict[str, Any]:
    """Return the data about a game for the first screen."""
    described = {one.name: one for one in describe_agents(game.name)}
    rivals = [
        {"name": name, "level": described[name].level or 1, "about": described[name].summary} for name in game.scripted
    ]
    rivals += [TIRO] if game.network else []
    interface = text_interface_of(game.name)
    return {
        "game": game.name,
        "title": spec_of(game.name).title,
        "aim": list(interface.coach.aim if interface.coach else interface.aim),
        "minutes": interface.minutes,
        "setups": {name: rules.num_players for name, rules in game.setups.items()},
        "rivals": rivals,
        "opponent": rivals[-1]["name"],
        "adviser": rivals[-1]["name"],
    }


def network_of(path: Path) -> tuple[dict[str, Any], bytes]:
    """Return the shape of a policy file's networks, and their weights as bytes.

    The bytes are the scale of the observation (float32) and then, for each layer, the biases (float32), the exponent of
    2 for each row (int8), and the weights as multiples of that power of 2 (int8).
    """
    policy, parts = Policy.load(path), []
    parts.append(policy.scale.astype("<f4").tobytes())
    sizes = {}
    for name, layers in (("pi", policy.pi), ("vf", policy.vf)):
        sizes[name] = [layers[0][0].shape[1], *(bias.size for _, bias in layers)]
        for weight, bias in layers:
            # The exponent of the lowest bit that any weight of a row uses.
            mantissa, exponent = np.frexp(np.abs(weight).max(axis=1))
            exponent = np.where(mantissa > 127 / 128, exponent + 1, exponent) - 7
            whole = np.ldexp(weight, -exponent[:, None])
            if (whole != np.rint(whole)).any() or np.abs(whole).max() > 127:
                raise ValueError(
                    f"{path} has weights of more than eight bits: docs/scripts/make_play_network.py rounds them"
                )
            parts += [bias.astype("<f4").tobytes(), exponent.astype(np.int8).tobytes(), whole.astype(np.int8).tobytes()]
    return {"sizes": sizes, "name": path.stem, "from": policy.meta["from"]}, b"".join(parts)


def _write_script(folder: Path, name: str, about: dict[str, Any]) -> None:
    text = json.dumps(about, separators=(",", ":"))
    (folder / f"{name}.js").write_text(f'(globalThis.RomansPlay ??= {{}})["{name}"] = {text};\n', encoding="utf-8")


def _on_page(app: Sphinx, name: str, *_: Any) -> None:
    if name in PAGES:
        app.add_css_file("play/embed.css")
        app.add_js_file("play/embed.js", loading_method="defer")


def _on_built(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        write_files(Path(app.outdir) / "_static" / "play")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("html-page-context", _on_page)
    app.connect("build-finished", _on_built)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
