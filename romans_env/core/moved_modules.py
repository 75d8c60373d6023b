"""Former names of modules, which still work for one version, with a DeprecationWarning that gives the new name."""

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
"""The modules that moved into each subpackage from its parent package or from ``romans_env.serve``."""
_RENAMED = {
    "romans_agents.batches.game_batch": "romans_agents.batches.batch_with_agents",
    "romans_agents.batches.kernels": "romans_agents.batches.game_arrays",
    "romans_agents.batches.position_ring": "romans_agents.batches.start_state_buffer",
    "romans_agents.batches.referee": "romans_agents.batches.adjudicator",
    "romans_agents.loops.game_loops": "romans_agents.loops.agent_loops",
    "romans_agents.loops.uniform_guide": "romans_agents.loops.uniform_evaluator",
    "romans_agents.roma.guide": "romans_agents.roma.evaluator",
    "romans_agents.roma.tactics": "romans_agents.roma.heuristics",
    "romans_agents.romans_go_home.control_variates.kernels": "romans_agents.romans_go_home.control_variates.compiled",
    "romans_agents.romans_go_home.guide": "romans_agents.romans_go_home.evaluator",
    "romans_agents.romans_go_home.rounds.kernels": "romans_agents.romans_go_home.rounds.compiled",
    "romans_agents.romans_go_home.rounds.rival": "romans_agents.romans_go_home.rounds.opponent_model",
    "romans_agents.romans_go_home.tactics": "romans_agents.romans_go_home.heuristics",
    "romans_agents.specs.needed_files": "romans_env.core.needed_files",
    "romans_agents.struggle.guide": "romans_agents.struggle.evaluator",
    "romans_agents.struggle.tactics": "romans_agents.struggle.heuristics",
    "romans_env.render.cast": "romans_env.render.seat_names",
    "romans_env.render.roma.terminal": "romans_env.render.roma.text_interface",
    "romans_env.render.roma.words": "romans_env.render.roma.sentences",
    "romans_env.render.romans_go_home.terminal": "romans_env.render.romans_go_home.text_interface",
    "romans_env.render.romans_go_home.words": "romans_env.render.romans_go_home.sentences",
    "romans_env.render.spots": "romans_env.render.hit_areas",
    "romans_env.render.struggle.spots": "romans_env.render.struggle.hit_areas",
    "romans_env.render.struggle.terminal": "romans_env.render.struggle.text_interface",
    "romans_env.render.struggle.words": "romans_env.render.struggle.sentences",
    "romans_env.render.terminal": "romans_env.render.text_interface",
    "romans_training.measure.panels": "romans_training.measure.reference_opponents",
}
"""Modules that were renamed, whether they moved or not."""
_NEW_NAMES = {
    **_RENAMED,
    "romans_env.serve": "romans_serve",
    "romans_env.envs.checked": "romans_env.envs.aec",
    "romans_env.envs.game_calls": "romans_env.envs.game_env",
    "romans_training.serving": "romans_serve.thinkers",
    "romans_agents.control_variates": "romans_env.core.parts",
    "romans_agents.loops.parts": "romans_env.core.parts",
    **{
        f"{room.rpartition('.')[0].replace('romans_serve', 'romans_env.serve')}.{name}": _RENAMED.get(
            f"{room}.{name}", f"{room}.{name}"
        )
        for room, names in _ROOMS.items()
        for name in names.split()
    },
}


class _MovedModules(MetaPathFinder, Loader):
    """Imports a module by its former name, as the same module object as under its new name."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if _new_name(fullname) is None:
            return None
        return ModuleSpec(fullname, self)

    def create_module(self, spec: ModuleSpec) -> None:
        """Leave creation to Python; `exec_module` replaces the module in `sys.modules`."""

    def exec_module(self, module: ModuleType) -> None:
        old = module.__name__
        new = _new_name(old)
        assert new is not None
        warnings.warn(
            f"{old} has been renamed to {new}; the old name will be removed in the next version",
            DeprecationWarning,
            stacklevel=2,
        )
        sys.modules[old] = importlib.import_module(new)


def _new_name(name: str) -> str | None:
    parts = name.split(".")
    for length in range(len(parts), 1, -1):
        new = _NEW_NAMES.get(".".join(parts[:length]))
        if new is not None:
            return ".".join([new, *parts[length:]])
    return None


def install() -> None:
    """Make modules importable by their former names."""
    sys.meta_path.insert(0, _MovedModules())
