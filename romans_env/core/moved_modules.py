"""Former names of modules; they work for one more version, with a DeprecationWarning that says the new one."""

from __future__ import annotations

import importlib
import sys
import warnings
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

_ROOMS = {
    "romans_env.core": (
        "action_blocks base_rules batch chance compiled_rules event files game games lazy_names protocol python_step "
        "record_playback records registration steps undo unknown_settings"
    ),
    "romans_agents.specs": "registry from_file needed_files listing",
    "romans_agents.batches": (
        "arena game_batch kernels position_ring referee self_play_batch single_agent_batch time_limit"
    ),
    "romans_agents.searches": "budget comparison flat_mc mo_ismcts policy_rollouts search",
    "romans_agents.policies": "policy policy_file policy_forms",
    "romans_agents.external": "endpoint line_process llm_agent process_agent text_env",
    "romans_agents.variates": "chance_variates luck",
    "romans_training.measure": "deals evaluation intervals variance_reduction",
    "romans_training.learn": (
        "checkpoint config curves device_policy masked_ppo masked_ppo_run metrics_file progress provenance recorder "
        "run_folder self_play summary tensor_vector_env torch_networks trainer training_run transfers"
    ),
    "romans_training.compare": "annotations exploit game_review leaderboard tournament",
    "romans_training.cli": "mcp_server setup_options",
    "romans_serve.web": "app requests rules_pages security",
    "romans_serve.games": "agent_runs live playing service served_game spectator store streams typed_actions views",
}
"""The modules that each room took from its package, or from ``romans_env.serve``."""
_NEW_NAMES = {
    "romans_env.serve": "romans_serve",
    "romans_env.envs.checked": "romans_env.envs.aec",
    "romans_env.envs.game_calls": "romans_env.envs.game_env",
    "romans_training.serving": "romans_serve.thinkers",
    "romans_agents.control_variates": "romans_env.core.parts",
    "romans_agents.loops.parts": "romans_env.core.parts",
    **{
        f"{room.rpartition('.')[0].replace('romans_serve', 'romans_env.serve')}.{name}": f"{room}.{name}"
        for room, names in _ROOMS.items()
        for name in names.split()
    },
}


class _MovedModules(MetaPathFinder, Loader):
    """Finds the module of a former name under the new one, so that both names are one module."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if _new_name(fullname) is None:
            return None
        return ModuleSpec(fullname, self)

    def create_module(self, spec: ModuleSpec) -> None:
        """Leave it to Python: what is put into `sys.modules` below counts."""

    def exec_module(self, module: ModuleType) -> None:
        old = module.__name__
        new = _new_name(old)
        assert new is not None
        warnings.warn(f"{old} is {new} now; the old name goes with the next version", DeprecationWarning, stacklevel=2)
        sys.modules[old] = importlib.import_module(new)


def _new_name(name: str) -> str | None:
    parts = name.split(".")
    for length in range(len(parts), 1, -1):
        new = _NEW_NAMES.get(".".join(parts[:length]))
        if new is not None:
            return ".".join([new, *parts[length:]])
    return None


def install() -> None:
    """Make the former names importable."""
    sys.meta_path.insert(0, _MovedModules())
