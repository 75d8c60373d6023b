"""The ratings that `romans agents` shows are those of the leaderboard."""

import pytest

from romans_agents.specs.listing import describe_agents, ratings_of
from romans_env.core import games
from romans_env.core.games import GameSpec
from romans_training.compare.leaderboard.protocols import protocol_of


@pytest.mark.parametrize("game", games.names())
def test_every_agent_is_rated_or_has_its_use(game):
    ratings, described = ratings_of(game), {one.name: one for one in describe_agents(game)}
    assert set(ratings.agents) <= set(described) and ratings.protocol == protocol_of(game).name
    unused = [name for name, one in described.items() if not one.good_for]
    file = f"agents/romans_agents/{game.replace('-', '_')}/ratings.json"
    assert not unused, f'say under "good_for" of {file} what each of these is for: {", ".join(unused)}'


@pytest.mark.parametrize("game", games.names())
def test_levels_go_from_the_random_agent_to_the_strongest(game):
    levels = {one.name: one.level for one in describe_agents(game) if one.level}
    assert levels["random"] == 1 and max(levels.values()) == 5
    assert levels[games.spec_of(game).default_opponent] in (2, 3)


@pytest.mark.parametrize("game", games.names())
def test_the_command_names_the_scale(called, game):
    reference, rating = games.spec_of(game).default_opponent, ratings_of(game).agents["random"]
    out = " ".join(called("agents", "--game", game)[1].split())
    assert f"where random has 0 and {reference} has 1,000" in out and f"random {rating.mean:,.0f} " in out
    out = " ".join(called("agents", "random", "--game", game)[1].split())
    assert f"random has {rating.mean:,.0f} [{rating.low:,.0f}, {rating.high:,.0f}] on the leaderboard" in out


@pytest.mark.usefixtures("own_registry")
def test_a_game_without_a_file_of_ratings_has_none():
    games.register(GameSpec("unrated", "Unrated", rules="romans_env.romans_go_home.rules:RomansGoHome"))
    try:
        assert ratings_of("unrated") is None
    finally:
        games.unregister("unrated")
