"""Converting text to outlines, because resvg would spend half of its time on shaping the same words repeatedly.

The font is DejaVu Sans, which comes with matplotlib, so pictures are the same on all machines.
"""

from __future__ import annotations

import importlib.util
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

from romans_env.render.svg import ClassStyles, Element, box, element, group, styled

_ANCHORS = {"start": 0.0, "middle": 0.5, "end": 1.0}


@lru_cache(maxsize=4096)
def outlined(text: Element, styles: ClassStyles) -> Element:
    """Return the outlines of the letters of a text element, which look like the text.

    Args:
        text: the text element. It has ``x``, ``y`` and ``font-size``, may have spans, ``font-weight``, ``fill``,
            ``text-anchor``, ``textLength`` and ``text-decoration="line-through"``, and has no class.
        styles: a function that maps the classes of the spans to the attributes they set.
    """
    said = dict(text.attributes)
    x = 0.0
    drawn = []
    for child in text.children:
        run, settings = child, said
        if isinstance(child, Element):
            (run,), settings = child.children, said | dict(styled(child, styles).attributes)
        d, width = _outline(str(run), settings.get("font-weight") == "700", x)
        drawn.append(element("path", d=d, fill=settings.get("fill", "#000")))
        x += width
    if said.get("text-decoration") == "line-through":
        drawn.append(box(0, 0.24, x, 0.07, fill=said.get("fill", "#000")))
    if not x:
        return element("g")
    size, shift = said["font-size"], _ANCHORS[said.get("text-anchor", "start")]
    width = said.get("textLength", size * x)
    return group(
        element("g", *drawn, transform=f"scale({width / x:.5g} {-size:.5g})"), x=said["x"] - shift * width, y=said["y"]
    )


@lru_cache(maxsize=4096)
def _outline(text: str, is_bold: bool, x: float) -> tuple[str, float]:
    """Return the path and the width of a text that starts at ``x``, at font size 1 and with the y axis upwards."""
    letters, cmap, advances, unit = _font("DejaVuSans-Bold.ttf" if is_bold else "DejaVuSans.ttf")
    pen, start = SVGPathPen(letters, ntos=lambda number: f"{number:.3f}"), x
    for letter in text:
        name = cmap.get(ord(letter), ".notdef")
        letters[name].draw(TransformPen(pen, (1 / unit, 0, 0, 1 / unit, x, 0)))
        x += advances[name][0] / unit
    return pen.getCommands(), x - start


@cache
def _font(file: str) -> tuple[Any, dict[int, str], Any, int]:
    """Return the glyphs of a font, the glyph name of each character, the advance widths, and the units per em."""
    # Located without importing matplotlib, which would take a quarter of a second.
    spec = importlib.util.find_spec("matplotlib")
    assert spec is not None and spec.origin is not None
    font = TTFont(Path(spec.origin).parent / "mpl-data" / "fonts" / "ttf" / file)
    head: Any = font["head"]
    return font.getGlyphSet(), font.getBestCmap() or {}, font["hmtx"].metrics, head.unitsPerEm
