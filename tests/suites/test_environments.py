"""Every game as environments: PettingZoo, gymnasium, many games, records. `tests/envs` has their own contracts."""

import copy
import json
import pickle
import warnings

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium import wrappers
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from pettingzoo.test import api_test, parallel_api_test, seed_test

import romans_agents
from romans_env import GameOverError, IllegalActionError, draw, load_record, replay, save_record
from tests.doubles import SeededAgent
from tests.envs.playing import played
from tests.harness import each_game, each_setup
from tests.tools import Lcg

pytestmark = pytest.mark.usefixtures("toy")


def finished(env, seed=0):
    """Play an environment at random to its end; what each agent got."""
    lcg, got = Lcg(seed), dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        got[agent] += reward
        assert (set(env.terminations.values()), set(env.truncations.values())) == ({termination}, {truncation})
        assert all(isinstance(value, int | float) for value in info.values())
        mask = observation["action_mask"]
        env.step(None if termination or truncation else int(lcg.pick(np.flatnonzero(mask).tolist())))
    assert env.agents == []
    return got


def learned(env, seed):
    """Play a gymnasium environment to its end; the rewards and the last info."""
    observation, info = env.reset(seed=seed)
    raw, rewards, terminated = env.unwrapped, [], False
    while not terminated:
        assert env.observation_space.contains(observation)
        assert observation.tolist() == raw.game.observation(raw.player).tolist()
        assert (raw.game.agent_to_act, info["seat"]) == (raw.player, raw.seat)
        mask = info["action_mask"]
        assert (mask.dtype, mask.shape, raw.action_masks().dtype) == (np.int8, (env.action_space.n,), np.bool_)
        assert mask.nonzero()[0].tolist() == raw.action_masks().nonzero()[0].tolist() == raw.legal_actions()
        assert mask.sum() > 1
        observation, reward, terminated, truncated, info = env.step(int(mask.argmax()))
        assert (type(reward), type(terminated), truncated) == (float, bool, False)
        rewards.append(reward)
    assert env.observation_space.contains(observation)
    assert not info["action_mask"].any() and not raw.action_masks().any()
    return rewards, info


@each_setup
def test_pettingzoo_api(game, setup):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*(Observation|deprecated).*")
        api_test(game.env.env(**setup), num_cycles=100)
        api_test(game.env.raw_env(**setup, reward="points"), num_cycles=100)
        for make in (game.env.env, game.env.raw_env):
            seed_test(lambda make=make: make(**setup), num_cycles=30)


@each_game
def test_pettingzoo_make(game):
    name = game.env.__name__.rpartition(".")[2]
    env = pettingzoo.make("aec", name, **game.short)
    env.reset(seed=1)
    assert env.unwrapped.metadata["name"] == name
    finished(env)
    assert sum(env.unwrapped.returns().values()) == pytest.approx(0)
    other = pettingzoo.make("aec", game.spec.env_id, **game.setups[-1], reward="points")
    other.reset(seed=1)
    assert other.unwrapped.rules.setup == game.rules(**game.setups[-1]).setup
    imported = game.env.env(**game.setups[-1])
    imported.reset(seed=1)
    assert (other.unwrapped.reward, other.unwrapped.deal()) == ("points", imported.unwrapped.deal())


