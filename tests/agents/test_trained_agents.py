"""The trained agents of the package: small, at home without torch, and what their cards say. (Strength: test_wins.)"""

import dataclasses
from pathlib import Path

import pytest

import recipes
import romans_agents
from romans_agents.struggle.trained.odoacer import ODOACER_FILE, WIN_CHANCE_FILE
from romans_agents.struggle.trained.stilicho import STILICHO_FILE
from romans_training.learn.config import TrainConfig, read_settings
from tests.policies import fingerprint, players_of_a_game_without_torch


@dataclasses.dataclass(frozen=True)
class Card:
    """What the file of a trained agent is, and what its card says.

    Attributes:
        most: bytes; the file is smaller.
        command: how it was made.
        rivals: whom it is measured against.
    """

    most: int
    command: str
    rivals: str


LEGATE = Card(
    most=3_000_000,
    command="romans train --config",
    rivals="random greedy schemer mixer hoarder legionary skirmisher",
)
CARDS = {
    ("romans-go-home", "legate"): LEGATE,
    ("romans-go-home", "legate-1"): LEGATE,
    ("roma", "quaestor"): Card(
        most=2_000_000,
        command="romans train --game roma --config",
        rivals="random denier raider forum-runner expectimax",
    ),
    ("struggle", "stilicho"): Card(
        most=2_000_000,
        command="python -m recipes.stilicho.fit_win_chance",
        rivals="random kingdom-builder plunderer chieftain trader",
    ),
    ("struggle", "odoacer"): Card(
        most=2_000_000,
        command="python -m recipes.odoacer.fit_networks",
        rivals="random kingdom-builder plunderer chieftain trader",
    ),
    ("romans-go-home", "tribune"): Card(
        most=1,
        command="romans benchmark tribune",
        rivals="random greedy schemer mixer hoarder legionary legate-1 legate-2",
    ),
}
"""By game and agent."""
FILES = {"stilicho": [STILICHO_FILE], "odoacer": [ODOACER_FILE, WIN_CHANCE_FILE], "tribune": []}
"""Of those that are no policy."""
BY_TRAINING = [agent for agent in CARDS if agent[1] not in FILES]


@pytest.mark.parametrize(("game", "name"), CARDS)
def test_its_files_are_small_and_it_has_a_card_that_says_how_it_was_made(game, name):
    said = CARDS[game, name]
    files = FILES[name] if name in FILES else [romans_agents.make(name, game=game).file]
    assert sum(file.stat().st_size for file in files) < said.most
    folder = Path(romans_agents.__file__).parent / game.replace("-", "_") / "trained"
    card = (folder / f"{name.replace('-', '_')}.md").read_text(encoding="utf-8")
    assert said.command in card
    assert all(f"| {rival} " in card for rival in said.rivals.split())


def runs_of(name: str) -> dict[str, TrainConfig]:
    """The settings of the runs one after the other that an agent was trained in, by their folders."""
    files = {f"quaestor-{number}": f"quaestor/runs/{number}" for number in range(1, 11)}
    if name != "quaestor":
        runs = (f"{name}-first", f"{name}-second", name)
        files = {run: f"legate/{run.replace('-', '_')}" for run in runs}
    folder = Path(recipes.__file__).parent
    return {run: TrainConfig.from_json(read_settings(folder / f"{file}.toml")) for run, file in files.items()}


@pytest.mark.parametrize(("game", "name"), BY_TRAINING)
def test_the_settings_in_the_repository_are_those_it_was_trained_with(game, name):
    policy, runs = romans_agents.make(name, game=game).policy, runs_of(name)
    *earlier, last = runs.values()
    # The folder of the run before was called otherwise when `legate-1` was made.
    # Whom a run is measured against changes nothing of what it learns.
    same = {"start_from": last.start_from, "evaluate_against": last.evaluate_against}
    trained_with = TrainConfig.from_json(policy.meta["config"])
    assert dataclasses.replace(trained_with, **same) == last
    starts = [None, *(f"runs/{run}/policy.npz" for run in list(runs)[:-1])]
    assert [run.start_from for run in runs.values()] == starts
    assert {run.hidden_layers for run in earlier} == {last.hidden_layers}
    card = romans_agents.make(name, game=game).file.with_suffix(".md").read_text(encoding="utf-8")
    assert f"{policy.meta['trained_steps']:,} decisions" in card and policy.game == game
    assert game == "roma" or f"seed {last.seed}" in card


@pytest.mark.parametrize(
    ("game", "name", "module", "setup"),
    [
        ("romans-go-home", "legate", "romans_go_home_v0", {"num_players": 3, "num_neutrals": 1}),
        ("roma", "quaestor", "roma_v0", {}),
    ],
)
def test_it_plays_without_torch(game, name, module, setup):
    found = players_of_a_game_without_torch(module, name, game, **setup)
    assert {f"player_{seat}" for seat in range(setup.get("num_players", 2))} <= set(found)


LEGATE_THINKS = [-0.013, 0.08, 1.5, -0.014, 0.525, 0.568, 2.19, 0.327, -0.5, -0.273, 1.983, -1.042]
QUAESTOR_THINKS = [-40.986, 0.221, 1.667, -0.416, 5.0, 0.377, -5.167, 0.489, 1.71, 0.444]


@pytest.mark.parametrize(
    ("game", "name", "thinks", "by"),
    [("romans-go-home", "legate", LEGATE_THINKS, 0.0), ("roma", "quaestor", QUAESTOR_THINKS, 0.01)],
)
def test_it_is_the_policy_of_the_card(game, name, thinks, by):
    assert fingerprint(romans_agents.policy_of(name, game=game)) == pytest.approx(thinks, rel=by, abs=0.01)
