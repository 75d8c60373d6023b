"""Every kind of environment of every game: its seeds, deals and copies, and what a wrong call leaves as it was."""

import copy
import json
import pickle
import re

import gymnasium
import numpy as np
import pytest

from romans_agents import RandomAgent
from romans_env import GameOverError, View
from romans_env.envs.aec import GameAECEnv
from romans_env.envs.sb3 import RomansVecEnv
from romans_env.envs.single import SingleSeatEnv
from tests.harness import each_game
from tests.tools import Lcg

pytestmark = pytest.mark.usefixtures("toy")

COPIES = (copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env)), lambda env: env.unwrapped.clone())
"""All ways to copy an environment; each is tried in the midst of a game, or at its end, the last one at both."""


class RandomInPython(RandomAgent):
    """The random agent, one view at a time: what it draws next is in no compiled batch."""


def make(game, kind, reward="points"):
    """An environment of one game, or of three of them."""
    settings, number = {"reward": reward, **game.short}, game.rules(**game.short).num_players - 1
    kind, _, asked = kind.partition(" ")
    if kind in ("env", "raw_env"):
        return getattr(game.env, kind)(**settings)
    settings["opponents"] = [*["random"] * (number - 1), RandomInPython() if asked else "random"]
    if kind == "sb3":
        return RomansVecEnv(3, game=game.name, **settings)
    if kind in ("tensors", "copying"):
        tensors = pytest.importorskip("tests.envs.tensors", reason="needs torch: pip install '.[train]'")
        made = tensors.TensorVectorEnv if kind == "tensors" else tensors.CopyingEnv
        return made(3, game=game.name, **settings)
    made = gymnasium.make if kind == "single" else gymnasium.make_vec
    return made(game.spec.env_id, **({} if kind == "single" else {"num_envs": 3}), **settings).unwrapped


ONE_GAME = ("env", "raw_env", "single")
OF_TENSORS = ("tensors", "copying asked")
each_kind = pytest.mark.parametrize("kind", [*ONE_GAME, "vector", "vector asked", "sb3", "sb3 asked", *OF_TENSORS])
of_one_game = pytest.mark.parametrize("kind", ONE_GAME)


def reset(env, seed=None, **options):
    if isinstance(env, RomansVecEnv):
        if seed is not None:
            env.seed(seed)
        return env.reset()
    return env.reset(seed=seed, **options)


def seen(env):
    """All that there is to see, as a text."""
    env = env.unwrapped
    if isinstance(env, GameAECEnv):
        parts = [env.agents, env.agent_selection, env.rewards, env._cumulative_rewards, env.terminations]
        parts += [env.truncations, env.infos, [env.observe(agent)["action_mask"].tolist() for agent in env.agents]]
    else:
        parts = [env.action_masks().tolist()]
    is_one = isinstance(env, GameAECEnv | SingleSeatEnv)
    return str([parts, env.record() if is_one else [], (env.game if is_one else env._batch).states.tobytes()])


def play(env, steps, seed=0):
    """Play steps at random, fewer where a game ends for good; what they gave."""
    lcg, given, env = Lcg(seed), [], env.unwrapped
    for _ in range(steps):
        if isinstance(env, GameAECEnv):
            if env.terminations[env.agent_selection]:
                break
            env.step(lcg.pick(env.legal_actions()))
            given.append(str([env.rewards, env.infos]))
        else:
            masks = np.atleast_2d(env.action_masks())
            actions = [lcg.pick(np.flatnonzero(mask).tolist()) for mask in masks if mask.any()]
            if not actions:
                break
            observations, *others = env.step(actions[0] if isinstance(env, SingleSeatEnv) else np.array(actions))
            given.append((observations.tolist(), str(others)))
    return given


@each_game
@each_kind
def test_a_copy_carries_the_games_in_progress(game, kind):
    for number, copied in enumerate(COPIES):
        for steps in ((9,), (200,), (9,))[number] if kind in ONE_GAME else (25,):
            env = make(game, kind)
            reset(env, 16)
            play(env, steps, 16)
            before, twin, other = seen(env), copied(env), copied(env)
            assert seen(twin) == before
            play(other, 10, 18)  # what happens in one copy is nothing to the others
            reset(other, 3)
            assert seen(env) == before
            # The chance of the deals and of the opponents goes on alike, too.
            for seed, more in ((17, 30), (19, 5)):
                assert play(env, more, seed) == play(twin, more, seed) and seen(env) == seen(twin)
                reset(env), reset(twin)
        new, other = make(game, kind), make(game, kind)
        twin = copied(new)
        reset(new), reset(twin)  # without a seed
        assert seen(new) == seen(twin)
        twin = copied(other)
        reset(new, 20), reset(twin, 20)
        assert seen(new) == seen(twin)


