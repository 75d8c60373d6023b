"""Letters as outlines: half of resvg's time goes into looking up and shaping words, the same ones again and again.

The letters are those of DejaVu Sans, which comes with matplotlib; so a picture is the same on every machine.
"""

from __future__ import annotations

import html
import importlib.util
import re
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

from romans_env.render.svg import box, element, group

_TEXT = re.compile(r"<text([^>]*)>(.*?)</text>", re.DOTALL)
_SPAN = re.compile(r"<tspan([^>]*)>(.*?)</tspan>", re.DOTALL)
_ATTRIBUTE = re.compile(r' ([\w-]+)="([^"]*)"')
_ANCHORS = {"start": 0.0, "middle": 0.5, "end": 1.0}


def outlined(svg: str) -> str:
    """The SVG with outlines in place of its text elements.

    Texts may have spans, ``font-size``, ``font-weight``, ``fill``, ``text-anchor``, ``textLength`` and
    ``text-decoration="line-through"``.
    """
    return _TEXT.sub(lambda found: _as_path(found[1], found[2]), svg)


@lru_cache(maxsize=4096)
def _as_path(attributes: str, content: str) -> str:
    said = dict(_ATTRIBUTE.findall(attributes))
    runs, end = [], 0
    for span in _SPAN.finditer(content):
        runs += [(content[end : span.start()], said), (span[2], {**said, **dict(_ATTRIBUTE.findall(span[1]))})]
        end = span.end()
    runs.append((content[end:], said))
    size, x = float(said["font-size"]), 0.0
    drawn = []
    for text, look in runs:
        d, width = _outline(html.unescape(text), look.get("font-weight") == "700", x)
        drawn.append(element("path", d=d, fill=look.get("fill", "#000")))
        x += width
    if said.get("text-decoration") == "line-through":
        drawn.append(box(0, 0.24, x, 0.07, fill=said.get("fill", "#000")))
    if not x:
        return ""
    shift = _ANCHORS[said.get("text-anchor", "start")]
    width = float(said["textLength"]) if "textLength" in said else size * x
    return group(
        element("g", *drawn, transform=f"scale({width / x:.5g} {-size:.5g})"),
        x=float(said["x"]) - shift * width,
        y=float(said["y"]),
    )


@lru_cache(maxsize=4096)
def _outline(text: str, is_bold: bool, x: float) -> tuple[str, float]:
    """The path of a text that starts at x, y upwards, and its width; 1 is the size of the letters."""
    letters, cmap, advances, unit = _font("DejaVuSans-Bold.ttf" if is_bold else "DejaVuSans.ttf")
    pen, start = SVGPathPen(letters, ntos=lambda number: f"{number:.3f}"), x
    for letter in text:
        name = cmap.get(ord(letter), ".notdef")
        letters[name].draw(TransformPen(pen, (1 / unit, 0, 0, 1 / unit, x, 0)))
        x += advances[name][0] / unit
    return pen.getCommands(), x - start


@cache
def _font(file: str) -> tuple[Any, dict[int, str], Any, int]:
    """Glyphs, the glyph of every letter, advance widths, and units of the letters' size."""
    # Looked for, not imported: matplotlib takes a quarter of a second.
    spec = importlib.util.find_spec("matplotlib")
    assert spec is not None and spec.origin is not None
    font = TTFont(Path(spec.origin).parent / "mpl-data" / "fonts" / "ttf" / file)
    return font.getGlyphSet(), font.getBestCmap(), font["hmtx"].metrics, font["head"].unitsPerEm
