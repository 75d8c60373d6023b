"""The recorded games of an independent implementation of the rules, in ten parts of twenty."""

from romans_env import roma_v0
from tests.tools import play_in_lockstep, recorded_games


def check_recorded(part: int) -> None:
    """Play the games of a part in lockstep through ``raw_env()``."""
    games = recorded_games("roma", part, 10)
    assert len(games) == 20 and all("position" in step for game in games for step in game["steps"])
    for game in games:
        play_in_lockstep(roma_v0.raw_env(), game, {"outcomes": game["outcomes"]})
