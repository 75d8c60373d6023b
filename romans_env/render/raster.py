"""SVG as pixels, by resvg: a small wheel for every platform, which needs no library of the system's."""

from __future__ import annotations

import io
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import resvg_py
from PIL import Image

from romans_env.render.lettering import outlined
from romans_env.render.svg import Element, Look, as_text, styled


# Of a picture that is made of strips most have just been drawn; so many take 10 MB.
@lru_cache(maxsize=64)
def pixels(svg: Element, look: Look, scale: float = 1.0) -> npt.NDArray[np.uint8]:
    """An SVG as pixels: uint8, shape (height, width, 3), read-only; what it leaves transparent comes out black.

    Texts are set as `outlined` says.
    """

    def plain(part: Element) -> Element:
        part = styled(part, look)
        return outlined(part, look) if part.name == "text" else part

    png = resvg_py.svg_to_bytes(svg_string=as_text(svg, plain), zoom=scale, skip_system_fonts=True)
    with Image.open(io.BytesIO(bytes(png))) as image:
        drawn = np.array(image)[..., :3].copy()
    drawn.flags.writeable = False
    return drawn


def as_png(picture: npt.NDArray[np.uint8]) -> bytes:
    """Pixels as a PNG file."""
    file = io.BytesIO()
    Image.fromarray(picture).save(file, "png", optimize=True)
    return file.getvalue()
