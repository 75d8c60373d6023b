"""The modules of WebAssembly play the games of the engine, and a network in JavaScript decides as it does in Python."""

import gzip
import hashlib
import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from romans_agents import PolicyAgent
from romans_env import Game, Roma, RomansGoHome, StruggleForRome, Table, replay
from romans_env.core.batch import Batch

HERE = Path(__file__).parent
SITE = HERE.parents[2] / "docs" / "site"
node = pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
WORTH_LOADING = 450_000
"""Bytes that a game may weigh as they are sent, compressed: all that the page loads for it."""


@node
@pytest.mark.parametrize(
    ("rules", "games", "fewest"),
    [
        (RomansGoHome(Table(2, 0)), 1024, 70_000),
        (RomansGoHome(Table(2, 1)), 1024, 30_000),
        (Roma(), 1024, 1_000),
        (StruggleForRome(), 64, 100),
    ],
    ids=str,
)
def test_games_in_a_module_are_those_of_the_engine_byte_for_byte(tmp_path, rules, games, fewest):
    batch = Batch(rules, games)
    batch.start(7)
    kept = {"states": batch.states, "words": batch.words, "deal": batch._deal_streams, "choice": batch._choice_streams}
    arrays = {**kept, **batch.out._asdict()}
    for name, array in arrays.items():
        (tmp_path / f"{name}.bin").write_bytes(array.tobytes())
    digests, ended = [], 0
    while ended < fewest:
        batch.step_randomly()
        ended += int((batch.out.ends == 1).sum())
        digests.append(hashlib.sha256(b"".join(array.tobytes() for array in arrays.values())).hexdigest())
    spec = {"games": games, "steps": len(digests), "players": rules.num_players}
    spec["sizes"] = {name: array.nbytes // games for name, array in arrays.items()}
    (tmp_path / "spec.json").write_text(json.dumps(spec))
    subprocess.run(["node", HERE / "play_games.js", SITE / "play" / f"{rules.name}.wasm", tmp_path], check=True)
    assert (tmp_path / "digests.txt").read_text().split("\n") == digests


@node
def test_a_network_and_seeds_give_what_they_give_in_python(modules):
    policy, rng, seen, masks = PolicyAgent(str(SITE / "play" / "tiro.npz")).policy, np.random.default_rng(3), [], []
    for neutrals in (0, 1):
        batch = Batch(RomansGoHome(Table(2, neutrals)), 50)
        batch.start(5)
        for _ in range(10):
            batch.step_randomly()
            seen.append(batch.out.observations.copy())
            masks.append(batch.out.masks.copy())
    seen, masks, draws = np.concatenate(seen), np.concatenate(masks), rng.random(1000)
    opinions = {"observations": seen.tolist(), "masks": masks.tolist(), "draws": draws.tolist()}
    game = {"name": "romans-go-home", "setup": "2 players, no neutral clan", "isNarrow": False, "most": 1000}
    games = [{**game, "seed": seed, "agents": [None, "tiro"]} for seed in (0, 5, 123_456_789, 2**32 - 1)]
    (modules / "asked.json").write_text(json.dumps({"games": games, "opinions": opinions}))
    subprocess.run(["node", HERE / "play_views.mjs", modules], check=True)
    answered = json.loads((modules / "answered.json").read_text())
    likely = policy.probabilities(seen, masks).astype(float)
    found = np.zeros_like(likely)
    found[masks > 0] = np.concatenate([one["probabilities"] for one in answered["opinions"]])
    np.testing.assert_allclose(found, likely, atol=1e-5)
    assert (found.argmax(axis=1) == likely.argmax(axis=1)).all()
    drawn = (likely.cumsum(axis=1) <= draws[:, None]).sum(axis=1)
    assert [one["action"] for one in answered["opinions"]] == drawn.tolist()
    values = policy.values(seen).clip(-1, 1)
    np.testing.assert_allclose([one["value"] for one in answered["opinions"]], values, atol=1e-5)
    for asked, one in zip(games, answered["played"], strict=True):
        assert replay(one["record"]).is_over
        assert one["record"]["deal"] == Game(RomansGoHome(), seed=asked["seed"]).deal()


@pytest.mark.parametrize("game", ["romans-go-home", "roma", "struggle"])
def test_a_game_is_small_as_it_is_sent(play, game):
    names = ["index.html", "play.css", "play.js", f"{game}.js", f"{game}.svg"]
    names += ["tiro.js"] if game == "romans-go-home" else []
    assert sum(len(gzip.compress((play / name).read_bytes())) for name in names) < WORTH_LOADING
