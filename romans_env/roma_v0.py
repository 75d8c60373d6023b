"""Roma as a PettingZoo AEC environment.

| | |
|---|---|
| Import | ``from romans_env import roma_v0`` |
| Agents | ``["player_0", "player_1"]`` |
| Actions | ``Discrete(301)``, one block for each kind of action (docs/environments/roma_encoding.md) |
| Observations | ``{"observation": Box((564,), int16), "action_mask": Box(0, 1, (301,), int8)}`` |

The game is Stefan Feld's *Roma*, by the rules in docs/environments/roma_rules.md. It starts with the opening, in which
the seats pass cards to each other and lay cards. It ends when a seat or the stock has no points left, and after turn
200 at the latest.

Usage::

    import pettingzoo

    import romans_env  # registers the environments

    env = pettingzoo.make("aec", "Roma-v0")
    env.reset(seed=42)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        mask = observation["action_mask"]
        env.step(None if termination or truncation else env.action_space(agent).sample(mask))
"""

from __future__ import annotations

from romans_env.core.unknown_settings import checks_settings
from romans_env.envs.aec import GameAECEnv, with_checks
from romans_env.envs.rewards import Reward
from romans_env.render.renderer import renderer_of
from romans_env.roma import Roma
from romans_env.roma.spec import SPEC

NAME = "roma_v0"


@checks_settings(SPEC.setting_names)
def raw_env(reward: Reward = "win", render_mode: str | None = None) -> GameAECEnv:
    """Create the environment without wrappers: an illegal action raises `IllegalActionError` and changes nothing.

    Args:
        reward: ``"win"`` (the return of the game, at its end; ROMA 7.4), ``"points"`` (the change of the agent's
            points, negative when it loses points), or a reward function, as for `GameAECEnv`.
        render_mode: ``"ansi"`` (``render()`` returns text), ``"rgb_array"`` (``render()`` returns pixels), ``"human"``
            (every step is shown in a window, or printed if there is no display) or None.

    Raises:
        ValueError: if the reward or the render mode does not exist.
    """
    return GameAECEnv(Roma(), reward, render_mode, renderer_of(SPEC.name), NAME)


env = with_checks(raw_env)
