"""Romans Go Home! as a PettingZoo AEC environment.

| | |
|---|---|
| Import | ``from romans_env import romans_go_home_v0`` |
| Agents | ``["player_0", ...]``, 1 to 4; neutral clans are not agents |
| Actions | ``Discrete(56)``, one block for each kind of decision |
| Observations | ``{"observation": Box((393,), int8), "action_mask": Box(0, 1, (56,), int8)}`` |

Usage::

    import pettingzoo

    import romans_env  # registers the environments

    env = pettingzoo.make("aec", "RomansGoHome-v0", num_players=2, num_neutrals=1)
    env.reset(seed=42)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        mask = observation["action_mask"]
        env.step(None if termination or truncation else env.action_space(agent).sample(mask))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from romans_env.core.unknown_settings import checks_settings
from romans_env.envs.aec import GameAECEnv, with_checks
from romans_env.envs.rewards import Reward
from romans_env.render.romans_go_home.renderer import RENDERER
from romans_env.romans_go_home import RomansGoHome, Table
from romans_env.romans_go_home.spec import SPEC

NAME = "romans_go_home_v0"


@checks_settings(SPEC.setting_names)
def raw_env(
    num_players: int = 2,
    num_neutrals: int = 0,
    variant: str = "standard",
    fort_deck: Sequence[str] | None = None,
    reward: Reward = "win",
    render_mode: str | None = None,
    **size: Any,
) -> GameAECEnv:
    """Create the environment without wrappers: an illegal action raises `IllegalActionError` and changes nothing.

    Args:
        num_players: 1 to 4 (RULES 1.3).
        num_neutrals: number of neutral clans, 0 to 2; players and neutral clans together are 2 to 4.
        variant: ``"standard"`` or ``"vogel"`` (RULES 8).
        fort_deck: 18 fort names with exactly 4 Legion forts; None for the default deck (RULES 1.2).
        reward: ``"win"`` (the return of the game, at its end; RULES 7.4), ``"points"`` (the agent's points as it scores
            them), or a reward function, as for `GameAECEnv`.
        render_mode: ``"ansi"`` (``render()`` returns text), ``"rgb_array"`` (``render()`` returns pixels), ``"human"``
            (every step is shown in a window, or printed if there is no display) or None.
        size: ``warriors``, ``line_size`` and ``num_rounds`` of a small table, as for `Table`.

    Raises:
        ValueError: if a setting does not exist or its value is not allowed by the rules.
    """
    rules = RomansGoHome(Table(num_players, num_neutrals, variant, fort_deck, **size))
    return GameAECEnv(rules, reward, render_mode, RENDERER, NAME)


env = with_checks(raw_env)
