"""The reward of a run: one of the environments', or a function in a Python file."""

from __future__ import annotations

from typing import cast

from romans_agents.permission import require
from romans_env.core import python_files
from romans_env.envs.rewards import REWARDS, Reward
from romans_env.errors import shortened
from romans_training.settings import ConfigError


def check_reward_text(text: str) -> None:
    """Raise ConfigError for a text that names no reward; no file is read."""
    parts = python_files.parts_of(text)
    if text not in REWARDS and (parts is None or not parts.name or parts.options):
        raise ConfigError(
            f"reward is {', '.join(REWARDS)} or a function as in my_reward.py:shaped, not {shortened(text)}"
        )


def reward_of(text: str) -> Reward:
    """Return the reward that a text names, after running its file, if it names one.

    Raises:
        ConfigError: no such file or function, or a file that cannot be run.
        romans_agents.permission.FileNotAllowedError: code that may not be loaded here (`romans_agents.permission`).
    """
    check_reward_text(text)
    parts = python_files.parts_of(text)
    if parts is None:
        return text
    require("code", parts.file, named_by="the reward")
    try:
        module = python_files.module_of(parts.file, "the reward's file")
    except python_files.PythonFileError as error:
        raise ConfigError(str(error)) from error.__cause__
    function = getattr(module, parts.name, None)
    if not callable(function) or isinstance(function, type):
        raise ConfigError(f"{parts.file} has no function {parts.name!r} of (before, after)")
    return cast(Reward, function)
