"""A picture, which notebooks show as SVG, and which can be saved to a file or rendered as pixels."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from romans_env.core.files import atomic_write, write_text
from romans_env.render.svg import ClassStyles, Element, as_text, box, element, group, styled

Theme = Literal["auto", "light", "dark"]
"""The theme of a picture; ``"auto"`` follows the reader's system."""
THEMES: tuple[Theme, ...] = ("auto", "light", "dark")


FONTS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif"


def colour_classes(colours: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return two classes for each colour of a theme: ``NAME`` fills with the colour, and ``sNAME`` strokes with it."""
    fills = {name: {"fill": colour} for name, colour in colours.items()}
    return {**fills, **{f"s{name}": {"stroke": colour} for name, colour in colours.items()}}


class Style:
    """The classes of a drawing, and the attributes that each class sets in the light and in the dark theme.

    Args:
        scope: the class of the drawing's root. The rules apply only within it, so they affect nothing else on a page.
        font: the font family of the text.
        shared: attributes that classes set in both themes, such as ``{"b": {"font-weight": "700"}}``.
        light: attributes that classes set in the light theme.
        dark: attributes that classes set in the dark theme.
    """

    def __init__(
        self,
        scope: str,
        font: str,
        shared: Mapping[str, Mapping[str, str]],
        light: Mapping[str, Mapping[str, str]],
        dark: Mapping[str, Mapping[str, str]],
    ):
        self.scope, self.font = scope, font
        self._classes = {"light": {**shared, **light}, "dark": {**shared, **dark}}
        self.by_theme = {theme: self._styles_of(theme) for theme in self._classes}
        """The attributes of classes, by theme; resvg is twice as fast with attributes as with a stylesheet."""

    def rules(self, theme: Literal["light", "dark"], within: str = "") -> str:
        """Return the stylesheet of a theme; a selector ``within`` limits it to drawings inside these elements."""
        scope = f"{within} .{self.scope}".strip()
        return "".join(
            f"{scope} .{name}{{{';'.join(f'{key}:{value}' for key, value in settings.items())}}}"
            for name, settings in self._classes[theme].items()
        )

    @property
    def rules_for_both(self) -> str:
        """A stylesheet that follows the reader's system."""
        return f"{self.rules('light')}@media (prefers-color-scheme:dark){{{self.rules('dark')}}}"

    @property
    def rules_for_page(self) -> str:
        """A stylesheet that follows the page's theme (``data-theme`` of its root) or else the reader's system."""
        dark = self.rules("dark", ":root[data-theme=dark]")
        by_system = self.rules("dark", ":root:not([data-theme=light])")
        return f"{self.rules('light')}{dark}@media (prefers-color-scheme:dark){{{by_system}}}"

    def _styles_of(self, theme: str) -> ClassStyles:
        @cache
        def styles(names: str) -> dict[str, str]:
            settings: dict[str, str] = {}
            for name in names.split():
                settings |= self._classes[theme][name]
            return settings

        return styles


class Band(NamedTuple):
    """A horizontal strip of a picture or, with height 0, a layer that is drawn beneath the next strip.

    Attributes:
        height: height of the strip in pixels at scale 1; 0 for a layer.
        content: elements with classes of the picture's style; y is 0 at the strip's upper edge.
        area: rectangle (x, y, width, height) that contains all elements of a layer, given to render it faster; None for
            the whole strip.
    """

    height: int
    content: tuple[Element, ...]
    area: tuple[int, int, int, int] | None = None


@dataclass(frozen=True)
class Picture:
    """A drawing made of bands, one below the other.

    Most moves change one or two bands, and only the changed bands are rendered again.

    Attributes:
        bands: the bands from top to bottom.
        width: width in pixels at scale 1.
        style: meaning of the classes; class ``bg`` is the background.
        theme: theme of the SVG. Pixels are rendered in the light theme unless this is ``"dark"``.
    """

    bands: tuple[Band, ...]
    width: int
    style: Style
    theme: Theme = "auto"

    def __post_init__(self) -> None:
        if self.theme not in THEMES:
            raise ValueError(f"theme is one of {', '.join(map(repr, THEMES))}, not {self.theme!r}")

    def __str__(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Picture, {self.width} x {self.height}>"

    @property
    def height(self) -> int:
        """The height of the picture in pixels at scale 1."""
        return sum(band.height for band in self.bands)

    @property
    def svg(self) -> str:
        """The drawing as a self-contained SVG document."""
        content, y = [box(0, 0, self.width, self.height, 10, class_="bg")], 0
        for band in self.bands:
            content.append(group(*band.content, y=y))
            y += band.height
        if self.theme == "auto":
            sheet = element("style", self.style.rules_for_both)
            return as_text(self._whole(self.height, sheet, *content, class_=self.style.scope))
        styles = self.style.by_theme[self.theme]
        return as_text(self._whole(self.height, *content), lambda part: styled(part, styles))

    def _repr_svg_(self) -> str:
        return self.svg

    def pixels(self, scale: float = 1.0) -> npt.NDArray[np.uint8]:
        """Render the drawing as pixels: uint8, shape ``(height * scale, width * scale, 3)``."""
        # Imported here because the import takes 20 ms and most games are never drawn.
        from romans_env.render import raster

        styles = self.style.by_theme["dark" if self.theme == "dark" else "light"]
        rows = []
        beneath: list[Band] = []
        for band in self.bands:
            if not band.height:
                beneath.append(band)
                continue
            ground = box(0, 0, self.width, band.height, class_="bg")
            if beneath:
                # Each layer is rendered by itself because most layers are unchanged and cached.
                layers = []
                for _, content, area in (*beneath, band):
                    if content:
                        area = area or (0, 0, self.width, band.height)
                        layers.append(raster.layer(self._part(area, *content), area[:2], styles, scale))
                rows.append(raster.over(raster.pixels(self._whole(band.height, ground), styles, scale), layers))
                beneath = []
            else:
                rows.append(raster.pixels(self._whole(band.height, ground, *band.content), styles, scale))
        return np.concatenate(rows)

    def save(self, path: str | os.PathLike[str], scale: float = 2.0) -> None:
        """Write the picture to a file atomically.

        Args:
            path: a path that ends in ``.svg`` or ``.png``.
            scale: pixels of a PNG per pixel of the drawing; an SVG has no pixels and ignores it.

        Raises:
            ValueError: if the path ends in anything else.
        """
        kind = Path(path).suffix.lower()
        if kind == ".svg":
            write_text(path, self.svg + "\n")
        elif kind == ".png":
            from romans_env.render import raster

            pixels = self.pixels(scale)
            with atomic_write(path) as temporary:
                temporary.write_bytes(raster.as_png(pixels))
        else:
            raise ValueError(f"a picture is a file that ends in .svg or .png, not {path}")

    def _whole(self, height: int, *children: Element, class_: str | None = None) -> Element:
        return self._part((0, 0, self.width, height), *children, class_=class_)

    def _part(self, area: tuple[int, int, int, int], *children: Element, class_: str | None = None) -> Element:
        _, _, width, height = area
        return element(
            "svg",
            *children,
            xmlns="http://www.w3.org/2000/svg",
            viewBox=" ".join(map(str, area)),
            width=width,
            height=height,
            font_family=self.style.font,
            class_=class_,
        )
