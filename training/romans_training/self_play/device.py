"""The device of the learner's network arithmetic."""

from __future__ import annotations

import torch

from romans_training.settings import ConfigError


def device_of(name: str) -> torch.device:
    """A device on which torch computes here.

    Args:
        name: as torch has it, such as cpu or cuda:0.

    Raises:
        ConfigError: there is no such device here, or torch was built without it.
    """
    try:
        device = torch.device(name)
        torch.empty(1, device=device)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise ConfigError(f"torch cannot compute on device {name!r} here ({reason}); cpu is always there") from None
    if device.type == "meta":
        raise ConfigError("device meta computes nothing; cpu is always there")
    return device