def arrays_in(given):
    """All arrays of what an environment gave; dictionaries get a mark, as wrappers leave them."""
    if not isinstance(given, np.ndarray) and hasattr(given, "numpy"):
        given = given.numpy()
    if isinstance(given, np.ndarray) and given.dtype != object:
        return [given]
    if isinstance(given, dict):
        assert "mark" not in given
        found = [array for value in given.values() for array in arrays_in(value)]
        given["mark"] = True
        return found
    return (
        [array for part in given for array in arrays_in(part)] if isinstance(given, list | tuple | np.ndarray) else []
    )


@each_game
@pytest.mark.parametrize("kind", ["vector", "sb3", "tensors", "copying"])
def test_what_is_returned_is_new_at_every_step(game, kind):
    env = make(game, kind)
    kept = arrays_in(reset(env, 2))
    noted = [array.copy() for array in kept]
    for _ in range(60):
        kept += arrays_in([*env.step(np.asarray(env.action_masks()).argmax(axis=1)), env.action_masks()])
        noted += [array.copy() for array in kept[len(noted) :]]
    assert all((array == copied).all() for array, copied in zip(kept, noted, strict=True))
    assert len({id(array) for array in kept}) == len(kept)
    env.action_masks()[:] = False  # an array belongs to whom it was given
    assert env.action_masks().any()


@each_game
@each_kind
def test_a_seed_decides_this_game_and_those_of_later_resets(game, kind):
    def games(seed):
        env, found = make(game, kind), []
        reset(env, seed)
        for number in range(2):
            found.append((seen(env), str(play(env, 8, number)), seen(env)))
            reset(env)
        return found

    first = games(7)
    assert games(7) == first
    assert len({*first, *games(70), *games(None)}) == 6


@each_game
@each_kind
def test_odd_seeds_and_options_are_taken_or_refused_alike_and_change_nothing(game, kind):
    env, other = make(game, kind), make(game, kind)
    for seed in (np.array(3), np.int8(3), np.uint64(3)):
        reset(env, 3), reset(other, seed)
        assert seen(other) == seen(env), repr(seed)
    for seed in (True, False, np.bool_(True), np.array(True), np.array(3.0), 3.0, "3"):
        with pytest.raises(TypeError, match="a seed is an integer >= 0, not"):
            reset(env, seed)
    with pytest.raises(ValueError, match="a seed is an integer >= 0, not -1"):
        reset(env, -1)
    if kind.startswith("sb3"):
        env.set_options({"deal": 1})
        with pytest.raises(ValueError, match="unknown reset option 'deal'; there are no reset options"):
            env.reset()
    for options in () if kind.startswith("sb3") else ("deal", "", [1], [], 5, 0, True):
        with pytest.raises(TypeError, match=r"options are None or a dict such as .* not of type"):
            env.reset(seed=2, options=options)
    valid = "deal" if kind in ONE_GAME else "reset_mask"
    for options in () if kind.startswith("sb3") else ({"foo": 1}, {"deals": 1}, {4: 5}, {"forts": [], "rounds": []}):
        wrong = re.escape(repr(next(iter(options))))
        with pytest.raises(ValueError, match=rf"unknown reset option {wrong}.* the reset options are {valid}"):
            env.reset(seed=2, options=options)
    if kind not in ONE_GAME:
        for shape in ((3, 1), (1, 3), (1,), (4,), ()):
            with pytest.raises(ValueError, match=r"one action for each of the 3 games: shape \(3,\), not \("):
                env.step(np.zeros(shape, dtype=np.int64))
    if kind.startswith("vector") or kind in OF_TENSORS:
        env.reset(seed=[np.int64(4), None, 3])
        with pytest.raises(TypeError, match="a seed is an integer >= 0, not True"):
            env.reset(seed=[4, True, 3])
        env.reset(seed=3)
    assert seen(env) == seen(other)


@each_game
@each_kind
def test_nothing_before_the_first_reset(game, kind):
    env = make(game, kind)
    with pytest.raises(Exception, match="reset"):
        env.step(0 if kind in ONE_GAME else np.zeros(3, dtype=np.int64))
    raw = env.unwrapped
    looks = ["legal_actions", "deal", "position", "record", "winners"] if kind in ONE_GAME else []
    for look in [*(getattr(raw, name) for name in looks), *([lambda: raw.view("player_0")] if looks else [])]:
        with pytest.raises(RuntimeError, match="reset"):
            look()
    if kind == "single":
        assert not raw.action_masks().any()


