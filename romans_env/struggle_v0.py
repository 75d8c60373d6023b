"""Struggle for Rome as a PettingZoo AEC environment.

| | |
|---|---|
| Import | ``from romans_env import struggle_v0`` |
| Agents | ``["player_0", ...]``, 3 or 4 |
| Actions | ``Discrete(186 + hexes + crossroads)``, 399 on the stand-in board (docs/environments/struggle_encoding.md) |
| Observations | ``{"observation": Box((2120,), int16), "action_mask": Box(0, 1, (399,), int8)}``, likewise |

The game is Klaus Teuber's *Struggle for Rome*, by the rules in docs/environments/struggle_rules.md. The built-in
board, counters and development deck, called the stand-in, are a reconstruction; ``board`` takes a file that replaces
them (docs/environments/struggle_board.md). The game ends after the round in which a seat reaches 10 points, and after
round ``max_rounds`` at the latest.

Usage::

    import pettingzoo

    import romans_env  # registers the environments

    env = pettingzoo.make("aec", "Struggle-v0", num_players=4)
    env.reset(seed=42)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        mask = observation["action_mask"]
        env.step(None if termination or truncation else env.action_space(agent).sample(mask))
"""

from __future__ import annotations

import os
from typing import Any

from romans_env.core.unknown_settings import checks_settings
from romans_env.envs.aec import GameAECEnv, with_checks
from romans_env.envs.rewards import Reward
from romans_env.render.renderer import renderer_of
from romans_env.struggle import Board, StruggleForRome, StruggleSetup
from romans_env.struggle.spec import SPEC

NAME = "struggle_v0"


@checks_settings(SPEC.setting_names)
def raw_env(
    num_players: int = 4,
    board: str | os.PathLike[str] | dict[str, Any] | Board | None = None,
    player_trade: bool = True,
    max_offers: int = 3,
    max_rounds: int = 60,
    reward: Reward = "win",
    render_mode: str | None = None,
) -> GameAECEnv:
    """Create the environment without wrappers: an illegal action raises `IllegalActionError` and changes nothing.

    Args:
        num_players: 3 or 4 (STRUGGLE 1.1).
        board: a board, its file, or the parsed content of one (STRUGGLE 1.3); None for the stand-in.
        player_trade: whether seats may offer each other trades (STRUGGLE 5.2).
        max_offers: the number of offers that a seat may make in a turn.
        max_rounds: the number of rounds after which the game ends at the latest.
        reward: ``"win"`` (the return of the game, at its end; STRUGGLE 7.4), ``"points"`` (the change of the agent's
            points, including the points of STRUGGLE 7.3; negative when it loses the Diplomacy card), or a reward
            function, as for `GameAECEnv`.
        render_mode: ``"ansi"`` (``render()`` returns text), ``"rgb_array"`` (``render()`` returns pixels), ``"human"``
            (every step is shown in a window, or printed if there is no display) or None.

    Raises:
        ValueError: if a setting does not exist or its value is not allowed by the rules, the board is invalid
            (STRUGGLE 1.3), or the reward or the render mode does not exist.
    """
    rules = StruggleForRome(StruggleSetup(num_players, board, player_trade, max_offers, max_rounds))
    return GameAECEnv(rules, reward, render_mode, renderer_of(SPEC.name), NAME)


env = with_checks(raw_env)