@each_game
def test_the_parallel_twin_plays_the_action_of_the_agent_to_move(game):
    name, settings = game.spec.env_id, game.setups[-1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parallel_api_test(pettingzoo.make("parallel", name, **game.short), num_cycles=100)
    twin, env = pettingzoo.make("parallel", name, **settings), pettingzoo.make("aec", name, **settings)
    observations, _ = twin.reset(seed=7)
    env.reset(seed=7)
    rng = np.random.default_rng(7)
    for _ in range(40):
        agent = env.agent_selection
        masks = {one: seen["action_mask"] for one, seen in observations.items()}
        assert [one for one, mask in masks.items() if mask.any()] == [agent]
        action = int(rng.choice(np.flatnonzero(masks[agent])))
        observations, rewards, terminations, _, infos = twin.step({**dict.fromkeys(twin.agents, 0), agent: action})
        env.step(action)
        assert rewards == env.rewards and terminations == env.terminations
        if not twin.agents:
            break
        assert all((observations[one]["observation"] == env.observe(one)["observation"]).all() for one in twin.agents)
        assert infos[agent]["active_agent"] == env.agent_selection


@each_setup
def test_spaces(game, setup):
    env, (dtype, size) = game.env.env(**setup), game.observation
    env.reset(seed=2)
    assert tuple(env.agents) == tuple(env.possible_agents) == game.rules(**setup).players
    for agent in env.possible_agents:
        assert env.action_space(agent).n == game.num_actions
        space = env.observation_space(agent)
        assert (space["observation"].dtype, space["observation"].shape) == (np.dtype(dtype), (size,))
        assert space["action_mask"].shape == (game.num_actions,)
    lcg, states, number = Lcg(2), set(), 0
    while not env.terminations[env.agent_selection]:
        for agent in env.agents if number % game.every == 0 else ():
            seen = env.observe(agent)
            assert env.observation_space(agent).contains(seen)
            legal = env.unwrapped.legal_actions() if agent == env.agent_selection else []
            assert seen["action_mask"].nonzero()[0].tolist() == legal
        assert env.state_space.contains(env.state())
        states.add(env.state().tobytes())
        env.step(lcg.pick(env.unwrapped.legal_actions()))
        number += 1
    assert not any(env.observe(agent)["action_mask"].any() for agent in env.agents) and len(states) > 2


@each_setup
def test_rewards_are_the_return_or_the_points_as_they_come(game, setup):
    for make in (game.env.raw_env, game.env.env):
        for seed in range(2):
            env = make(**{**setup, **game.short})
            env.reset(seed=seed)
            assert finished(env, seed) == env.unwrapped.returns()
            env = make(reward="points", **{**setup, **game.short})
            env.reset(seed=seed)
            assert {env.unwrapped.game.points()[agent] for agent in env.agents} == {game.start_points}
            got, points = finished(env, seed), env.unwrapped.game.points()
            assert got == {agent: points[agent] - game.start_points for agent in env.possible_agents}
        with pytest.raises(ValueError, match="reward"):
            make(reward="gold")


@each_game
def test_points_are_rewarded_in_the_step_that_changes_them(game):
    env, lcg = game.env.raw_env(reward="points", **game.setups[-1]), Lcg(4)
    env.reset(seed=4)
    while not all(env.terminations.values()):
        before = env.game.points()
        env.step(lcg.pick(env.legal_actions()))
        after = env.game.points()
        assert env.rewards == {agent: after[agent] - before[agent] for agent in env.possible_agents}
    won = env.winners()
    assert env.infos == {agent: {"points": after[agent], "won": agent in won} for agent in env.possible_agents}
    with pytest.raises(ValueError, match="None"):
        env.step(0)
    for _ in env.possible_agents:
        env.step(None)
    assert env.agents == []
    with pytest.raises(GameOverError):
        env.step(None)


@each_game
def test_illegal_actions_are_refused_or_lose(game):
    env = game.env.raw_env()
    env.reset(seed=6)
    before = env.position()
    illegal = int(env.observe(env.agent_selection)["action_mask"].argmin())
    for action in (illegal, env.action_name(illegal), game.num_actions, -1, "nonsense", 1000, None, 2.0, True):
        with pytest.raises(IllegalActionError):
            env.step(action)
        assert env.position() == before
    env = game.env.env()
    env.reset(seed=6)
    offender = env.agent_selection
    for action in (True, False, np.bool_(True)):
        with pytest.raises(AssertionError, match="not in action space"):
            env.step(action)
    env.step(illegal)
    expected = {agent: -1.0 if agent == offender else 0.0 for agent in env.possible_agents}
    assert env.rewards == expected == finished(env)
    env.reset(seed=7)
    assert not any(env.terminations.values())


@each_setup
def test_records_and_copies(game, setup, tmp_path):
    env, lcg = game.env.raw_env(**setup), Lcg(5)
    env.reset(seed=5)
    for number in range(40):
        if number == 2:
            twins = [env.clone(), copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
        if not env.game.is_over:
            env.step(lcg.pick(env.legal_actions()))
    for twin in twins:
        for _, action in env.game.actions[2:]:
            twin.step(action)
        assert twin.position() == env.position() and twin.deal() == env.deal()
    save_record(env.record(), tmp_path / "game.json")
    again = replay(load_record(tmp_path / "game.json"))
    assert again.position() == env.position() and json.dumps(again.record()) == json.dumps(env.record())
    other = game.env.env(**setup)
    other.reset(options={"deal": env.deal()}, seed=1)
    for _, action in env.game.actions:
        other.step(env.action_id(action))
    assert other.unwrapped.deal() == env.deal() and other.unwrapped.position() == env.position()


@each_game
def test_gymnasium_single(game):
    players = game.rules().num_players
    env = gymnasium.make(game.spec.env_id, opponents=["random"] * (players - 1), seat=None, **game.short)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(env.unwrapped, skip_render_check=True)
    seats = set()
    for seed in range(12):
        rewards, info = learned(env, seed)
        seats.add(info["seat"])
        raw = env.unwrapped
        assert rewards[-1] == raw.returns()[raw.player] and not any(rewards[:-1])
        assert info["won"] == info["is_success"] == (raw.player in raw.winners()) == (rewards[-1] >= 0)
    assert seats == set(range(players))
    env = gymnasium.make(game.spec.env_id, seat=1, reward="points", **game.short)
    rewards, info = learned(env, seed=3)
    assert env.unwrapped.rules.num_players == players
    assert game.start_points + sum(rewards) == info["points"] == env.unwrapped.game.points()["player_1"]


@each_game
def test_a_specification_makes_the_environment_again(game):
    """From JSON, too, with arguments that are no plain data, and with wrappers."""
    players = np.int64(game.rules().num_players)
    given = [romans_agents.make("random", game=game.name) for _ in range(players - 1)]
    for settings in ({}, {"num_players": players}, {"opponents": given, "seat": np.int64(1), "reward": "points"}):
        env = gymnasium.make(game.spec.env_id, **settings, **game.short)
        env = wrappers.RecordEpisodeStatistics(wrappers.FlattenObservation(wrappers.TimeLimit(env, 20)))
        for spec in (env.spec, EnvSpec.from_json(env.spec.to_json())):
            again = gymnasium.make(spec)
            assert (again.spec, str(again)) == (env.spec, str(env))
            assert played(again) == played(env)
        many = gymnasium.make_vec(game.spec.env_id, 3, autoreset_mode=AutoresetMode.NEXT_STEP, **settings, **game.short)
        again = gymnasium.make_vec(EnvSpec.from_json(many.spec.to_json()))
        assert type(again) is type(many) and again.metadata == many.metadata and again.spec == many.spec
        assert (again.reset(seed=1)[0] == many.reset(seed=1)[0]).all()


@each_game
def test_gymnasium_vector(game):
    others = ["random"] * (game.rules().num_players - 1)
    for reward in ("win", "points"):
        vector = gymnasium.make_vec(game.spec.env_id, 5, opponents=others, reward=reward, **game.short)
        observations, info = vector.reset(seed=3)
        assert (observations.dtype, observations.shape) == (np.dtype(game.observation[0]), (5, game.observation[1]))
        ended, moved, got = 0, 0, np.zeros(5)
        for _ in range(150):
            mask = info["action_mask"]
            assert (mask.shape, mask.dtype) == ((5, game.num_actions), np.int8) and (mask.sum(axis=1) >= 2).all()
            masks, seats = vector.action_masks(), info["seat"]
            assert masks.dtype == np.bool_ and (masks == (mask == 1)).all()
            observations, rewards, over, truncated, info = vector.step(mask.argmax(axis=1))
            assert vector.observation_space.contains(observations) and rewards.shape == (5,)
            assert [(one.shape, one.dtype) for one in (over, truncated)] == [((5,), np.bool_)] * 2
            assert not truncated.any() and rewards.dtype == np.float64
            got += rewards
            assert list(info.get("_final_info", np.zeros(5))) == over.tolist()
            if over.any():
                moved += (info["seat"] != seats)[over].sum()
                assert (info["final_info"]["seat"][over] == seats[over]).all(), "the seat of the game that ended"
            if reward == "win":
                assert not rewards[~over].any() and (abs(rewards) <= 1).all()
                assert not over.any() or (info["final_info"]["won"][over] == (rewards[over] >= 0)).all()
            elif over.any():
                assert (game.start_points + got[over] == info["final_info"]["points"][over]).all()
            got[over] = 0
            ended += int(over.sum())
        assert ended >= 3 and moved


@each_game
def test_stable_baselines_vector(game):
    pytest.importorskip("stable_baselines3", reason="training needs the extra: pip install '.[train]'")
    from romans_env.envs.sb3 import RomansVecEnv

    others = ["random"] * (game.rules().num_players - 1)
    env, other = (
        RomansVecEnv(3, game=game.name, opponents=others, reward="points", seed=seed, **game.short) for seed in (7, 8)
    )
    other.reset()
    for _ in range(40):
        other.step(other.action_masks().argmax(axis=1))
    # A reset in the midst of games, and games that go on in another environment, change nothing of what is summed up.
    other.seed(1)
    observations, ended, moved, won, got = other.reset(), 0, 0, np.zeros(3, dtype=bool), np.zeros(3)
    while ended < 6 or not moved or not won.any():
        env.restore(other.saved())
        assert observations.shape == (3, game.observation[1])
        masks, seats = env.action_masks(), env._batch.seats()
        assert masks.shape == (3, game.num_actions) and (masks.sum(axis=1) >= 2).all()
        observations, rewards, dones, infos = env.step(masks.argmax(axis=1))
        assert (rewards.dtype, dones.dtype, masks.dtype) == (np.float32, np.bool_, np.bool_)
        got += rewards
        for i in np.flatnonzero(dones):
            assert game.start_points + got[i] == game.start_points + infos[i]["episode"]["r"] == infos[i]["points"]
            assert infos[i]["seat"] == seats[i], "the seat of the game that ended"
            moved += env._batch.seats()[i] != seats[i]
            won[i], got[i], ended = infos[i]["won"], 0, ended + 1
        env, other = other, env
    # A game before was won; one that an illegal action ends is not.
    infos = other.step(np.full(3, -1))[3]
    for info, before in zip(infos, got, strict=True):
        assert (info["won"], info["is_success"], info["illegal_action"]) == (0, False, 1)
        assert info["episode"]["r"] == before - 1


@each_game
def test_opponents_in_python_have_seeds_of_their_own_which_follow_from_that_of_the_games(game):
    sb3 = pytest.importorskip("romans_env.envs.sb3", reason="training needs the extra: pip install '.[train]'")
    rules = max((game.rules(**setup) for setup in game.setups), key=lambda one: one.num_players)
    for mixed, count in ((False, rules.num_players - 1), (True, 3)):  # at their seats, or in a pool
        opponents = [SeededAgent() for _ in range(count)]
        chosen = {"opponents": opponents, "mix_opponents": mixed, "num_players": rules.num_players}
        single, many = gymnasium.make(game.spec.env_id, **chosen), gymnasium.make_vec(game.spec.env_id, 2, **chosen)
        sb3_env = sb3.RomansVecEnv(2, game=game.name, **chosen)

        def reset_of_sb3(seed, env=sb3_env):
            env.seed(seed), env.reset()

        resets = (
            lambda seed, env=single: env.reset(seed=seed),
            lambda seed, env=many: env.reset(seed=seed),
            reset_of_sb3,
            sb3_env.seed_opponents,
        )
        for reset in resets:
            found = []
            for seed in (1, 2, 1):
                for one in opponents:
                    one.seeds.clear()
                reset(seed)
                found.append([tuple(one.seeds) for one in opponents])
            assert found[0] == found[2] and all(map(len, found[0]))
            assert len({*found[0], *found[1]}) == 2 * count


@each_setup
def test_games_are_shown(game, setup, capsys):
    """Frames have an even height and width, which video codecs ask for."""
    for make in (game.env.env, game.env.raw_env):
        env = make(**setup)
        env.reset(seed=1)
        with pytest.warns(UserWarning, match="without specifying any render mode"):
            assert env.render() is None and capsys.readouterr().out == ""
    env, pixels = (game.env.raw_env(**setup, render_mode=mode) for mode in ("ansi", "rgb_array"))
    env.reset(seed=1), pixels.reset(seed=1)
    start = pixels.render()
    for one in (env, pixels):
        one.step(one.legal_actions()[0])
    frame, drawn = pixels.render(), draw(pixels.game).pixels()
    assert env.render() == game.spec.part("renderer").text(env.game) != ""
    assert frame.dtype == np.uint8 and frame.shape == start.shape and pixels.metadata["render_fps"] > 0
    assert (frame.shape[0] % 2, frame.shape[1] % 2, frame.shape[2]) == (0, 0, 3)
    assert (frame[: drawn.shape[0], : drawn.shape[1]] == drawn).all() and frame.shape[0] - drawn.shape[0] <= 1


@each_game
@pytest.mark.parametrize(
    ("name", "why", "values"),
    [
        ("illegal_reward", "a finite number", ("a lot", float("nan"), float("inf"), 10**400, -(10**400), True)),
        ("mix_opponents", "True or False", ("x", {}, float("nan"), 1, None)),
        ("seat", "None", (True, 1.0, "0", 10**400)),
        ("threads", "an integer of at least 1", (0, True, 1.0, float("inf"))),
    ],
)
def test_a_setting_of_another_kind(game, name, why, values):
    for value in values:
        for make in (gymnasium.make, gymnasium.make_vec):
            if name != "threads" or make is gymnasium.make_vec:
                with pytest.raises(ValueError, match=f"^{name} is {why}[^\n]*, not [^\n]{{1,60}}$"):
                    make(game.spec.env_id, **{name: value})