@each_game
@of_one_game
def test_a_deal_goes_through_json_and_is_played(game, kind):
    env, again = make(game, kind).unwrapped, make(game, kind).unwrapped
    reset(env, 11)
    deal = json.loads(json.dumps(env.deal()))
    for seed in (None, 1):  # it goes before a seed, which holds for the resets to come
        reset(again, seed, options={"deal": deal})
        # Where chance is in play, a learner on another seat is asked after fewer or more events.
        parts = zip(*([*one.get("outcomes", one.values())] for one in (again.deal(), deal)), strict=False)
        assert all(one == other for one, other in parts)
    reset(again)
    assert again.deal() != deal


@each_game
@of_one_game
@pytest.mark.parametrize("seed", [None, 7])
def test_copies_and_seeds_agree_on_the_chance_after_a_part_of_a_deal(game, kind, seed):
    opening = game.new_game(4, **game.short).deal()

    def begun():
        env = make(game, kind).unwrapped
        reset(env, seed, options={"deal": opening})
        return env

    if seed is not None:
        one, other = begun(), begun()
        assert play(one, 200) == play(other, 200) and seen(one) == seen(other)
        reset(one), reset(other)
        assert seen(one) == seen(other)
    for copied in COPIES:
        for steps in (0, 30):  # before the rest of chance is drawn for the first time, and after
            env = begun()
            play(env, steps)
            twin, other = copied(env), copied(env)
            assert play(twin, 200, 1) == play(other, 200, 1) == play(env, 200, 1)
            assert seen(twin) == seen(other) == seen(env)


@each_game
@of_one_game
def test_a_wrong_reset_leaves_the_game_in_progress_and_those_to_come(game, kind):
    env = make(game, kind)
    reset(env, 13)
    play(env, 5)
    twin = copy.deepcopy(env)
    with pytest.raises(ValueError, match="an object with the key"):
        env.reset(seed=14, options={"deal": "a deal"})
    assert seen(env) == seen(twin) and play(env, 20, 3) == play(twin, 20, 3)
    reset(env), reset(twin)
    assert seen(env) == seen(twin)


@each_game
def test_an_action_that_is_no_integer_changes_nothing_and_an_illegal_one_ends_the_episode(game):
    env = make(game, "single", reward="win")
    reset(env, 5)
    play(env, 3)
    while env.action_masks().all():
        reset(env)
    before, twin = seen(env), env.clone()
    for action in (None, env.action_name(0), 1.5, np.zeros(2, dtype=int), True, np.bool_(True)):
        with pytest.raises(TypeError, match="an action is an integer, not"):
            env.step(action)
    assert seen(env) == before
    illegal = int(env.action_masks().argmin())
    for action in (-1, game.num_actions, 1000, np.array([-1]), illegal):
        one = twin.clone()
        observation, reward, terminated, truncated, info = one.step(action)
        assert (reward, terminated, truncated, info["illegal_action"]) == (-1.0, True, False, 1)
        assert env.observation_space.contains(observation) and one.game.states.tobytes() == env.game.states.tobytes()
        assert not info["action_mask"].any() and not one.action_masks().any() and one.legal_actions() == []
        for after in (0, None):
            with pytest.raises(GameOverError, match="reset"):
                one.step(after)
    one.reset()
    assert "illegal_action" not in one.step(one.legal_actions()[0])[4]
    env.step(np.array([env.legal_actions()[0]]))


@each_game
@of_one_game
def test_the_names_of_the_contract(game, kind):
    env = make(game, kind).unwrapped
    reset(env, 20)
    agent = env.agent_selection if kind != "single" else env.player
    view = env.view(agent)
    assert isinstance(view, View) and env.rules.players[view.seat] == agent
    assert view.legal_actions() == env.legal_actions() == np.flatnonzero(view.action_mask).tolist()
    assert env.action_id(env.action_name(5)) == 5 and view.action_name(3) == env.action_name(3)
    assert view.position() == env.position(agent) and view.observation.tolist() == env.game.observation(agent).tolist()
    assert (env.winners(), env.returns()) == ([], dict.fromkeys(env.rules.players, 0.0))
    play(env, 2000)
    assert env.winners() == env.game.winners() != [] and env.returns() == env.game.returns()
    assert all(type(value) is float for value in env.returns().values())
    assert env.replay(env.record()).position() == env.position()
