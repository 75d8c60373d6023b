"""A Sphinx extension: the files of the page "Play", of which the rules and the network are made here.

They are scripts, as a browser loads nothing else for a page that no server sent; what they hold is compressed.
"""

from __future__ import annotations

import base64
import gzip
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
from sphinx.application import Sphinx

from romans_agents import Policy
from romans_agents.romans_go_home import styles
from romans_env.render.romans_go_home.card_help import FORT_EFFECTS, WARRIOR_EFFECTS
from romans_env.render.romans_go_home.sentences import WARRIOR_TITLES
from romans_env.render.romans_go_home.symbols import FORT_SIGNS, WARRIOR_SIGNS
from romans_env.render.theme import SEAT_MARKS
from romans_env.romans_go_home import actions, material, observation, state
from romans_env.romans_go_home.setup import Table

PLAY = Path(__file__).resolve().parent / "play"
PAGES = ("docs/index", "docs/play")
SCRIPTED = ("greedy", "legionary", "hoarder", "skirmisher")
"""The scripted players that the page offers."""
TABLES = (Table(2, 0), Table(2, 1))


def described() -> dict[str, Any]:
    """Return what the page has to know of the game, from the code: names, the layout of a record, and drawings."""
    fields = {name: [offset, int(np.prod(kind.shape))] for name, (kind, offset) in state.STATE.fields.items()}
    phases = {name: value for name, value in vars(state).items() if name.startswith("PHASE_")}
    return {
        "size": state.STATE.itemsize,
        "fields": fields,
        "phases": {name.removeprefix("PHASE_").lower(): value for name, value in phases.items()},
        "decisions": actions.KIND_OF_PHASE,
        "observation": observation.OBSERVATION_SIZE,
        "actions": actions.ACTION_NAMES,
        "warriors": [
            {"name": name, "title": WARRIOR_TITLES[name], "strength": strength, "effect": WARRIOR_EFFECTS[name]}
            for name, strength in zip(material.WARRIORS, material.STRENGTH.tolist(), strict=True)
        ],
        "forts": [
            {"name": name, "kind": name.partition("-")[0], "points": points, "effect": _effect(name)}
            for name, points in zip(material.FORTS, material.POINTS.tolist(), strict=True)
        ],
        "signs": {**WARRIOR_SIGNS, **FORT_SIGNS},
        "marks": SEAT_MARKS,
        "scripted": {name: getattr(styles, name.upper()) for name in SCRIPTED},
        "tables": {
            str(table): {
                "record": base64.b64encode(state.new_states(table, 1).tobytes()).decode(),
                "setup": table.as_json(),
                "clans": table.clans,
            }
            for table in TABLES
        },
    }


def _effect(fort: str) -> str:
    return next(effect for name, _, effect in FORT_EFFECTS if name.lower() == fort.partition("-")[0])


def network_of(path: Path) -> tuple[dict[str, Any], bytes]:
    """Return the shape of a policy file's networks, and their weights as bytes.

    These are the scale of the observation (float32), and then of each layer the biases (float32), an exponent of 2 for
    each row, and the weights, as multiples of that power (int8 both).
    """
    policy, parts = Policy.load(path), []
    parts.append(policy.scale.astype("<f4").tobytes())
    sizes = {}
    for name, layers in (("pi", policy.pi), ("vf", policy.vf)):
        sizes[name] = [layers[0][0].shape[1], *(bias.size for _, bias in layers)]
        for weight, bias in layers:
            # Of each row the lowest bit that is set in any weight.
            mantissa, exponent = np.frexp(np.abs(weight).max(axis=1))
            exponent = np.where(mantissa > 127 / 128, exponent + 1, exponent) - 7
            whole = np.ldexp(weight, -exponent[:, None])
            if (whole != np.rint(whole)).any() or np.abs(whole).max() > 127:
                raise ValueError(f"{path} has weights of more than eight bits: docs/make_play_network.py rounds them")
            parts += [bias.astype("<f4").tobytes(), exponent.astype(np.int8).tobytes(), whole.astype(np.int8).tobytes()]
    return {"sizes": sizes, "name": path.stem, "from": policy.meta["from"]}, b"".join(parts)


def write_files(folder: Path) -> None:
    """Write all files of the page into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("engine.js", "pieces.js", "board.js", "board.css", "alone.html"):
        shutil.copyfile(PLAY / name, folder / name)
    shape, weights = network_of(PLAY / "tiro.npz")
    _write_script(folder / "rules.js", "rules", described(), (PLAY / "romans-go-home.wasm").read_bytes())
    _write_script(folder / "network.js", "network", shape, weights)


def _write_script(path: Path, name: str, about: dict[str, Any], data: bytes) -> None:
    packed = base64.b64encode(gzip.compress(data, 9, mtime=0)).decode()
    text = json.dumps({**about, "data": packed}, separators=(",", ":"))
    path.write_text(f"(globalThis.RomansPlay ??= {{}}).{name} = {text};\n", encoding="utf-8")


def _on_page(app: Sphinx, name: str, *_: Any) -> None:
    if name in PAGES:
        app.add_css_file("play/board.css")
        app.add_js_file("play/board.js", loading_method="defer")


def _on_built(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        write_files(Path(app.outdir) / "_static" / "play")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("html-page-context", _on_page)
    app.connect("build-finished", _on_built)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
