"""From records to a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from romans_env.game import Game
from romans_env.games import spec_of
from romans_env.render.replay_page import Opinion, ReplayPage
from romans_env.replaying import replay

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
