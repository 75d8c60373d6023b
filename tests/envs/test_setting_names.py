"""A misspelt setting is named in one line, with the nearest valid name and the list of all."""

from __future__ import annotations

import gymnasium
import pytest

from romans_env import roma_v0, romans_go_home_v0
from romans_env.envs.sb3 import RomansVecEnv
from romans_env.games import spec_of
from romans_env.unknown_settings import UnknownSettingError

ROMANS, ROMA = "RomansGoHome-v0", "Roma-v0"


@pytest.mark.parametrize(
    ("make", "wrong", "nearest"),
    [
        (lambda: gymnasium.make(ROMANS, oponents=["random"]), "oponents", "opponents"),
        (lambda: gymnasium.make_vec(ROMANS, 2, oponents=["random"]), "oponents", "opponents"),
        (lambda: gymnasium.make_vec(ROMANS, 2, autoreset="NextStep"), "autoreset", "autoreset_mode"),
        (lambda: gymnasium.make(ROMA, opponent="random"), "opponent", "opponents"),
        (lambda: gymnasium.make_vec(ROMA, 2, seats=1), "seats", "seat"),
        (lambda: romans_go_home_v0.env(players=2), "players", "num_players"),
        (lambda: romans_go_home_v0.raw_env(num_rouds=2), "num_rouds", "num_rounds"),
        (lambda: roma_v0.env(rewards="win"), "rewards", "reward"),
        (lambda: RomansVecEnv(2, num_neutral=1), "num_neutral", "num_neutrals"),
        (lambda: spec_of("romans-go-home").make_setup(varient="vogel"), "varient", "variant"),
        (lambda: spec_of("roma").make_rules(players=2), "players", "num_players"),
    ],
)
def test_the_nearest_name_and_the_list(make, wrong, nearest):
    with pytest.raises(UnknownSettingError) as refused:
        make()
    message = str(refused.value)
    assert message.startswith(f"unknown setting {wrong!r} (did you mean {nearest!r}?); the settings are ")
    assert nearest in message.partition("the settings are ")[2].split(", ")
    assert "\n" not in message


def test_settings_of_the_game_are_listed_once():
    with pytest.raises(UnknownSettingError) as refused:
        romans_go_home_v0.env(colour="red")
    settings = str(refused.value).partition("the settings are ")[2].split(", ")
    assert len(settings) == len(set(settings))
    assert {"num_players", "fort_deck", "render_mode", "warriors", "line_size", "num_rounds"} <= set(settings)
    assert "did you mean" not in str(refused.value)
