"""Struggle for Rome as a PettingZoo AEC environment.

| | |
|---|---|
| Import | ``from romans_env import struggle_v0`` |
| Agents | ``["player_0", ...]``, 3 or 4 |
| Actions | ``Discrete(186 + hexes + crossroads)``, 399 on the stand-in board (docs/environments/struggle_encoding.md) |
| Observations | ``{"observation": Box int16, "action_mask": Box(0, 1, (399,), int8)}`` |

The game is Klaus Teuber's *Struggle for Rome*, by the rules of docs/environments/struggle_rules.md. Board, counters
and development deck are a reconstruction; ``board`` takes a file that replaces it
(docs/environments/struggle_board.md). A round ends the game in which a seat has 10 points, or round ``max_rounds``.

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
        board: the path of a board file, or what is parsed from one (1.3); None: the stand-in.
        player_trade: whether seats may make offers to each other (5.2).
        max_offers: offers that a seat may make in a turn.
        max_rounds: the game ends after this number of rounds at the latest.
        reward: ``"win"`` (7.4, at the end), ``"points"`` (own points as they change, those of 7.3 included; negative
            where the Diplomacy card is lost), or a function of (before, after), as for `GameAECEnv`.
        render_mode: ``"ansi"`` (``render()`` returns text), ``"rgb_array"`` (pixels), ``"human"`` (every step is shown
            in a window, or printed where there is no screen) or None.

    Raises:
        ValueError: for settings that the rules do not have, a board that breaks 1.3, another reward or render mode.
    """
    rules = StruggleForRome(StruggleSetup(num_players, board, player_trade, max_offers, max_rounds))
    return GameAECEnv(rules, reward, render_mode, renderer_of(SPEC.name), NAME)


env = with_checks(raw_env)
