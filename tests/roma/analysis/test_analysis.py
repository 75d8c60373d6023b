"""The statistics of games of Roma."""

import math
import re

from click.testing import CliRunner

from benchmarks.statistics_pages.__main__ import main
from benchmarks.statistics_pages.roma import page_of
from notebooks.roma_statistics import ENDS, PlayedGame, played_games, statistics_of
from romans_env.roma.material import CARDS, NUM_DISCS

FORUM, TURRIS, NERO = (CARDS.index(name) for name in ("forum", "turris", "nero"))


def test_games_are_duplicate_deals_and_the_same_again():
    games = played_games("forum-runner", num_deals=10, seed=3)
    assert games == played_games("forum-runner", num_deals=10, seed=3) != played_games("forum-runner", 10, seed=4)
    assert [game.deal for game in games] == [deal for deal in range(10) for _ in range(2)]
    for game in games:
        assert sum(game.returns) == 0.0 and 1 <= game.turns <= 200 < 10 * game.decisions
        # Four cards are laid in the opening by each seat, before any other.
        assert [seat for seat, _, _ in game.lays[:8]].count(0) == 4
        assert all(0 <= kind < len(CARDS) and 0 <= disc < NUM_DISCS for _, kind, disc in game.lays)
    # A scripted agent has no chance of its own: the same deal is the same game from both seats.
    assert all(games[2 * k] == games[2 * k + 1] for k in range(10))


def test_statistics_count():
    games = [
        PlayedGame(0, (1.0, -1.0), 10, 50, 0, ((0, FORUM, 0), (0, FORUM, 2), (1, TURRIS, 5))),
        PlayedGame(0, (0.0, 0.0), 20, 90, 1, ((1, FORUM, 0),)),
        PlayedGame(1, (-1.0, 1.0), 30, 70, 1, ((1, TURRIS, 5),)),
        PlayedGame(1, (-1.0, 1.0), 200, 190, 2, ((0, FORUM, 0),)),
    ]
    found = statistics_of(games)
    assert (found.num_games, found.num_deals) == (4, 2)
    assert [share.mean for share in found.win_shares] == [0.375, 0.625]
    assert found.draws.mean == 0.25 and [share.mean for share in found.ends] == [0.25, 0.5, 0.25]
    assert (found.turns.mean, found.turns_spread, found.decisions.mean) == (65.0, (10, 20, 200), 100.0)
    forum, turris, nero = (found.cards[kind] for kind in (FORUM, TURRIS, NERO))
    assert forum.laid.mean == 0.5 and forum.discs.tolist() == [0.75, 0.0, 0.25, 0.0, 0.0, 0.0]
    assert (forum.win_share.mean, turris.win_share.mean) == (0.5, 0.5)
    assert nero.laid.mean == 0.0 and math.isnan(nero.win_share.mean) and all(map(math.isnan, nero.discs))
    rows = [line for line in page_of(found, "raider", "some.png").splitlines() if line.startswith("| `")]
    assert len(rows) == 25 and rows[-1].endswith("| 0 | | | | | | | |")


def test_the_command_writes_a_page_and_a_picture(tmp_path):
    (tmp_path / "research").mkdir()
    done = CliRunner().invoke(main, ["roma", "--deals", "10", "--page", str(tmp_path / "research" / "page.md")])
    assert done.exit_code == 0, done.output
    page = (tmp_path / "research" / "page.md").read_text()
    assert "20 games of `expectimax`" in page and "![" in page
    assert all(f"games that end because {end}" in page for end in ENDS)
    assert set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)) == set(CARDS)
    columns = {line.count("|") for line in page.splitlines() if line.startswith(("| `", "| card", "|---|---:|---:"))}
    assert columns == {11}
    assert (tmp_path / "pictures" / "page.png").stat().st_size > 10_000
