"""Files that version 0.1.0 of the package wrote (commit 7b1c6c73) are read, resumed and verified as it did.

`tests/release/old_files/` has them, small ones of each kind, and beside each what that version made of it. They are
never written again: what is read here today was written by somebody else, some time ago.
"""

import asyncio
import json
import math
import shutil
from pathlib import Path

import numpy as np
import pytest

import romans_agents
from romans_agents import Policy
from romans_env import Game, RomansGoHome, Table, replay
from romans_env.core.games import spec_of
from romans_env.core.records import load_record
from romans_training.learn.config import TrainConfig
from romans_training.learn.run_folder import RunFolder
from tests.serve.servers import new_service
from tests.training.tournaments import stored_chunks, without_times

FILES = Path(__file__).with_name("old_files")


def expected(name):
    """What the version that wrote a file made of it."""
    return json.loads((FILES / f"expected-{name}.json").read_text(encoding="utf-8"))


@pytest.fixture
def copied(tmp_path):
    """Copy a file or a folder to where it may be changed; gives the copy."""

    def copy(name):
        if (FILES / name).is_dir():
            return shutil.copytree(FILES / name, tmp_path / name)
        return shutil.copy(FILES / name, tmp_path / name)

    return copy


def test_no_file_says_where_it_was_written():
    files = [path for path in FILES.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 300_000
    for path in files:
        content = path.read_bytes()
        assert not any(place in content for place in (b"/home/", b"/root/", b"/work/", b"/tmp/", b"/Users/")), path


# -- records


@pytest.mark.parametrize("path", sorted((FILES / "records").iterdir()), ids=lambda path: path.stem)
def test_a_record_is_played_again_to_where_it_ends(path):
    record = load_record(path)
    game, then = replay(record), expected("records")[path.stem]
    assert game.record() == record
    assert {
        "is_over": game.is_over,
        "points": game.points(),
        "seat_to_act": game.seat_to_act,
        "legal": game.legal_actions(),
        "observation": int(np.abs(game.observation(0).astype(int)).sum()),
    } == then


# -- training


def numbers_of(path):
    """Shapes and sums of the arrays of a policy file."""
    with np.load(path) as arrays:
        return {
            name: [list(arrays[name].shape), float(arrays[name].sum()), float(np.abs(arrays[name]).sum())]
            for name in arrays.files
            if name != "meta"
        }


def assert_numbers(path, then):
    """The arrays are those of before, up to what the processor rounds otherwise."""
    now = numbers_of(path)
    assert now.keys() == then.keys()
    for name, (shape, *sums) in then.items():
        assert now[name][0] == shape
        assert now[name][1:] == pytest.approx(sums, rel=1e-3, abs=1e-4), name


def test_a_policy_file_plays_the_same_game():
    agent = romans_agents.make(str(FILES / "train" / "policy.npz"))
    game, actions = Game(RomansGoHome(Table(2, 0)), seed=1), []
    while not game.is_over:
        actions.append(int(agent.act(game.view(game.seat_to_act))))
        game.act(actions[-1])
    assert {"actions": actions, "points": game.points()} == expected("policy")
    assert Policy.load(FILES / "train" / "policy.npz").meta["trained_steps"] == 256


@pytest.mark.parametrize("name", ["train", "self-play"])
def test_a_run_is_resumed_to_the_policy_that_it_led_to(name, copied, called):
    pytest.importorskip("sb3_contrib", reason="training needs the extra: pip install '.[train]'")
    folder, then = RunFolder(copied(name)), expected(name)
    settings = folder.load_config()
    assert settings.steps == 256 and settings.restarts == 0.25
    assert len(folder.load_starts()) == 1 and int(folder.load_metrics()[-1]["steps"]) >= 256

    status, _, error = called("train", "--folder", folder.path, "--resume", "--steps", 512)
    assert status == 0, error

    assert_numbers(folder.policy, then["policy"])
    rows = folder.evaluations.read_text(encoding="utf-8").splitlines()
    assert rows == then["evaluations"].splitlines()
    if name == "self-play":
        assert_numbers(folder.average, then["average"])
        league = json.loads(folder.league.read_text(encoding="utf-8"))
        assert league.keys() == then["league"].keys()
        assert league["members"] == then["league"]["members"]


def test_settings_of_a_run_are_read():
    for name in ("train", "self-play"):
        settings = json.loads((FILES / name / "config.json").read_text(encoding="utf-8"))
        read = json.loads(json.dumps(TrainConfig.load(FILES / name / "config.json").as_json()))
        assert {key: read.get(key) for key in settings} == settings


# -- comparisons


def test_a_tournament_is_rated_from_its_store_and_played_on(copied, called, tmp_path):
    folder, then = copied("tournament"), expected("tournament")
    chunks = stored_chunks(folder)
    command = ("tournament", "greedy", "random", "hoarder", "--table", "2+0", "--seed", 3, "--jobs", 1)
    status, _, error = called(*command, "--deals", 20, "--folder", folder, "--json", tmp_path / "now.json")
    assert status == 0, error
    now = json.loads((tmp_path / "now.json").read_text(encoding="utf-8"))
    assert stored_chunks(folder) == chunks  # nothing was played once more
    assert_same(without_times(now), without_times(then))

    status, _, error = called(*command, "--deals", 30, "--folder", folder)
    assert status == 0, error
    assert set(stored_chunks(folder)) > set(chunks)


def assert_same(now, then):
    """Plain data is that of before; numbers up to rounding. What is new beside it is left alone."""
    if isinstance(then, dict):
        assert then.keys() <= now.keys()
        for name, value in then.items():
            assert_same(now[name], value)
    elif isinstance(then, list):
        assert len(now) == len(then)
        for one, other in zip(now, then, strict=True):
            assert_same(one, other)
    elif isinstance(then, float):
        assert math.isclose(now, then, rel_tol=1e-6, abs_tol=1e-9)
    else:
        assert now == then


def test_an_evaluation_comes_to_the_same(called, tmp_path):
    out, records = tmp_path / "now.json", tmp_path / "games.jsonl"
    command = ("evaluate", "greedy", "--against", "random", "--table", "2+0", "--deals", 2, "--seed", 3)
    status, _, error = called(*command, "--json", out, "--records", records)
    assert status == 0, error
    then = json.loads((FILES / "evaluation.json").read_text(encoding="utf-8"))
    assert_same(json.loads(out.read_text(encoding="utf-8")), then)
    assert records.read_text(encoding="utf-8") == (FILES / "games.jsonl").read_text(encoding="utf-8")


def test_a_result_of_the_benchmark_is_verified(called):
    status, out, error = called("benchmark", "--verify", FILES / "benchmark.json", "--part", 1, "--jobs", 1)
    assert status == 0, error
    assert "hoarder" in out


# -- exports, games in the browser


def test_an_export_goes_on_where_it_was_stopped(copied, called):
    parquet = pytest.importorskip("pyarrow.parquet", reason="exports need the extra: pip install '.[data]'")
    games, folder = copied("games.jsonl"), copied("export")
    (part,) = (folder / "decisions").iterdir()
    then = parquet.read_table(part)
    assert then.num_rows > 20
    part.unlink()
    status, _, error = called("export", games, "--to", "parquet", "--out", folder, "--jobs", 1)
    assert status == 0, error
    assert parquet.read_table(part).equals(then)


def test_served_games_are_as_they_were_left_and_go_on(copied, toy):
    asyncio.run(_served_games_go_on(copied("games.sqlite"), expected("served")))


async def _served_games_go_on(path, kept):
    assert len(kept) == 3
    service = new_service(path)
    try:
        for id, then in kept.items():
            live = await service.live(id)
            served, game = live.served, live.served.game
            assert game.record() == then["record"]
            shown, before = service.summary(live.stored), then["summary"]
            players = zip(shown.pop("players"), before.pop("players"), strict=True)
            for now, one in [(shown, before), *players]:
                assert {name: now[name] for name in one} == one
            if not game.is_over:
                assert [game.action_name(action) for action in game.legal_actions()] == then["choices"]
                service.playing.act(live, 0, served.moves[0], then["choices"][0])
                assert len(served.game.actions) > len(then["record"]["actions"])
    finally:
        await service.close()


def test_the_rules_of_all_games_are_among_the_files():
    games = {load_record(path)["format"].partition("/")[0] for path in (FILES / "records").iterdir()}
    assert games == {"romans-go-home", "roma", "struggle"} == {spec_of(name).name for name in games}
