"""The ratings that `romans agents` shows are the figures of the documentation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import romans_agents
from romans_agents.listing import ratings_of
from romans_env import games
from romans_env.games import GameSpec

ROOT = Path(__file__).resolve().parents[2]
RGH, ROMA, STRUGGLE = (ratings_of(game) for game in ("romans-go-home", "roma", "struggle"))
CARDS = ("legate", "legate-1")
"""Trained policies, whose rating is that of their card, from more games than the ladder has."""
LADDER = (ROOT / "docs/research/romans_go_home_ladder.md").read_text(encoding="utf-8")
TWO_PLAYERS = LADDER.partition("\n## 2+0\n")[2].partition("\n## ")[0]
STRENGTH = (ROOT / "docs/roma_agents.md").read_text(encoding="utf-8")


def cells(row):
    """The cells of a row of a Markdown table."""
    return [cell.strip() for cell in row.strip("|").split("|")]


def with_interval(text):
    """The mean and half the width of ``77.4 [74.9, 79.8]``, as the listing rounds them."""
    mean, low, high = map(float, re.findall(r"[\d.]+", text))
    return mean, (high - low) / 2


def published_in_the_ladder():
    """By agent spec: wins % against ``greedy`` and half the width of the interval."""
    rows = [cells(line) for line in re.findall(r"^\| \d+ .*$", TWO_PLAYERS, re.MULTILINE)]
    column = next(int(row[0]) for row in rows if row[1] == "greedy") + 1
    return {row[1]: tuple(map(float, row[column].split(" ±"))) for row in rows if row[1] != "greedy"}


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


def test_every_rated_agent_is_an_agent_of_the_game():
    for game in games.names():
        ratings = ratings_of(game)
        if ratings is not None:
            assert {ratings.against, *ratings.agents} <= set(romans_agents.names(game))


def test_ratings_of_scripted_agents_and_searches_are_those_of_the_ladder():
    published = {
        name: cell for name, cell in published_in_the_ladder().items() if name not in (*CARDS, "improved-plans")
    }
    listed = {
        f"{name}:{rating.options}".rstrip(":"): (rating.win_rate, rating.half_width)
        for name, rating in RGH.agents.items()
        if rating.command == "python -m benchmarks.strength romans-go-home ladder"
    }
    assert listed == published


@pytest.mark.parametrize("name", CARDS)
def test_the_rating_of_a_trained_policy_is_that_of_its_card(name):
    file = f"agents/romans_agents/romans_go_home/trained/{name.replace('-', '_')}.md"
    card = (ROOT / file).read_text(encoding="utf-8")
    row = next(cells(line) for line in card.splitlines() if line.startswith("| 2+0 | greedy"))
    rating = RGH.agents[name]
    assert (rating.win_rate, rating.half_width) == pytest.approx(with_interval(row[2]), abs=0.051)
    assert f"`{rating.command}`" in card


def test_ratings_of_roma_are_those_of_its_page():
    published = published_for_roma()
    assert set(ROMA.agents) <= {name.partition(":")[0] for name in published}
    for name, rating in ROMA.agents.items():
        spec = name if name in published else f"{name}:iterations=1000"
        assert (rating.win_rate, rating.half_width) == pytest.approx(published[spec], abs=0.051), name


def test_ratings_of_struggle_are_those_of_its_page():
    page = (ROOT / "docs/struggle_agents.md").read_text(encoding="utf-8")
    table = page[page.index("| wins % against three") :].partition("\n\n")[0].splitlines()
    column = cells(table[0]).index(f"`{STRUGGLE.against}`")
    published = {
        cells(line)[0].strip("`"): with_interval(cells(line)[column]) for line in table[2:] if cells(line)[column]
    }
    card = (ROOT / "agents/romans_agents/struggle/trained/stilicho.md").read_text(encoding="utf-8")
    row = next(cells(line) for line in card.splitlines() if line.startswith("| trader "))
    published["stilicho"] = with_interval(row[1])
    assert set(STRUGGLE.agents) == set(published)
    for name, rating in STRUGGLE.agents.items():
        assert (rating.win_rate, rating.half_width) == pytest.approx(published[name], abs=0.051), name


@pytest.mark.usefixtures("own_registry")
def test_a_game_without_a_file_of_ratings_has_none():
    games.register(GameSpec("unrated", "Unrated", rules="romans_env.romans_go_home.rules:RomansGoHome"))
    try:
        assert ratings_of("unrated") is None
    finally:
        games.unregister("unrated")
