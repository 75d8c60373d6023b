"""Makes attack.svg, an animation of the last round of the game in attack.json, drawn like a replay.

python docs/scripts/make_attack.py

The game is that of seed 114 between schemer and legate-1, seeded with 114 and 115.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from romans_env import Game, replay
from romans_env.core.event import Event
from romans_env.core.files import json_of, read_text, write_text
from romans_env.render.picture import Picture
from romans_env.render.replay_frames import Moment, moments_of
from romans_env.render.romans_go_home.drawing import draw
from romans_env.render.romans_go_home.sentences import WARRIOR_TITLES
from romans_env.render.romans_go_home.text_interface import lines_of
from romans_env.render.seat_names import MARKS
from romans_env.render.svg import Element, as_text, box, element, group
from romans_env.render.text_interface import NO_BREAK

RECORD = Path(__file__).with_name("attack.json")
PICTURE = Path(__file__).resolve().parents[1] / "pictures" / "attack.svg"
WIDTH, SECONDS, FADE = 800, 25, 0.15
"""Of the picture in pixels, of the whole, and of a change at most."""
STILL = "Qween charms"
_PLANNED = "The plans: a warrior for each fort, face-down, and one set aside"
_SENTENCE, _CAPTION_HEIGHT, _EDGE = 15, 44, 14
_SHORTEST_SHARED = 100
"""Least number of letters of an element that is written once and then referenced."""
_BOLD = re.compile(r"(player_\d|^(?:Round|Turn) \d|^The plans)")
_AT_ONCE = "animation-timing-function:step-start"


class Frame(NamedTuple):
    """A frame of the animation.

    Attributes:
        picture: the picture of the position.
        sentence: the sentence below it.
        weight: how long it is shown, relative to the other frames.
    """

    picture: Picture
    sentence: str
    weight: float


def attack() -> str:
    """Return the animation of the last round of the game, as SVG."""
    game = replay(json_of(read_text(RECORD)))
    moments = list(moments_of(game))
    starts = [number for number, moment in enumerate(moments) if any(event.kind == "round" for event in moment.events)]
    return moving(list(frames_of(game, moments[starts[-1] :])))


def frames_of(game: Game, moments: Sequence[Moment]) -> Iterator[Frame]:
    """Yield the frames of a round, beginning with the hands that the players plan with."""
    names = ", ".join(f"{player} is {agent}" for player, agent in (game.agents or {}).items())
    sentence, before = f"Round {moments[0].game.position()['round']}: {names}", None
    for moment in moments:
        here = moment.game.position()
        is_the_end = moment.game.is_over and moment.action is not None
        if here["turn"] == 1 and before is not None and before["turn"] == 0:
            yield Frame(draw(_planned(before, here)), _PLANNED, 16)
        said = _sentence(game, moment.events)
        sentence = said or sentence
        picture = draw(here, winners=moment.game.winners() if is_the_end else ())
        if here["turn"] == 0:
            yield Frame(picture, sentence, 10 if before is None else 1)
        elif is_the_end:
            yield Frame(picture, sentence, 38)
        elif said or moment.action is None:
            yield Frame(picture, sentence, (4 + len(said) / 4) if said else 3)
        before = here


def _planned(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """Return the position between the last plan and the first turn, which a replay does not show."""
    revealed = after["this_turn"]["revealed"]
    clans = {
        clan: {**cards, "hidden": [revealed[clan], *cards["hidden"]], "face_up": []}
        for clan, cards in after["clans"].items()
    }
    return {**before, "decision": None, "clans": clans}


def _sentence(game: Game, events: Sequence[Event]) -> str:
    """Return a short sentence about what happened; "" if cards were only discarded."""
    before, said = "", []
    for event in events:
        (line,) = lines_of(game, [event], None) or [""]
        details = event.details
        if event.kind == "reveal":
            warriors = " against ".join(WARRIOR_TITLES[name] for name in details["warriors"].values())
            said.append(f"{line.partition(':')[0]}: {warriors}")
        elif event.kind == "totals" and "charm" in details:
            charm = details["charm"]
            before = f"Qween charms {charm['clan']}'s {WARRIOR_TITLES[charm['warrior']]}: "
        elif event.kind == "leaves" and details["stay"]:
            said.append(f"{details['clan']} keeps {', '.join(WARRIOR_TITLES[name] for name in details['stay'])}")
        elif event.kind in ("wrecked", "nobody", "capture", "loses", "pays", "end"):
            said.append(before + line.strip().removeprefix("== The end == "))
    return "; ".join(said)


def moving(frames: Sequence[Frame]) -> str:
    """Return an SVG that repeats the frames, and follows the reader's preferences for theme and motion.

    Every frame fades in over the one before. Readers who prefer no motion, or whose program shows none, see one
    eventful frame.
    """
    first = frames[0].picture
    height = first.height + _CAPTION_HEIGHT
    seconds = SECONDS / sum(frame.weight for frame in frames)
    still = next(k for k, frame in enumerate(frames) if frame.sentence.startswith(STILL))
    shared: dict[Element, str] = {}
    drawn, keyframes, start = [], [], 0.0
    for number, frame in enumerate(frames):
        end = start + seconds * frame.weight
        parts = [box(0, 0, first.width, height, 10, class_="bg"), *_strips(frame)]
        content = [_shared(part, shared) for part in parts]
        if number:
            drawn.append(
                element("g", *content, class_="f", style=f"animation-name:f{number}", opacity=int(number == still))
            )
            keyframes.append(_keyframes(number, start, end))
        else:
            drawn.append(element("g", *content))
        start = end
    style = first.style
    rules = style.rules_for_both.replace(f".{style.scope} ", "")
    rules += f".f{{animation:{SECONDS}s linear infinite}}{''.join(keyframes)}"
    rules += "@media (prefers-reduced-motion:reduce){.f{animation:none!important}}"
    kept = [Element(part.name, (("id", name), *part.attributes), part.children) for part, name in shared.items()]
    whole = element(
        "svg",
        element("title", f"Romans Go Home!: {frames[0].sentence}"),
        element("style", rules),
        element("defs", *kept),
        *drawn,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {first.width} {height}",
        width=WIDTH,
        height=round(height * WIDTH / first.width),
        font_family=style.font,
    )
    return as_text(whole) + "\n"


def _strips(frame: Frame) -> Iterator[Element]:
    """Return the strips of the picture, with the sentence below them."""
    y = 0
    for band in frame.picture.bands:
        yield group(*band.content, y=y)
        y += band.height
    yield group(_caption(frame), y=y)


def _caption(frame: Frame) -> Element:
    """Return the sentence with the players' names and marks, and the turn in bold."""
    spans: list[Element | str] = []
    for word in _BOLD.split(frame.sentence):
        if word.startswith("player_"):
            seat = int(word[-1])
            spans.append(element("tspan", f"{MARKS[seat]}{NO_BREAK}", class_=f"c{seat}"))
        spans.append(element("tspan", word, class_="b") if _BOLD.fullmatch(word) else word)
    return element("text", *spans, x=_EDGE, y=25, font_size=_SENTENCE, class_="ink")


