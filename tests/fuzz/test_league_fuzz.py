"""League files that were damaged at random: refused in one line, or a league to draw from and to write again."""

import json
import random

import numpy as np
import pytest

from romans_training.learn.run_folder import RunFolderError
from romans_training.learn.self_play.league import EXPLOITER, PAST, SCRIPTED, League
from tests.fuzz.mutations import Judge, WrongSuccessError, damaged_json


@pytest.fixture
def league():
    league = League()
    for agent, kind in (("greedy", SCRIPTED), ("league/past-5.npz", PAST), ("league/exploiter-9.npz", EXPLOITER)):
        member = league.add(agent, kind, joined=5)
        for setup in ("2+0", "4+0"):
            member.record(setup, 3, 1.0)
    return league


def test_files(league, tmp_path):
    rng, judge, path = random.Random(31), Judge(RunFolderError), tmp_path / "league.json"

    def draws_and_is_written_again():
        found = League.load(path)
        weights = found.weights()
        if len(found) and not (np.isfinite(weights).all() and (weights > 0).all() and np.isclose(weights.sum(), 1.0)):
            raise WrongSuccessError(f"members are drawn by {weights}")
        found.draw(np.random.default_rng(1), 2)
        for member in found.members:
            member.record("2+0", 2, 0.0)
        found.save(tmp_path / "again.json")
        if League.load(tmp_path / "again.json") != found:
            raise WrongSuccessError("another league once it was written again")

    whole = league.as_json()
    damaged = (damaged_json(whole, rng, (0, 0, 1, 3)) for _ in range(250))
    judge.tries_files(path, [json.dumps(whole).encode(), *damaged], draws_and_is_written_again)
