"""Makes the pictures at the top of the README and of a shared link: the strip of games, the card, badges and the icon.

python docs/scripts/make_front.py

The badges repeat what pyproject.toml and the test workflow say; a test compares them.
"""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import matplotlib
import resvg_py
from make_pictures import roma_game, romans_go_home_game, seen, struggle_game
from PIL import Image, ImageFont
from shown import record

from romans_env.core.files import read_text, write_text
from romans_env.render import raster
from romans_env.render.picture import FONTS, Picture
from romans_env.render.renderer import renderer_of
from romans_env.render.svg import as_text, box, element, letters
from romans_serve.games.views import sheets_of

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

DOCS = Path(__file__).resolve().parents[1]
ROOT = DOCS.parent
STRIP, CARD, ICON = (
    DOCS / "pictures" / "three_games.svg",
    DOCS / "site" / "static" / "card.png",
    DOCS / "site" / "root" / "favicon.ico",
)
LOGO = DOCS / "site" / "static" / "logo-light.svg"
_HEIGHT, _GAP, _CAPTION = 480, 24, 56
_CARD_SIZE, _CARD_EDGE = (1200, 630), 48
_PAPER, _INK, _INK_IN_THE_DARK, _MUTED = "#f4f1eb", "#1f2329", "#eef1f5", "#565d67"
_BADGE_LETTERS = 'Verdana,"DejaVu Sans",sans-serif'


def pictures() -> dict[str, Picture]:
    """Return a position of each game by its caption; the third is only the map."""
    map_of = struggle_game()
    player = map_of.agent_to_act
    return {
        "Romans Go Home!": seen(romans_go_home_game()),
        "Roma": seen(roma_game()),
        "Struggle for Rome": sheets_of(renderer_of("struggle"), map_of.position(player), player)[0].picture,
    }


def strip() -> str:
    """Return the three games side by side, at the same height, as SVG."""
    content, x = "", 0.0
    for caption, picture in pictures().items():
        scale = _HEIGHT / picture.height
        width = scale * picture.width
        content += f'<g transform="translate({x:.0f} 0) scale({scale:.4f})">{picture.svg}</g>'
        place = {"x": round(x + width / 2), "y": _HEIGHT + 40, "size": 30}
        content += as_text(letters(caption, **place, text_anchor="middle", class_="caption"))
        x += width + _GAP
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {x - _GAP:.0f} {_HEIGHT + _CAPTION}" '
        f'font-family="{FONTS}"><style>.caption{{fill:{_INK}}}'
        f"@media (prefers-color-scheme:dark){{.caption{{fill:{_INK_IN_THE_DARK}}}}}</style>{content}</svg>\n"
    )


def card() -> Image.Image:
    """Return the card for shared links: the name, a description and the three games, in the usual size."""
    width, height = _CARD_SIZE
    said = (
        letters("romans-env", 190, 118, 68, font_weight="700", fill=_INK),
        letters("Reinforcement-learning environments of three strategy games", 50, 208, 31, fill=_MUTED),
        letters("with hidden information, for PettingZoo and Gymnasium", 50, 252, 31, fill=_MUTED),
    )
    ground = box(0, 0, width, height, fill=_PAPER)
    view = {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {width} {height}", "width": width, "height": height}
    image = Image.fromarray(raster.pixels(element("svg", ground, *said, **view), lambda _: {}))
    logo = _from_svg(read_text(LOGO), 118)
    image.paste(logo, (50, 32), logo)
    shown = list(pictures().values())
    free = width - 2 * _CARD_EDGE - _GAP * (len(shown) - 1)
    high = free / sum(picture.width / picture.height for picture in shown)
    x = _CARD_EDGE
    for picture in shown:
        pixels = Image.fromarray(picture.pixels(high / picture.height))
        image.paste(pixels, (x, height - _CARD_EDGE - pixels.height))
        x += pixels.width + _GAP
    return image


def _from_svg(text: str, size: int) -> Image.Image:
    return Image.open(io.BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=text, width=size, height=size)))).convert(
        "RGBA"
    )


def badges() -> dict[str, tuple[str, str]]:
    """Return the left and right texts of each badge, by the name of its file."""
    project = tomllib.loads(read_text(ROOT / "pyproject.toml"))["project"]
    minors = sorted(int(found[1]) for text in project["classifiers"] if (found := re.search(r":: 3\.(\d+)$", text)))
    workflow = read_text(ROOT / ".github" / "workflows" / "test.yml")
    systems = re.search(r"^ *os: \[(.*)\]$", workflow, re.MULTILINE)
    assert systems is not None
    names = {"ubuntu-latest": "Linux", "macos-latest": "macOS", "windows-latest": "Windows"}
    return {
        "python": ("Python", f"3.{minors[0]} to 3.{minors[-1]}"),
        "tests": ("tests", ", ".join(names[system] for system in systems[1].split(", "))),
        "interfaces": ("interfaces", "PettingZoo, Gymnasium"),
        "licence": ("licence", project["license"]),
    }


def badge(left: str, right: str) -> str:
    """Return a badge as SVG, 20 pixels high."""
    font = ImageFont.truetype(matplotlib.get_data_path() + "/fonts/ttf/DejaVuSans.ttf", 11)
    widths = [round(font.getlength(text)) + 12 for text in (left, right)]
    whole = sum(widths)
    parts = [
        element("title", f"{left}: {right}"),
        element("clipPath", box(0, 0, whole, 20, 3), id="round"),
        element(
            "g",
            box(0, 0, widths[0], 20, fill="#4a505a"),
            box(widths[0], 0, widths[1], 20, fill="#00694f"),
            clip_path="url(#round)",
        ),
        *(
            letters(
                text, x, 14, 11, text_anchor="middle", textLength=width - 12, fill="#fff", font_family=_BADGE_LETTERS
            )
            for text, width, x in ((left, widths[0], widths[0] / 2), (right, widths[1], widths[0] + widths[1] / 2))
        ),
    ]
    return (
        as_text(element("svg", *parts, xmlns="http://www.w3.org/2000/svg", width=whole, height=20, role="img")) + "\n"
    )


def main() -> None:
    """Write the pictures."""
    write_text(STRIP, strip())
    card().save(CARD, optimize=True)
    ICON.parent.mkdir(exist_ok=True)
    _from_svg(read_text(LOGO), 48).save(ICON, sizes=[(16, 16), (32, 32), (48, 48)])
    for name, said in badges().items():
        write_text(DOCS / "pictures" / f"badge_{name}.svg", badge(*said))
    record([STRIP, CARD])


if __name__ == "__main__":
    main()
