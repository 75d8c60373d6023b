"""The autoreset modes of the vector environment: the same games in each, restarted where the mode says."""

import copy

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode

from tests.envs.playing import Last

ID, NUM_GAMES = "DiceRace-v0", 4


def make(mode=AutoresetMode.NEXT_STEP, opponent="random", **settings):
    # Games of different lengths would be better, but an illegal action now and then makes some shorter.
    return gymnasium.make_vec(ID, NUM_GAMES, opponents=[opponent], autoreset_mode=mode, turns=6, **settings)


def choices(masks, observations):
    """Mostly a legal action that depends on the observation alone; an illegal one where a sum is a multiple of 13."""
    actions = masks.argmax(axis=1)
    return np.where(observations.sum(axis=1) % 13 == 0, 1000, actions)


def episodes(mode, opponent, steps=120):
    """(observation, reward, result) lists of the games of each row, up to the end of every episode."""
    env = make(mode, opponent, reward="points", illegal_reward=-3.0)
    observations, info = env.reset(seed=5)
    rows = [[[observation.tolist()]] for observation in observations]
    ended = np.zeros(NUM_GAMES, dtype=bool)
    for _ in range(steps):
        starts = ended.copy()
        if mode is AutoresetMode.DISABLED and starts.any():
            observations, info = env.reset(options={"reset_mask": starts})
            for i in np.flatnonzero(starts):
                rows[i].append([observations[i].tolist()])
            starts[:] = False
        observations, rewards, ended, truncated, info = env.step(choices(info["action_mask"], observations))
        assert not truncated.any()
        same = mode is AutoresetMode.SAME_STEP
        results = info.get("final_info", {}) if same else info
        for i, row in enumerate(rows):
            if starts[i] and mode is AutoresetMode.NEXT_STEP:
                assert rewards[i] == 0
                row.append([observations[i].tolist()])
            elif ended[i]:
                final = info["final_obs"][i] if same else observations[i]
                result = {key: int(results[key][i]) for key in ("points", "won", "illegal_action")}
                row[-1].append((final.tolist(), float(rewards[i]), result))
                if same:
                    row.append([observations[i].tolist()])
            else:
                row[-1].append((observations[i].tolist(), float(rewards[i])))
    return rows


@pytest.mark.parametrize("opponent", ["random", Last()], ids=["compiled", "python"])
def test_every_mode_plays_the_same_episodes(opponent):
    by_mode = {mode: episodes(mode, opponent) for mode in AutoresetMode}
    for rows in zip(*by_mode.values(), strict=True):
        whole = min(map(len, rows)) - 1
        assert whole > 10
        assert rows[0][:whole] == rows[1][:whole] == rows[2][:whole]
    ends = [episode[-1][2] for row in by_mode[AutoresetMode.DISABLED] for episode in row[:-1]]
    assert {end["illegal_action"] for end in ends} == {0, 1} and {end["won"] for end in ends} == {0, 1}
    illegal = [
        episode[-1]
        for row in by_mode[AutoresetMode.DISABLED]
        for episode in row[:-1]
        if episode[-1][2]["illegal_action"]
    ]
    assert {reward for _, reward, _ in illegal} == {-3.0}


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_the_metadata_name_the_mode(mode):
    for given in (mode, mode.value):
        env = make(given)
        assert env.metadata["autoreset_mode"] is env.unwrapped.autoreset_mode is mode
        assert type(env).metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert gymnasium.make_vec(ID, 2).metadata["autoreset_mode"] is AutoresetMode.SAME_STEP


def test_an_unknown_mode():
    with pytest.raises(ValueError, match="one of 'NextStep', 'SameStep', 'Disabled', not 'Later'"):
        make("Later")


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.DISABLED])
def test_a_game_that_ended_shows_its_end_and_no_legal_action(mode):
    env = make(mode)
    observations, info = env.reset(seed=1)
    ended = np.zeros(NUM_GAMES, dtype=bool)
    while not ended.any():
        assert "points" not in info
        observations, _, ended, _, info = env.step(info["action_mask"].argmax(axis=1))
    assert (info["action_mask"].any(axis=1) == ~ended).all()
    assert (env.action_masks() == info["action_mask"]).all()
    assert (info["_points"] == ended).all() and not info["illegal_action"].any()
    assert "final_obs" not in info and "final_info" not in info
    twin = copy.deepcopy(env)
    if mode is AutoresetMode.NEXT_STEP:
        for one in (env, twin):
            _, rewards, again, _, info = one.step(np.full(NUM_GAMES, -5))
            assert not again[ended].any() and not rewards[ended].any()
            assert info["action_mask"][ended].any(axis=1).all()
    else:
        with pytest.raises(ResetNeeded, match=r"these games have ended: .*reset_mask"):
            env.step(np.zeros(NUM_GAMES, dtype=int))
        mine, theirs = (one.reset(options={"reset_mask": ended})[0] for one in (env, twin))
        assert (mine == theirs).all() and (mine[~ended] == observations[~ended]).all()


def test_some_games_are_reset_and_seeded_alone():
    env = make(AutoresetMode.DISABLED)
    first, _ = env.reset(seed=20)
    env.step(env.action_masks().argmax(axis=1))
    before, _, _, _, _ = env.step(env.action_masks().argmax(axis=1))
    mask = np.array([False, True, False, True])
    options = {"reset_mask": mask}
    after, info = env.reset(seed=20, options=options)
    assert options == {"reset_mask": mask}  # wrappers read it, too
    assert (after[mask] == first[mask]).all() and (after[~mask] == before[~mask]).all()
    assert info["action_mask"].any(axis=1).all()


@pytest.mark.parametrize(
    ("mask", "error", "why"),
    [
        ([True] * NUM_GAMES, TypeError, "a numpy array of bools, not"),
        (np.ones(NUM_GAMES, dtype=int), TypeError, "a numpy array of bools, not"),
        (np.ones(3, dtype=bool), ValueError, r"has shape \(4,\), not \(3,\)"),
        (np.zeros(NUM_GAMES, dtype=bool), ValueError, "at least one game"),
    ],
)
def test_wrong_masks(mask, error, why):
    env = make()
    env.reset(seed=1)
    with pytest.raises(error, match=why):
        env.reset(options={"reset_mask": mask})


def test_a_mask_before_the_first_reset():
    with pytest.raises(ResetNeeded, match="without a reset_mask first"):
        make().reset(options={"reset_mask": np.ones(NUM_GAMES, dtype=bool)})