def _keyframes(number: int, start: float, end: float) -> str:
    """Return the keyframes of a frame: visible until the next one covers it; the last fades into the first."""
    # Fast changes do not fade, because one would run into the next.
    fade = FADE if end - start > 2 * FADE else 0.01
    is_last = end > SECONDS - FADE
    gone = f"{_share(end - FADE)}{{opacity:1}}" if is_last else f"{_share(end + FADE)}{{opacity:1;{_AT_ONCE}}}"
    return f"@keyframes f{number}{{0%,{_share(start)},to{{opacity:0}}{_share(start + fade)}{{opacity:1}}{gone}}}"


def _share(seconds: float) -> str:
    return f"{100 * min(seconds / SECONDS, 1):.5g}%"


def _shared(part: Element, shared: dict[Element, str]) -> Element:
    """Return an element in which repeated parts are replaced by references to one definition."""
    children = tuple(child if isinstance(child, str) else _shared(child, shared) for child in part.children)
    part = part._replace(children=children)
    if part.name != "g":
        return part
    body = element("g", *children)
    if len(as_text(body)) < _SHORTEST_SHARED:
        return part
    name = shared.setdefault(body, f"s{len(shared)}")
    return Element("use", (("href", f"#{name}"), *part.attributes), ())


if __name__ == "__main__":
    from shown import record

    write_text(PICTURE, attack())
    record([PICTURE])
