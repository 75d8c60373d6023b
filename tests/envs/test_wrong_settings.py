"""Settings that environments refuse: the error, what it says in one line, and the nearest name to a misspelt one."""

import gymnasium
import pytest

from romans_agents import UnknownAgentError
from romans_agents.romans_go_home.scripted import GreedyAgent
from romans_env import roma_v0, romans_go_home_v0, struggle_v0
from romans_env.core.games import spec_of
from romans_env.core.unknown_settings import UnknownSettingError
from romans_env.envs.sb3 import RomansVecEnv
from romans_env.envs.vector import GameVectorEnv

ROMANS, ROMA = "RomansGoHome-v0", "Roma-v0"
ALL, ONE = (RomansVecEnv, GameVectorEnv, gymnasium.make), (gymnasium.make,)


@pytest.mark.parametrize(
    ("makers", "settings", "error", "why"),
    [
        (ALL[:2], {"num_envs": 0}, ValueError, "at least 1, not 0"),
        (ALL, {"seat": 2}, ValueError, "seat is None .* or 0 to 1, not 2"),
        (ALL, {"opponents": ["caesar"]}, UnknownAgentError, "unknown agent 'caesar'"),
        (ALL, {"opponents": ["random"] * 4}, ValueError, "no table has 5 players and 0 neutrals"),
        (ALL, {"opponents": ["random"], "num_players": 3}, ValueError, "opponents is a list of 2 for 3 players"),
        (ALL, {"opponents": "random", "num_players": 2}, ValueError, "opponents is a list of agents, such as"),
        (ALL, {"opponents": [], "num_players": 2, "mix_opponents": True}, ValueError, "at least one opponent"),
        (ALL, {"variant": "chess"}, ValueError, "unknown variant 'chess'"),
        (ALL, {"reward": "gold"}, ValueError, "reward is one of 'win', 'points' or a function"),
        (ONE, {"seat": "0"}, ValueError, "seat is None .* or 0 to 1, not '0'"),
        (ONE, {"opponents": ["greedy:iq=3"]}, UnknownAgentError, "agent 'greedy' has no option 'iq=3'"),
        (ONE, {"opponents": ["nowhere.npz"]}, ValueError, "cannot read the policy file nowhere.npz"),
        (ONE, {"opponents": []}, ValueError, "no table has 1 players and 0 neutrals.*the learner and its .*, here 1"),
        (ONE, {"opponents": [GreedyAgent]}, TypeError, "an agent is an object, not a class"),
        (ONE, {"opponents": [3]}, TypeError, "romans_agents.network.*, not 3"),
        (ONE, {"render_mode": "hologram"}, ValueError, "render_mode is None or one of"),
        (ONE, {"fort_deck": ["tax-8"] * 18}, ValueError, "4 Legion forts"),
    ],
    ids=lambda part: str(part) if isinstance(part, dict) else "",
)
@pytest.mark.filterwarnings("ignore:.*render_mode")  # gymnasium warns before it asks the environment
def test_wrong_settings_are_refused_in_one_line(makers, settings, error, why):
    for make in makers:
        given = {"num_envs": 2, **settings} if make is RomansVecEnv else settings
        with pytest.raises(error, match=why) as refused:
            make(*["RomansGoHome-v0"] * (make is gymnasium.make), **given)
        assert "\n" not in str(refused.value)


def test_a_number_of_opponents_that_does_not_fit():
    for env_id, number in ((ROMA, 3), ("Struggle-v0", 2)):
        with pytest.raises(ValueError, match=f"is a game for .* players, not {number}"):
            gymnasium.make(env_id, opponents=["random"] * (number - 1))


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
        (lambda: struggle_v0.env(players=3), "players", "num_players"),
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
