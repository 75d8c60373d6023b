"""Checks of the game through PettingZoo and Gymnasium, in batches, and of compiled code against Python."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from romans_env.compiling.templates import bound
from romans_env.core.batch import Batch
from romans_env.core.games import GameSpec
from romans_env.core.protocol import Rules
from romans_env.core.python_step import PythonStep
from romans_env.engine import batch_loops
from romans_env.envs.aec import GameAECEnv, env_of
from romans_env.envs.single import SingleSeatEnv
from romans_env.render.renderer import renderer_of

STEPS = 60
"""Number of steps of a batch."""
_GAMES = 3


def pettingzoo(rules: Rules, spec: GameSpec) -> Iterator[str]:
    """Check the environment with PettingZoo's own tests, both ``raw_env`` and ``env``."""
    with _quiet():
        api_test(GameAECEnv(rules, "points", None, renderer_of(spec.name), spec.name), num_cycles=50)
        settings = _settings_of(rules, spec)
        api_test(env_of(spec.name, **settings), num_cycles=50)
        seed_test(lambda: env_of(spec.name, **settings), num_cycles=20)
    yield from ()


def gymnasium(rules: Rules, spec: GameSpec) -> Iterator[str]:
    """Check the single-seat environment with Gymnasium's own test."""
    with _quiet():
        opponents = ["random"] * (rules.num_players - 1)
        check_env(SingleSeatEnv(opponents, game=spec.name, **_settings_of(rules, spec)), skip_render_check=True)
    yield from ()


def _settings_of(rules: Rules, spec: GameSpec) -> dict[str, Any]:
    known = spec.setting_names()
    return {name: value for name, value in rules.setup.as_json().items() if name in known}


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        yield


def compiled_steps(rules: Rules, spec: GameSpec) -> Iterator[str]:
    """Check that the step functions play as the rules do; for a game without step functions, that batches run."""
    batches = Batch(rules, _GAMES), Batch(rules, _GAMES)
    loops: Any = bound(batch_loops, game=PythonStep(rules))
    batches[1]._loops = loops
    for batch in batches:
        batch.start(seed=1)
    for number in range(STEPS):
        compiled, plain = batches
        pairs: Any = zip(compiled.out._fields, compiled.out, plain.out, strict=True)
        for name, one, other in pairs:
            if not np.array_equal(one, other):
                yield f"after {number} steps of {_GAMES} games the step functions and the rules differ in {name}"
                return
        if compiled.states.tobytes() != plain.states.tobytes():
            yield f"after {number} steps of {_GAMES} games the step functions and the rules differ in their records"
            return
        for batch in batches:
            batch.step_randomly()
