"""What is counted while a begun game is compiled: the functions that its rules and its usual opponent need."""

import runpy
from pathlib import Path

import pytest

from romans_agents.warm_up import needed
from romans_env.core.games import names, spec_of

ROOT = Path(__file__).resolve().parents[2]


SCRIPT = runpy.run_path(str(ROOT / "docs" / "scripts" / "make_needed_functions.py"))


@pytest.mark.parametrize("game", names())
def test_the_functions_that_are_counted_are_those_that_are_compiled(game):
    opponent = spec_of(game).default_opponent
    there = SCRIPT["ready_after"](game, opponent)
    assert needed(game, opponent) == set(there), "run: python docs/scripts/make_needed_functions.py"


def test_what_nobody_has_written_down_is_not_counted():
    assert needed("romans-go-home", "process:node bot.js") is None and needed("nine", "random") is None
