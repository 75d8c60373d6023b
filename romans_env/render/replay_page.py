"""Replay pages: whole games in one HTML file that needs neither the network nor this package."""

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
    """A review's assessment of the choice that a player made; actions are in words.

    Attributes:
        player: the player who chose.
        grade: ``good``, ``doubtful`` or ``wrong``.
        loss: the share of the win that the choice gave away compared with the best choice, in [0, 1].
        shares: the share of the win to expect from each choice, by choice, the best choice first.
        played: the choice that the player made.
    """

    player: str
    grade: str
    loss: float
    shares: Mapping[str, float]
    played: str


@dataclass(frozen=True)
class Opinion:
    """An agent's opinion on a decision: how it would choose, and the return it expects.

    Attributes:
        agent: the name of the agent.
        probabilities: the probability with which the agent would choose each action, by the action's name.
        value: the return that the agent expects for the seat to act; None if it has no estimate.
        assessment: the assessment of the choice that the player made, if the game has been reviewed.
    """

    agent: str
    probabilities: Mapping[str, float]
    value: float | None = None
    assessment: Assessment | None = None


@dataclass(frozen=True)
class Frame:
    """A moment of a game as one viewer sees it.

    Attributes:
        section: the part of the game that the moment belongs to, such as ``Round 2``; the page has a button for each.
        turn: the turn within the section; 0 before the first one.
        picture: the picture of the position.
        lines: the events since the previous frame, in words.
        moment: the number of the moment; frames of different viewers with the same number show the same moment.
        chosen: the action about to be chosen, in words; None if the viewer may not know it.
        opinion: an agent's opinion on the decision, with the actions in words.
        narrow: the picture for a narrow screen; None to use ``picture``.
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
    """Related symbols of a game's pictures, for the page's legend.

    Attributes:
        title: what the symbols stand for, such as ``Forts``.
        entries: pairs of a symbol and its meaning; a symbol is 24 by 24 pixels and has classes of the pictures' style.
    """

    title: str
    entries: Sequence[tuple[Element, str]]


@dataclass(frozen=True)
class ReplayedGame:
    """A game on a replay page.

    Attributes:
        title: the title of the game.
        frames: the frames of the game in order, by viewer; each viewer has at least one frame.
        agents: the agents' names by player.
        start: the number of the moment at which the page opens the game.
        legend: the meaning of the symbols in its pictures.
        review: sentences about the game as a whole, if it has been reviewed.
    """

    title: str
    frames: Mapping[str, Sequence[Frame]]
    agents: Mapping[str, str] = field(default_factory=dict)
    start: int = 0
    legend: Sequence[SymbolGroup] = ()
    review: Sequence[str] = ()

    @property
    def first_frames(self) -> Sequence[Frame]:
        """The frames of the first viewer, whose view the page opens with."""
        return next(iter(self.frames.values()))


@dataclass(frozen=True)
class ReplayPage:
    """A page that replays one or more games; notebooks display it.

    Attributes:
        games: the games in order, at least one.
    """

    games: Sequence[ReplayedGame]

    def __repr__(self) -> str:
        return f"<ReplayPage, {len(self.games)} game{'' if len(self.games) == 1 else 's'}>"

    @property
    def html(self) -> str:
        """The page as an HTML document that needs no other files."""
        style = self.games[0].first_frames[0].picture.style
        parts = {
            "title": html.escape(self.games[0].title if len(self.games) == 1 else f"{len(self.games)} games"),
            "style": _part("replay.css") + style.rules_for_page,
            "script": _part("replay.js"),
            "scope": style.scope,
            "font": html.escape(style.font),
            "games": packed([_as_json(game) for game in self.games]),
        }
        # One pass, because a name in the title may look like a placeholder.
        return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], _part("replay.html"))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file atomically."""
        write_text(path, self.html)

    def _repr_html_(self) -> str:
        """Return the page in an iframe, on top of a picture for code hosts that strip iframes."""
        # Imported here because the import takes 20 ms and most pages are only saved to files.
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
    """Return a page that replays one or more games step by step, in pictures and words, from any seat.

    Args:
        games: a record or a `Game` with its history, or a list of them.
        viewer: the only player from whose seat the games are shown, in which case the page holds nothing hidden from
            that player. None for all seats and the full state.
        opinions: for one game, a list with an opinion or None for each action. For a list of games, a list with such a
            list or None for each game.
        start: the number of actions before the position at which the page opens a game, 0 for the deal. For a list of
            games, one number for all games, or a list with a number for each game.

    Raises:
        RecordError: if a record does not fit the rules; the message says where.
        ValueError: if there is no game, opinions or starts do not fit the games, the viewer is not a player, or a game
            is a determinization, which has no history.
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
    """Check that a viewer, opinions and a start fit the game to be replayed.

    Raises:
        ValueError: if the viewer is not a player, or if the number of opinions or the start does not fit the game.
    """
    if not 0 <= start <= len(game.actions):
        raise ValueError(f"a game of {len(game.actions)} actions starts at one of them, not at {start}")
    if viewer is not None and viewer not in game.players:
        raise ValueError(f"there is no {viewer!r}; the players are {', '.join(game.players)}")
    if opinions is not None and len(opinions) != len(game.actions):
        raise ValueError(f"{len(opinions)} opinions for {len(game.actions)} actions: give one, or None, for each")


def packed(data: Any) -> str:
    """Return JSON-able data as compressed text of about a tenth of the size, safe to embed in an HTML page."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()


def _as_json(game: ReplayedGame) -> dict[str, Any]:
    """Return a game in the form that the page's script reads; equal bands of pictures are stored once."""
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
