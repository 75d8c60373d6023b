"""Replays as one page: whole games in a file that needs nothing else, neither the network nor this package."""

from __future__ import annotations

import base64
import gzip
import html
import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib import resources
from typing import Any, cast

from romans_env.core.files import write_text
from romans_env.core.game import Game
from romans_env.core.games import spec_of
from romans_env.core.record_playback import replay
from romans_env.render.picture import Picture
from romans_env.render.svg import Element, as_text

_FORMAT = 1


@dataclass(frozen=True)
class Assessment:
    """What a choice was worth, by a review of the game; texts are in words.

    Attributes:
        player: who chose.
        grade: ``good``, ``doubtful`` or ``wrong``.
        loss: what the choice was worth less than the best one, as a share of the win.
        shares: the share of the win that the player could expect, by choice, the best one first.
        played: the choice.
    """

    player: str
    grade: str
    loss: float
    shares: Mapping[str, float]
    played: str


@dataclass(frozen=True)
class Opinion:
    """What an agent thinks of a decision.

    Attributes:
        agent: who thinks so.
        probabilities: by name, how likely it is to choose each action.
        value: the return that it expects for the seat to act; None where it does not say.
        assessment: of the choice that was made, in a review.
    """

    agent: str
    probabilities: Mapping[str, float]
    value: float | None = None
    assessment: Assessment | None = None


@dataclass(frozen=True)
class Frame:
    """A moment as one viewer sees it.

    Attributes:
        section: the part of the game to which the page has a button, such as ``Round 2``.
        turn: within the section; 0 before the first.
        picture: the picture of the position.
        lines: what has happened since the frame before, in words.
        moment: its number, by which frames of several viewers belong together.
        chosen: the action that is about to be chosen, in words, where the viewer may know.
        opinion: what an agent thinks of the decision, with the actions in words.
        narrow: the picture for a narrow screen; None: the same one.
    """

    section: str
    turn: int
    picture: Picture
    lines: Sequence[str]
    moment: int = 0
    chosen: str | None = None
    opinion: Opinion | None = None
    narrow: Picture | None = None


@dataclass(frozen=True)
class SymbolGroup:
    """Symbols of a game's pictures that belong together, for the page's legend.

    Attributes:
        title: what they stand for, such as ``Forts``.
        entries: a symbol, 24 by 24, with classes of the pictures' style, and what it means.
    """

    title: str
    entries: Sequence[tuple[Element, str]]


@dataclass(frozen=True)
class ReplayedGame:
    """A game on a page.

    Attributes:
        title: the title of the game.
        frames: by viewer, the game as it sees it: one frame or more, in order.
        agents: the agents, by player.
        start: number of the moment at which the page opens it.
        legend: what the symbols of its pictures mean.
        review: sentences about the game as a whole, where there is a review of it.
    """

    title: str
    frames: Mapping[str, Sequence[Frame]]
    agents: Mapping[str, str] = field(default_factory=dict)
    start: int = 0
    legend: Sequence[SymbolGroup] = ()
    review: Sequence[str] = ()

    @property
    def first_frames(self) -> Sequence[Frame]:
        """The frames of the first viewer, whom the page shows first."""
        return next(iter(self.frames.values()))


