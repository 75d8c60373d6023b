"""The toy game's environments, as every game's."""

from romans_env.core.games import GameSpec
from romans_env.core.unknown_settings import checks_settings
from romans_env.envs.aec import GameAECEnv, with_checks

SPEC = GameSpec(
    name="dice-race",
    title="Dice Race",
    rules="tests.toy.rules:DiceRace",
    env_id="DiceRace-v0",
    env_module="tests.toy.dice_race_v0",
)


@checks_settings(SPEC.setting_names)
def raw_env(reward="win", render_mode=None, **setup):
    return GameAECEnv(SPEC.make_rules(**setup), reward, render_mode, SPEC.part("renderer"), "dice_race_v0")


env = with_checks(raw_env)
