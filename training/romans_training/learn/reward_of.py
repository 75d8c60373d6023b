"""The reward of a run: one of the environments' rewards, or a function in a Python file."""

from __future__ import annotations

from typing import cast

from romans_agents.permission import require
from romans_env.core import python_files
from romans_env.envs.rewards import REWARDS, Reward
from romans_env.errors import shortened
from romans_training.settings import ConfigError


def check_reward_text(text: str) -> None:
    """Raise ConfigError for a text that cannot name a reward; does not read any file."""
    parts = python_files.parts_of(text)
    if text not in REWARDS and (parts is None or not parts.name or parts.options):
        raise ConfigError(
            f"reward must be {', '.join(REWARDS)} or a function such as my_reward.py:shaped, not {shortened(text)}"
        )


def reward_of(text: str) -> Reward:
    """Return the reward that a text names; runs the Python file if the text names one.

    Raises:
        ConfigError: if the file or the function does not exist, or the file cannot be run.
        romans_agents.permission.FileNotAllowedError: if code may not be loaded here (`romans_agents.permission`).
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
