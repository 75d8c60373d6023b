"""SVG as pixels, by resvg: a small wheel for every platform, which needs no library of the system's.

Letters are DejaVu Sans, which comes with matplotlib, so that a picture is the same on every machine.
"""

from __future__ import annotations

import importlib.util
import io
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
import resvg_py
from PIL import Image

FONT = "DejaVu Sans"
"""The family that an SVG must ask for: looking for others takes resvg longer than drawing."""


# Of a picture that is made of strips most have just been drawn; so many take 10 MB.
@lru_cache(maxsize=64)
def pixels(svg: str, scale: float = 1.0) -> npt.NDArray[np.uint8]:
    """An SVG as pixels: uint8, shape (height, width, 3), read-only; what it leaves transparent comes out black."""
    png = resvg_py.svg_to_bytes(
        svg_string=svg,
        zoom=scale,
        skip_system_fonts=True,
        font_files=_font_files(),
        font_family=FONT,
        sans_serif_family=FONT,
    )
    with Image.open(io.BytesIO(bytes(png))) as image:
        drawn = np.array(image)[..., :3].copy()
    drawn.flags.writeable = False
    return drawn


def as_png(picture: npt.NDArray[np.uint8]) -> bytes:
    """Pixels as a PNG file."""
    file = io.BytesIO()
    Image.fromarray(picture).save(file, "png", optimize=True)
    return file.getvalue()


@cache
def _font_files() -> list[str]:
    # Looked for, not imported: matplotlib takes a quarter of a second.
    spec = importlib.util.find_spec("matplotlib")
    assert spec is not None and spec.origin is not None
    folder = Path(spec.origin).parent / "mpl-data" / "fonts" / "ttf"
    return [str(folder / "DejaVuSans.ttf"), str(folder / "DejaVuSans-Bold.ttf")]
