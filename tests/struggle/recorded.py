"""The recorded games of an independent implementation of the rules, in eleven parts of six."""

from romans_env import struggle_v0
from romans_env.struggle import load_board
from tests.tools import digest_of, play_in_lockstep, recorded_games


def check_recorded(part: int) -> None:
    """Play the games of a part in lockstep through ``raw_env()``."""
    games = recorded_games("struggle", part, 11)
    assert len(games) == 6
    for game in games:
        assert game["board"] == digest_of(load_board().as_json())
        play_in_lockstep(struggle_v0.raw_env(**game["table"]), game, game["deal"])
