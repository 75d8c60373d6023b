"""The page "Play": its module plays by the engine's rules, and a game on it is a game of the package."""

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from romans_env.batch import Batch
from romans_env.games import spec_of

HERE = Path(__file__).parent
SITE = HERE.parents[2] / "docs" / "site"
PLAY = SITE / "play"
node = pytest.mark.skipif(shutil.which("node") is None, reason="needs node")


def module_of(game, folder):
    """The kept module; of another game one that is built here."""
    if game == "romans-go-home":
        return PLAY / "romans-go-home.wasm"
    pytest.importorskip("ziglang")
    subprocess.run([sys.executable, SITE / "wasm.py", "--game", game, "--to", folder / "rules.wasm"], check=True)
    return folder / "rules.wasm"


@node
@pytest.mark.parametrize(("game", "setup", "fewest"), [
    ("romans-go-home", {}, 70_000),
    ("romans-go-home", {"num_neutrals": 1}, 30_000),
    ("roma", {}, 1_000),
])  # fmt: skip
def test_games_in_the_module_are_those_of_the_engine_byte_for_byte(tmp_path, game, setup, fewest):
    games, rules = 1024, spec_of(game).make_rules(**setup)
    batch = Batch(rules, games)
    batch.start(7)
    names = {"states": batch.states, "deal": batch._deal_streams, "choice": batch._choice_streams, "words": batch.words}
    arrays = {**names, **batch.out._asdict()}
    for name, array in arrays.items():
        (tmp_path / f"{name}.bin").write_bytes(array.tobytes())
    digests, ended = [], 0
    while ended < fewest:
        batch.step_randomly()
        ended += int((batch.out.ends == 1).sum())
        digest = hashlib.sha256()
        for array in arrays.values():
            digest.update(array.tobytes())
        digests.append(digest.hexdigest())
    sizes = {name: array.nbytes // games for name, array in arrays.items()}
    spec = {"games": games, "steps": len(digests), "players": rules.num_players, "sizes": sizes}
    (tmp_path / "spec.json").write_text(json.dumps(spec))
    subprocess.run(["node", HERE / "play_games.js", module_of(game, tmp_path), tmp_path], check=True)
    assert (tmp_path / "digests.txt").read_text().split("\n") == digests
