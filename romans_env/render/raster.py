"""SVG as pixels, by resvg: a small wheel for every platform, which needs no library of the system's."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import resvg_py
from PIL import Image

from romans_env.render.lettering import outlined
from romans_env.render.svg import ClassStyles, Element, as_text, styled


# Of a picture that is made of strips most have just been drawn; so many take 10 MB.
@lru_cache(maxsize=64)
def pixels(svg: Element, styles: ClassStyles, scale: float = 1.0) -> npt.NDArray[np.uint8]:
    """Render an SVG as pixels: uint8, shape (height, width, 3), read-only; what it leaves transparent is black.

    Texts are set as `outlined` says.
    """
    drawn = np.array(_image(svg, styles, scale))[..., :3].copy()
    drawn.flags.writeable = False
    return drawn


class Layer(NamedTuple):
    """What is drawn over something else.

    Attributes:
        image: its pixels with their opacity, as small as they allow.
        place: of the image's upper left pixel, (x, y).
    """

    image: Image.Image
    place: tuple[int, int]


# Of a picture that is made of layers most have just been drawn; so many take 50 MB where each is as large as a map.
@lru_cache(maxsize=24)
def layer(svg: Element, corner: tuple[int, int], styles: ClassStyles, scale: float = 1.0) -> Layer:
    """Render an SVG without a ground, to be drawn over something else.

    Args:
        svg: the drawing.
        corner: where its upper left corner is on what it is drawn over, (x, y) at scale 1.
        styles: what the classes set.
        scale: pixels for each pixel of the drawing.
    """
    image = _image(svg, styles, scale)
    left, top, right, bottom = image.getbbox() or (0, 0, 1, 1)
    place = round(corner[0] * scale) + left, round(corner[1] * scale) + top
    return Layer(image.crop((left, top, right, bottom)), place)


def over(ground: npt.NDArray[np.uint8], layers: Sequence[Layer]) -> npt.NDArray[np.uint8]:
    """Draw layers over pixels, the first one lowest: uint8, shape (height, width, 3)."""
    image = Image.fromarray(ground).convert("RGBA")
    for one in layers:
        image.alpha_composite(one.image, one.place)
    return np.array(image)[..., :3].copy()


def _image(svg: Element, styles: ClassStyles, scale: float) -> Image.Image:
    def plain(part: Element) -> Element:
        part = styled(part, styles)
        return outlined(part, styles) if part.name == "text" else part

    png = resvg_py.svg_to_bytes(svg_string=as_text(svg, plain), zoom=scale, skip_system_fonts=True)
    with Image.open(io.BytesIO(bytes(png))) as image:
        return image.convert("RGBA")


def as_png(picture: npt.NDArray[np.uint8]) -> bytes:
    """Return pixels as a PNG file."""
    file = io.BytesIO()
    Image.fromarray(picture).save(file, "png", optimize=True)
    return file.getvalue()
