"""Games of OpenSpiel of all kinds, as OpenSpiel plays them, through every interface."""

import re
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("pyspiel")

import romans_agents
from romans_env import Game
from romans_env.core.games import spec_of
from romans_env.errors import CannotSampleError
from romans_env.testing import check_game
from romans_training.measure.evaluation import evaluate
from tests.openspiel.playthroughs import TABLE, check_playthrough, rules_of
from tests.openspiel.through_interfaces import LEARNING, play_through_environments

COMMANDS = ("kuhn_poker(players=3)", "bargaining", "goofspiel(imp_info=True,num_cards=4)", "connect_four")
"""Three players, not zero-sum, simultaneous, full information."""


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("text", TABLE)
def test_playthroughs_are_openspiels_own(text):
    rules = rules_of(text)
    for seed in range(12):
        check_playthrough(rules, seed)


@pytest.mark.parametrize("text", TABLE)
def test_check_game_finds_nothing(text):
    assert [str(one) for one in check_game(spec_of(f"openspiel:{text}"))] == []


@pytest.mark.parametrize("text", TABLE)
def test_every_environment_plays_it(text):
    play_through_environments(f"openspiel:{text}")


@pytest.mark.parametrize("text", COMMANDS)
@pytest.mark.parametrize(
    "command",
    [
        "evaluate random --deals 2",
        "tournament random random:seed=1 --deals 2",
        "train --folder run",
        "train --folder run --self-play 0.5",
        "exploit random --by learning --deals 2 --folder out",
        "agents",
        "warm-up",
        "check-game",
    ],
)
def test_commands_take_it(called, text, command):
    options = LEARNING if command.split()[0] in ("train", "exploit") else ()
    name, *rest = command.split()
    game = [f"openspiel:{text}"] if name == "check-game" else ["--game", f"openspiel:{text}"]
    status, out, err = called(name, *rest, *options, *game)
    assert status == 0 and "Traceback" not in err, (out, err)


@pytest.mark.parametrize("text", ["kuhn_poker", "leduc_poker", "connect_four", "matrix_rps", "goofspiel(num_cards=4)"])
@pytest.mark.parametrize("spec", ["flat-mc:iterations=30", "mo-ismcts:iterations=30"])
def test_searches_play_what_can_be_sampled(text, spec):
    rules = rules_of(text)
    found = evaluate(romans_agents.make(spec, game=rules.name), [romans_agents.make("random")], rules, 6, seed=1)
    assert found.num_games == 12 and not found.lost


@pytest.mark.parametrize("text", TABLE)
def test_a_game_is_sampled_or_says_in_a_sentence_that_it_is_not(text):
    rules = rules_of(text)
    view, rng = Game(rules, seed=1).view(1), np.random.default_rng(1)
    if rules.facts.hidden == "something" and rules.facts.cannot_sample and not rules.facts.num_places:
        with pytest.raises(
            CannotSampleError, match=f"{re.escape(rules.name)} cannot sample what a seat does not know: "
        ):
            view.sample_game(rng)
    else:
        assert view.sample_game(rng).view(1).states.tobytes() == view.states.tobytes()


def test_a_policy_of_a_run_opens_in_its_game_alone(called):
    game = ("--game", "openspiel:leduc_poker")
    assert called("train", *game, "--folder", "run", "--reward", "points", *LEARNING)[0] == 0
    status, out, err = called("evaluate", "run/policy.npz", *game, "--deals", "4", "--against", "random")
    assert status == 0 and "run/policy.npz" in out, err
    assert called("train", "--folder", "run", "--resume", "--steps", "384")[0] == 0
    status, _, err = called("evaluate", "run/policy.npz", "--deals", "4")
    assert status and "plays openspiel:leduc_poker, not romans-go-home" in f"{status} {err}"


def test_results_lie_in_folders_whose_names_every_system_takes(called):
    status, _, err = called(
        "tournament", "random", "flat-mc:iterations=2", "--game", "openspiel:kuhn_poker(players=3)", "--deals", "2"
    )
    assert status == 0, err
    (folder,) = Path("runs").iterdir()
    assert folder.name.startswith("tournament-openspiel-kuhn_poker-players-3-")
    assert (folder / "tournament.json").exists()