@dataclass(frozen=True)
class ReplayPage:
    """A page with one game or several; notebooks show it.

    Attributes:
        games: in order; one or more.
    """

    games: Sequence[ReplayedGame]

    def __repr__(self) -> str:
        return f"<ReplayPage, {len(self.games)} game{'' if len(self.games) == 1 else 's'}>"

    @property
    def html(self) -> str:
        """The whole page."""
        style = self.games[0].first_frames[0].picture.style
        parts = {
            "title": html.escape(self.games[0].title if len(self.games) == 1 else f"{len(self.games)} games"),
            "style": _part("replay.css") + style.rules_for_page,
            "script": _part("replay.js"),
            "scope": style.scope,
            "font": html.escape(style.font),
            "games": packed([_as_json(game) for game in self.games]),
        }
        # In one pass: a name in the title may look like a placeholder.
        return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], _part("replay.html"))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page, whole or not at all."""
        write_text(path, self.html)

    def _repr_html_(self) -> str:
        """Return the page in a frame, over a picture of its first moment, left where a code host strips frames."""
        # Imported here: that takes 20 ms, and most pages are files.
        from romans_env.render import raster

        game, page = self.games[0], html.escape(self.html)
        png = base64.b64encode(raster.as_png(game.first_frames[game.start].picture.pixels())).decode()
        place = "position:absolute;inset:0;width:100%;height:760px;border:0"
        return (
            f'<div style="position:relative;min-height:760px"><img src="data:image/png;base64,{png}" alt="replay">'
            f'<iframe srcdoc="{page}" style="{place}" title="replay"></iframe></div>'
        )


Opinions = Sequence[Opinion | None]


def replay_page(
    games: Any,
    viewer: str | None = None,
    opinions: Opinions | Sequence[Opinions | None] | None = None,
    start: int | Sequence[int] = 0,
) -> ReplayPage:
    """Return one game or several as a page: played, stepped through, told in words; from any seat or as they are.

    Args:
        games: a record or a `Game` with its past, or a list of them.
        viewer: a player, from whose seat alone everything is shown: the page holds nothing that it may not know.
        opinions: of one game: for every action what an agent thinks of the decision, or None; of a list of games: a
            list of such lists, or of None.
        start: the action before which the page opens a game, as of the deal; of a list of games one for all, or a list.

    Raises:
        RecordError: a record that does not fit the rules, saying where.
        ValueError: no games, opinions or starts that do not fit them, a viewer who does not play, or a determinization.
    """
    if isinstance(games, (dict, Game)):
        games, thought = [games], [cast("Opinions | None", opinions)]
    else:
        thought = [None] * len(games) if opinions is None else list(cast("Sequence[Opinions | None]", opinions))
    if not games:
        raise ValueError("there is no game to show; give a record, or a list with one or more")
    if len(thought) != len(games):
        raise ValueError(f"opinions on {len(thought)} games for {len(games)} games: give a list, or None, for each")
    starts = [start] * len(games) if isinstance(start, int) else list(start)
    if len(starts) != len(games):
        raise ValueError(f"{len(starts)} starts for {len(games)} games: give one for all, or one for each")
    played = [game if isinstance(game, Game) else replay(game) for game in games]
    return ReplayPage(
        [
            spec_of(game.rules.name).part("renderer").replay(game, viewer, opinion, start=opens)
            for game, opinion, opens in zip(played, thought, starts, strict=True)
        ]
    )


def check_request(game: Game, viewer: str | None, opinions: Sequence[Opinion | None] | None, start: int) -> None:
    """Check that a game can be shown as asked; the arguments are those of `romans_env.render.renderer.Renderer.replay`.

    Raises:
        ValueError: a viewer who does not play, opinions of another number than actions, a start that the game has not,
            or a determinization.
    """
    if not 0 <= start <= len(game.actions):
        raise ValueError(f"a game of {len(game.actions)} actions starts at one of them, not at {start}")
    if viewer is not None and viewer not in game.players:
        raise ValueError(f"there is no {viewer!r}; the players are {', '.join(game.players)}")
    if opinions is not None and len(opinions) != len(game.actions):
        raise ValueError(f"{len(opinions)} opinions for {len(game.actions)} actions: give one, or None, for each")


def packed(data: Any) -> str:
    """Return JSON-able data as letters that may stand in a page: compressed, a tenth of its size."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()


def _as_json(game: ReplayedGame) -> dict[str, Any]:
    """Return a game as the page's script reads it; equal bands of pictures are kept once."""
    bands: dict[tuple[Element, ...], int] = {}
    views = []
    for viewer, seen in game.frames.items():
        frames = []
        for frame in seen:
            numbers = [bands.setdefault(band.content, len(bands)) for band in frame.picture.bands]
            said: dict[str, Any] = {
                "moment": frame.moment,
                "section": frame.section,
                "turn": frame.turn,
                "bands": numbers,
                "lines": list(frame.lines),
            }
            if frame.narrow is not None:
                said["narrow"] = [
                    [band.height, bands.setdefault(band.content, len(bands))] for band in frame.narrow.bands
                ]
            if frame.chosen is not None:
                said["chosen"] = frame.chosen
            if frame.opinion is not None:
                said["opinion"] = _opinion_as_json(frame.opinion)
            frames.append(said)
        views.append({"viewer": viewer, "frames": frames})
    picture, narrow = game.first_frames[0].picture, game.first_frames[0].narrow
    return {
        "format": _FORMAT,
        "title": game.title,
        "agents": dict(game.agents),
        "start": game.start,
        "review": list(game.review),
        "legend": [
            {"title": symbols.title, "entries": [[as_text(symbol), text] for symbol, text in symbols.entries]}
            for symbols in game.legend
        ],
        "width": picture.width,
        "narrow_width": narrow.width if narrow else None,
        "heights": [band.height for band in picture.bands],
        "bands": ["".join(map(as_text, content)) for content in bands],
        "views": views,
    }


def _opinion_as_json(opinion: Opinion) -> dict[str, Any]:
    ranked = sorted(opinion.probabilities.items(), key=lambda item: -item[1])
    return {
        "agent": opinion.agent,
        "probabilities": [[name, round(float(probability), 4)] for name, probability in ranked],
        "value": None if opinion.value is None else round(float(opinion.value), 3),
        **({} if opinion.assessment is None else {"assessment": _assessment_as_json(opinion.assessment)}),
    }


def _assessment_as_json(assessment: Assessment) -> dict[str, Any]:
    shares = [[name, round(float(share), 3)] for name, share in assessment.shares.items()]
    return {**asdict(assessment), "loss": round(float(assessment.loss), 3), "shares": shares}


def _part(name: str) -> str:
    return resources.files("romans_env.render.page").joinpath(name).read_text(encoding="utf-8")
