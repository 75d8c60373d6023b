"""The ratings that `romans agents` shows are the figures of the documentation."""

import re
from pathlib import Path

import pytest

from romans_agents.listing import describe_agents, ratings_of
from romans_env import games
from romans_env.games import GameSpec

ROOT = Path(__file__).resolve().parents[2]
RGH, ROMA, STRUGGLE = (ratings_of(game) for game in ("romans-go-home", "roma", "struggle"))
TWO_PLAYERS = (
    (ROOT / "docs/romans_go_home_ladder.md").read_text(encoding="utf-8").partition("## 2+0")[2].partition("\n## ")[0]
)
STRENGTH = (ROOT / "docs/roma_agents.md").read_text(encoding="utf-8")


def cells(row):
    """The cells of a row of a Markdown table."""
    return [cell.strip() for cell in row.strip("|").split("|")]


def with_interval(text):
    """The mean and half the width of ``77.4 [74.9, 79.8]``, as the listing rounds them."""
    mean, low, high = map(float, re.findall(r"-?[\d.]+", text))
    return mean, (high - low) / 2


def published_in_the_ladder():
    """By agent spec: the rating on Elo's scale and half the width of the interval."""
    standings = [cells(line) for line in TWO_PLAYERS.splitlines() if line.startswith("| ")]
    return {row[0]: with_interval(row[1]) for row in standings if "[" in row[1]}


def published_for_roma():
    """By agent spec, from the table whose columns are opponents: those above `expectimax` are in its row."""
    table = STRENGTH.partition("| won %, against")[2].partition("\n\n")[0].splitlines()
    columns = [name.strip("`") for name in cells(table[0])[1:]]
    found = {}
    for line in table[2:]:
        name, *values = cells(line)
        name = name.split("`")[1]
        for column, value in zip(columns, values, strict=True):
            if value and column == "expectimax":
                found[name] = with_interval(value)
            elif value and name == "expectimax":
                mean, half_width = with_interval(value)
                found[column] = (100 - mean, half_width)
    return found


def test_every_agent_is_rated_or_has_its_use():
    for game in games.names():
        ratings = ratings_of(game)
        described = {one.name: one for one in describe_agents(game)}
        assert set(ratings.agents) <= set(described)
        unused = [name for name, one in described.items() if not one.good_for]
        file = f"agents/romans_agents/{game.replace('-', '_')}/ratings.json"
        assert not unused, f'say under "good_for" of {file} what each of these is for: {", ".join(unused)}'


def test_ratings_are_those_of_the_ladder():
    published = published_in_the_ladder()
    # The same file under its number.
    published["legate-2"] = published["legate"]
    listed = {
        f"{name}:{rating.options}".rstrip(":"): (rating.value, rating.half_width) for name, rating in RGH.agents.items()
    }
    assert listed == published


def test_ratings_of_roma_are_those_of_its_page():
    published = published_for_roma()
    # Against itself it wins half of the games.
    published["expectimax"] = (50.0, 0.0)
    for name, rating in ROMA.agents.items():
        spec = f"{name}:{rating.options}".rstrip(":")
        assert (rating.value, rating.half_width) == pytest.approx(published[spec], abs=0.051), name


def test_ratings_of_struggle_are_those_of_its_page():
    page = (ROOT / "docs/struggle_agents.md").read_text(encoding="utf-8")
    table = page[page.index("| wins % against three") :].partition("\n\n")[0].splitlines()
    column = cells(table[0]).index("`trader`")
    published = {
        cells(line)[0].strip("`"): with_interval(cells(line)[column]) for line in table[2:] if cells(line)[column]
    }
    card = (ROOT / "agents/romans_agents/struggle/trained/stilicho.md").read_text(encoding="utf-8")
    row = next(cells(line) for line in card.splitlines() if line.startswith("| trader "))
    published["stilicho"] = with_interval(row[1])
    # One of four equal players wins a quarter.
    published["trader"] = (25.0, 0.0)
    assert set(STRUGGLE.agents) == set(published)
    for name, rating in STRUGGLE.agents.items():
        assert (rating.value, rating.half_width) == pytest.approx(published[name], abs=0.051), name


@pytest.mark.parametrize("game", ["romans-go-home", "roma", "struggle"])
def test_levels_go_from_the_random_agent_to_the_strongest(game):
    levels = {one.name: one.level for one in describe_agents(game) if one.level}
    assert levels["random"] == 1 and max(levels.values()) == 5
    assert levels[games.spec_of(game).default_opponent] in (2, 3)


@pytest.mark.usefixtures("own_registry")
def test_a_game_without_a_file_of_ratings_has_none():
    games.register(GameSpec("unrated", "Unrated", rules="romans_env.romans_go_home.rules:RomansGoHome"))
    try:
        assert ratings_of("unrated") is None
    finally:
        games.unregister("unrated")
