"""The statistics of games of Struggle for Rome."""

import math

import pytest
from click.testing import CliRunner

from benchmarks.statistics_pages.__main__ import main
from benchmarks.statistics_pages.struggle import page_of
from notebooks.struggle_statistics import AGENTS, ENDS, PlayedGame, PlayedSeat, played_games, statistics_of
from romans_env.struggle.material import PROVINCES

NOWHERE = (0, 0, 0, 0, 0)


def test_games_are_duplicate_deals_and_the_same_again():
    games = played_games(AGENTS[:3], num_deals=2, seed=3)
    assert games == played_games(AGENTS[:3], num_deals=2, seed=3) != played_games(AGENTS[:3], 2, seed=4)
    assert [game.deal for game in games] == [0, 0, 0, 1, 1, 1]
    for game in games:
        assert sum(seat.share for seat in game.seats) == pytest.approx(1.0)
        assert 1 <= game.rounds < game.decisions and 0 <= game.accepted <= game.offers
        best = max(seat.points for seat in game.seats)
        assert all(seat.points == best for seat in game.seats if seat.share > 0.0)
        assert (best >= 10) == (ENDS[game.end] != "the last round")
        for seat in game.seats:
            # Points are cities, special cards and cultures (STRUGGLE 7.1, 7.3).
            specials = seat.diplomacy + seat.scourges + seat.heir
            assert seat.points == sum(seat.cities) + 2 * specials + seat.cultures
            assert sum(seat.plunders) >= 5 * seat.scourges and sum(seat.kingdoms) <= 2
    # Every agent has every seat.
    assert [[seat.agent for seat in game.seats] for game in games[:3]] == [[0, 1, 2], [1, 2, 0], [2, 0, 1]]


def seat_of(agent, share, points, kingdoms=NOWHERE, diplomacy=False):
    return PlayedSeat(agent, share, points, diplomacy, 0, False, NOWHERE, kingdoms, kingdoms, 0)


def test_statistics_count():
    gallia = tuple(int(name == "gallia") for name in PROVINCES)
    winner, loser, third = seat_of(0, 1.0, 11, gallia, True), seat_of(1, 0.0, 8, gallia), seat_of(2, 0.0, 3)
    games = [
        PlayedGame(0, 10, 300, 0, 8, 2, (winner, loser, third)),
        PlayedGame(1, 20, 400, 1, 4, 2, (loser, third, winner)),
    ]
    found = statistics_of(games)
    assert (found.num_games, found.num_deals, found.num_seats) == (2, 2, 3)
    assert [share.mean for share in found.seats] == [0.5, 0.0, 0.5]
    assert [share.mean for share in found.agents] == [1.0, 0.0, 0.0]
    assert (found.rounds.mean, found.decisions.mean, found.points.mean) == (15.0, 350.0, 11.0)
    assert (found.offers.mean, found.accepted.mean) == (6.0, 2.0)
    assert [share.mean for share in found.ends] == [0.5, 0.5, 0.0, 0.0, 0.0]
    specials = {one.name: one for one in found.specials}
    assert specials["Diplomacy card"].held.mean == pytest.approx(1 / 3)
    assert specials["Diplomacy card"].win_share.mean == 1.0 and math.isnan(specials["Heir to Rome"].win_share.mean)
    provinces = {one.name: one for one in found.provinces}
    assert provinces["gallia"].kingdoms.mean == pytest.approx(2 / 3) and provinces["gallia"].win_share.mean == 0.5
    page = page_of(found, ("a", "b", "c"), "some.png")
    assert all(f"| `{name}` |" in page for name in (*PROVINCES, "a", "b", "c")) and "(some.png)" in page


def test_the_command_writes_a_page_and_a_picture(tmp_path):
    (tmp_path / "research").mkdir()
    done = CliRunner().invoke(main, ["struggle", "--deals", "2", "--page", str(tmp_path / "research" / "page.md")])
    assert done.exit_code == 0, done.output
    page = (tmp_path / "research" / "page.md").read_text()
    assert "8 games of" in page and "![" in page
    assert all(f"games that end by {end}" in page for end in ENDS)
    assert (tmp_path / "pictures" / "page.png").stat().st_size > 5_000


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("struggle --deals 2 --agents greedy,random,random", "unknown agent 'greedy' (it plays romans-go-home)"),
        ("struggle --deals 2 --agents random,random", "three or four agents, not 2"),
        ("roma --deals 1", "Invalid value for '--deals'"),
    ],
)
def test_what_cannot_be_counted_is_one_line(options, says):
    done = CliRunner().invoke(main, options.split())
    assert done.exit_code == 2 and says in done.output.splitlines()[-1]
