"""A picture: SVG that notebooks show, and that becomes a file or pixels."""

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
"""How a picture is coloured; ``"auto"`` is light, or dark where the reader's system is."""
THEMES: tuple[Theme, ...] = ("auto", "light", "dark")


FONTS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif"


def colour_classes(colours: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return classes of a theme: each fills with its colour, and with an ``s`` before its name draws a line in it."""
    fills = {name: {"fill": colour} for name, colour in colours.items()}
    return {**fills, **{f"s{name}": {"stroke": colour} for name, colour in colours.items()}}


class Style:
    """The classes of a drawing: what each one sets, by theme.

    Args:
        scope: a class of the drawing's root; the rules hold within it, so that they touch nothing else on a page.
        font: the font family of its letters.
        shared: what a class sets in both themes: ``{"b": {"font-weight": "700"}}``.
        light: what it sets in the light theme.
        dark: what it sets in the dark theme.
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
        """By theme: what classes set, for programs that know no stylesheets; and resvg is twice as fast without one."""

    def rules(self, theme: Literal["light", "dark"], within: str = "") -> str:
        """Return the theme as a stylesheet, which with a selector in ``within`` holds within its elements alone."""
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
        """A stylesheet that follows a page's own theme (``data-theme`` of its root), and else the reader's system."""
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
    """A strip across a picture; or, of height 0, a layer beneath the content of the next strip that has a height.

    Attributes:
        height: in pixels at scale 1; 0 for a layer.
        content: its elements, with classes of the style; y is 0 at the strip's upper edge.
        area: of a layer, the rectangle that its elements stay within, (x, y, width, height); it is drawn faster than
            one that has none.
    """

    height: int
    content: tuple[Element, ...]
    area: tuple[int, int, int, int] | None = None


@dataclass(frozen=True)
class Picture:
    """A drawing: bands, one below the other. Most moves change one or two, and the others need not be made again.

    Attributes:
        bands: from top to bottom.
        width: in pixels at scale 1.
        style: what the classes mean; ``bg`` is the ground.
        theme: the theme of the SVG; pixels are light unless it is ``"dark"``.
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
        """In pixels at scale 1."""
        return sum(band.height for band in self.bands)

    @property
    def svg(self) -> str:
        """The drawing as a whole SVG that needs nothing else."""
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
        """Render the drawing as pixels: uint8, shape (height, width, 3), both times ``scale``."""
        # Imported here: that takes 20 ms, and most games are never drawn.
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
                # Each by itself, as most of them have just been drawn.
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
        """Write the picture, whole or not at all.

        Args:
            path: ends in ``.svg`` or ``.png``.
            scale: the size of a PNG, in pixels for each pixel of the drawing.

        Raises:
            ValueError: for a file of another kind.
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
