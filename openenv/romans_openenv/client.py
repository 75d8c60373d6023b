"""The client of the server."""

from __future__ import annotations

from typing import Any

from openenv.core import EnvClient
from openenv.core.client_types import StepResult

from romans_openenv.models import RomansAction, RomansObservation, RomansState


class RomansEnv(EnvClient[RomansAction, RomansObservation, RomansState]):
    """A session on the server, with a game of its own; ``.sync()`` returns a client that needs no ``await``.

    ``reset`` takes ``seed``, ``seat``, ``game``, ``against``, ``setup`` and ``reward``, like
    `romans_openenv.environment.RomansEnvironment.reset`. If the server refuses a request, a RuntimeError is raised.
    """

    def _step_payload(self, action: RomansAction) -> dict[str, Any]:
        return action.model_dump(exclude_none=True)

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[RomansObservation]:
        done, reward = payload.get("done", False), payload.get("reward")
        observation = RomansObservation(**payload.get("observation", {}), done=done, reward=reward)
        return StepResult(observation=observation, reward=reward, done=done)

    def _parse_state(self, payload: dict[str, Any]) -> RomansState:
        return RomansState(**payload)
