"""What docs/environments/interfaces.md says of the wrappers of other libraries."""

import os
import subprocess
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium import wrappers
from gymnasium.envs.registration import EnvSpec
from gymnasium.wrappers import vector
from pettingzoo.test import parallel_api_test
from pettingzoo.utils.conversions import aec_to_parallel, turn_based_aec_to_parallel
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from sb3_contrib.common.wrappers import ActionMasker

from tests.envs.playing import played
from tests.harness import GAMES, each_game
from tests.release.second_environment import environment_with

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/environments/interfaces.md").read_text(encoding="utf-8")
ARGUMENTS = {"TimeLimit": (20,), "DtypeObservation": ("float32",), "FrameStackObservation": (3,)}
WORK = PAGE.partition("Gymnasium's `RecordEpisodeStatistics`")[2].partition("| work |")[0].replace("`", "").split(",")
NAMES = ["RecordEpisodeStatistics", *(name.strip() for name in WORK if name.strip())]
pytestmark = pytest.mark.usefixtures("toy")


def made(game, **settings):
    return gymnasium.make(game.spec.env_id, **settings, **game.short)


@pytest.mark.parametrize("name", NAMES)
@each_game
def test_a_wrapper_that_is_said_to_work_does_and_is_made_again(game, name):
    def wrapped():
        return getattr(wrappers, name)(made(game), *ARGUMENTS.get(name, ()))

    seen = played(wrapped())
    spec = wrapped().spec
    assert seen == played(gymnasium.make(spec)) == played(gymnasium.make(EnvSpec.from_json(spec.to_json())))


@each_game
def test_episodes_are_counted(game):
    env = wrappers.RecordEpisodeStatistics(made(game))
    _, info = env.reset(seed=1)
    length, terminated = 0, False
    while not terminated:
        _, _, terminated, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        length += 1
    raw = env.unwrapped
    assert (info["episode"]["r"], info["episode"]["l"]) == (raw.returns()[raw.player], length)


@each_game
def test_masks_are_found_with_action_masker_and_without(game):
    for env in (ActionMasker(made(game), lambda env: env.unwrapped.action_masks()), made(game)):
        _, info = env.reset(seed=1)
        assert is_masking_supported(env) and (get_action_masks(env) == (info["action_mask"] == 1)).all()
    with pytest.raises(ValueError, match="cannot be recreated"):
        gymnasium.make(ActionMasker(made(game), lambda env: env.unwrapped.action_masks()).spec)


@each_game
def test_wrappers_of_vector_environments(game):
    many = vector.RecordEpisodeStatistics(gymnasium.make_vec(game.spec.env_id, 3, **game.short))
    _, info = many.reset(seed=1)
    ended = np.zeros(3, dtype=bool)
    while not ended.any():
        _, rewards, ended, _, info = many.step(info["action_mask"].argmax(axis=1))
    assert (info["episode"]["r"] == np.where(ended, rewards, 0)).all() and (info["episode"]["l"][ended] > 0).all()
    with pytest.raises(ValueError, match="NEXT_STEP"):
        vector.DtypeObservation(gymnasium.make_vec(game.spec.env_id, 3), np.float32)
    next_step = gymnasium.make_vec(game.spec.env_id, 3, autoreset_mode="NextStep")
    assert vector.DtypeObservation(next_step, np.float32).reset(seed=1)[0].dtype == np.float32


@each_game
def test_wrappers_with_a_condition_fulfil_it(game):
    with pytest.raises(ValueError, match="TimeLimit"):
        wrappers.TimeAwareObservation(made(game))
    wrappers.TimeAwareObservation(wrappers.TimeLimit(made(game), 20)).reset(seed=1)
    zero, one = np.float32(0), np.float32(1)
    observation, _ = wrappers.RescaleObservation(made(game), zero, one).reset(seed=1)
    assert np.issubdtype(observation.dtype, np.integer)
    scaled = wrappers.RescaleObservation(wrappers.DtypeObservation(made(game), np.float32), zero, one)
    observation, _ = scaled.reset(seed=1)
    assert observation.dtype == np.float32 and scaled.observation_space.contains(observation)
    assert np.any((observation > 0) & (observation < 1))


@each_game
def test_an_environment_of_turns_is_a_parallel_one(game):
    with pytest.raises(AssertionError, match="is_parallelizable"):
        aec_to_parallel(game.env.env())
    parallel_api_test(turn_based_aec_to_parallel(game.env.env(**game.short)), num_cycles=20)
    env = turn_based_aec_to_parallel(game.env.env(**game.short))
    observations, _ = env.reset(seed=1)
    got = dict.fromkeys(env.agents, 0.0)
    while env.agents:
        actions = {agent: int(observations[agent]["action_mask"].argmax()) for agent in env.agents}
        observations, rewards, *_ = env.step(actions)
        got = {agent: got[agent] + rewards[agent] for agent in got}
    assert got == env.aec_env.unwrapped.returns()


VIDEOS = """
import sys, gymnasium, numpy as np, pettingzoo, romans_env
from gymnasium.envs.registration import EnvSpec
from gymnasium.wrappers import RecordVideo
from moviepy import VideoFileClip
from pathlib import Path
from pettingzoo.utils.wrappers import RecordVideo as RecordVideoOfSeats

name, folder = sys.argv[1], Path(sys.argv[2])
made = gymnasium.make(name, render_mode="rgb_array")
first = RecordVideo(made, str(folder / "one"), video_length=4, gc_trigger=None)
text = first.spec.to_json().replace(str(folder / "one"), str(folder / "again"))
for env in (first, gymnasium.make(EnvSpec.from_json(text))):
    _, info = env.reset(seed=1)
    for _ in range(5):
        *_, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
    env.close()
seats = RecordVideoOfSeats(pettingzoo.make("aec", name, render_mode="rgb_array"), str(folder / "seats"), video_length=4)
seats.reset(seed=1)
for agent in seats.agent_iter(5):
    seats.step(int(seats.observe(agent)["action_mask"].argmax()))
seats.close()
for kind in ("one", "again", "seats"):
    (path,) = (folder / kind).glob("*.mp4")
    clip = VideoFileClip(str(path))
    assert (clip.fps, tuple(clip.size)) == (2, made.unwrapped.render().shape[1::-1]), (kind, clip.size)
    assert clip.n_frames in (4, 5), clip.n_frames
one, again = (next((folder / kind).glob("*.mp4")).read_bytes() for kind in ("one", "again"))
assert one == again
"""


@pytest.fixture(scope="module")
def with_moviepy(tmp_path_factory):
    """The interpreter of an environment with moviepy, which asks for an older pillow than the pinned one."""
    return environment_with(tmp_path_factory.mktemp("moviepy"), "moviepy>=2.2").python


@pytest.mark.parametrize("game", [game for game in GAMES if game.is_compiled], ids=lambda game: game.name)
def test_videos_are_recorded_without_a_screen(game, with_moviepy, tmp_path):
    """The toy game has no pictures."""
    command = [with_moviepy, "-c", VIDEOS, game.spec.env_id, tmp_path]
    without_screen = {name: text for name, text in os.environ.items() if name != "DISPLAY"}
    done = subprocess.run(command, env=without_screen, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr
