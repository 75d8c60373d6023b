"""Agents that play stable-baselines3 models: ``sb3:model.zip``."""

from __future__ import annotations

import json
import zipfile
from typing import Any

from romans_agents.errors import UnknownAgentError
from romans_agents.permission import require
from romans_agents.policies.policy import PolicyAgent
from romans_agents.specs.adapted import NetworkPolicy
from romans_env.errors import error_line, needs_extra


class SB3Agent(PolicyAgent):
    """Plays a model saved by stable-baselines3 or sb3-contrib: MaskablePPO, PPO, A2C, DQN or QR-DQN.

    The agent plays the legal action with the highest probability or value. Loading the file may run code that the
    file's author put into it.

    Args:
        path: the path of the ``.zip`` file.
        game: the name of the game.

    Raises:
        UnknownAgentError: if the model cannot be read or does not fit the game.
        ModuleNotFoundError: if stable-baselines3 is not installed; the message says how to install it.
        romans_agents.permission.FileNotAllowedError: if code may not be loaded here.
    """

    name = "sb3"
    made_for_game = True

    def __init__(self, path: str, game: str):
        require("code", path, "a stable-baselines3 model, which may run code with your rights")
        with needs_extra("a stable-baselines3 model", "train"):
            import sb3_contrib
            import stable_baselines3
        kinds = {**vars(stable_baselines3), **vars(sb3_contrib)}
        try:
            with zipfile.ZipFile(path) as file:
                kind = kinds[_kind_of(json.loads(file.read("data")))]
            model = kind.load(path, device="cpu")
        except Exception as error:  # the content of the file can fail in any way
            raise UnknownAgentError(f"cannot read the model {path}: {error_line(error)}") from error
        self._set_up(NetworkPolicy(model, game), False, 0.0, None)


def _kind_of(data: dict[str, Any]) -> str:
    """Return the name of the algorithm that trained a model; its saved settings reveal it."""
    modules = [data.get(name, {}).get("__module__", "") for name in ("policy_class", "rollout_buffer_class")]
    if any("maskable" in module for module in modules):
        return "MaskablePPO"
    if "clip_range" in data:
        return "PPO"
    if "exploration_rate" in data:
        return "QRDQN" if "qrdqn" in modules[0] else "DQN"
    if "gae_lambda" in data:
        return "A2C"
    raise ValueError("it is not a model of MaskablePPO, PPO, A2C, DQN or QR-DQN")
