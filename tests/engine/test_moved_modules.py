"""Modules under the names that they had before they were sorted into rooms."""

import importlib
import subprocess
import sys

import pytest

from romans_env.core import moved_modules


@pytest.mark.parametrize("old", sorted(moved_modules._NEW_NAMES))
def test_a_former_name_is_the_module_of_the_new_one_and_says_so(old):
    new = moved_modules._NEW_NAMES[old]
    sys.modules.pop(old, None)
    with pytest.warns(DeprecationWarning, match=f"{old} has been renamed to {new}"):
        found = importlib.import_module(old)
    assert found is importlib.import_module(new) and found.__spec__.name == new


def test_modules_of_a_moved_package_and_imports_from_a_package_have_their_former_names_too():
    lines = """
import warnings
warnings.simplefilter("ignore")
from romans_env import games
from romans_env.serve.store import GameStore
from romans_training.tournament.result import TournamentResult
import romans_serve.games.store, romans_env.core.games, romans_training.compare.tournament.result as new
assert games is romans_env.core.games and GameStore is romans_serve.games.store.GameStore
assert TournamentResult is new.TournamentResult
"""
    assert subprocess.run([sys.executable, "-c", lines], check=False).returncode == 0


def test_an_area_of_a_drawing_has_its_former_name_too():
    from romans_env.render import hit_areas

    with pytest.warns(DeprecationWarning, match="Spot is HitArea now"):
        assert hit_areas.Spot is hit_areas.HitArea
    with pytest.raises(AttributeError, match="Cast"):
        _ = hit_areas.Cast


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("name", ["romans_env.nothing", "romans_training.tournament.nothing"])
def test_what_never_was_is_not_found(name):
    with pytest.raises(ModuleNotFoundError, match="nothing"):
        importlib.import_module(name)
