"""Rendering SVG as pixels with resvg, which has small wheels for all platforms and needs no system library."""

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


# Most strips of a picture are the same as in the picture before; 64 strips take 10 MB.
@lru_cache(maxsize=64)
def pixels(svg: Element, styles: ClassStyles, scale: float = 1.0) -> npt.NDArray[np.uint8]:
    """Render an SVG as pixels: uint8, shape ``(height, width, 3)``, read-only. Transparent areas are black.

    Text is drawn as outlines by `outlined`.
    """
    drawn = np.array(_image(svg, styles, scale))[..., :3].copy()
    drawn.flags.writeable = False
    return drawn


class Layer(NamedTuple):
    """A rendered image to be drawn over something else.

    Attributes:
        image: the pixels with opacity, cropped to the part that is not transparent.
        place: position (x, y) of the image's upper left pixel.
    """

    image: Image.Image
    place: tuple[int, int]


# Most layers of a picture are the same as in the picture before; 24 layers take 50 MB if each is as large as a map.
@lru_cache(maxsize=24)
def layer(svg: Element, corner: tuple[int, int], styles: ClassStyles, scale: float = 1.0) -> Layer:
    """Render an SVG without a background, to be drawn over something else.

    Args:
        svg: the drawing.
        corner: position (x, y) of the drawing's upper left corner in the picture below, at scale 1.
        styles: a function that maps classes to the attributes they set.
        scale: pixels per pixel of the drawing.
    """
    image = _image(svg, styles, scale)
    left, top, right, bottom = image.getbbox() or (0, 0, 1, 1)
    place = round(corner[0] * scale) + left, round(corner[1] * scale) + top
    return Layer(image.crop((left, top, right, bottom)), place)


def over(ground: npt.NDArray[np.uint8], layers: Sequence[Layer]) -> npt.NDArray[np.uint8]:
    """Draw layers over pixels.

    Args:
        ground: uint8, shape ``(height, width, 3)``; not modified.
        layers: the layers, the lowest one first.

    Returns:
        uint8, shape ``(height, width, 3)``.
    """
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
    """Encode pixels, uint8 of shape ``(height, width, 3)``, as the contents of a PNG file."""
    file = io.BytesIO()
    Image.fromarray(picture).save(file, "png", optimize=True)
    return file.getvalue()
