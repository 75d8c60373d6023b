"""Digests of what users can observe, to compare a version with an earlier one.

``python -m tests.recordings.record`` prints them as JSON. The file ``recorded.json`` beside was written by version 0.1,
before the library held more than one game. It is never written anew: a change that alters it changes every published
experiment. One entry was exchanged for another of the version before: where `schemer` makes its plans within the
compiled loop, a policy that draws its actions is asked for other games at once; in "evaluation 4+0 argmax" none draws.
"""

import hashlib
import json
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np

import romans_agents
from romans_agents.batches.game_arrays import LEARNER
from romans_agents.batches.self_play_batch import SelfPlayBatch
from romans_agents.batches.single_agent_batch import SingleAgentBatch
from romans_env import Game, RomansGoHome, Table, romans_go_home_v0
from romans_env.core.batch import Batch, play_out
from romans_env.envs.sb3 import RomansVecEnv
from romans_training.measure.evaluation import evaluate
from tests.tools import Lcg

SIZES = ((1, 1), (1, 2), (2, 0), (2, 1), (2, 2), (3, 0), (3, 1), (4, 0))
AGENTS = (
    "random",
    "greedy",
    "hoarder",
    "legionary",
    "skirmisher",
    "mixer",
    "schemer",
    "schemer:quick=true",
    "legate",
    "legate:sample=false",
    "flat-mc:iterations=60,plans=10",
    "ismcts:iterations=60",
    "ismcts:iterations=40,policy=legate,rollout=policy",
    "flat-mc:iterations=40,plans=8,policy=legate,horizon=game",
)


def _made(spec: str) -> romans_agents.Agent:
    """The agent of a spec of version 0.1, which had other names for some."""
    for earlier, now in {"legate": "legate-1", "flat-mc": "plan-mc", "ismcts": "round-ismcts"}.items():
        spec = spec.replace(earlier, now)
    agent = romans_agents.make(spec)
    if agent.name == "legate-1":
        agent.name = "legate"
    return agent


def _sha(*parts: Any) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part.tobytes() if isinstance(part, np.ndarray) else json.dumps(part).encode())
    return digest.hexdigest()[:20]


def _aec(num_players: int, num_neutrals: int, variant: str) -> str:
    env = romans_go_home_v0.env(num_players=num_players, num_neutrals=num_neutrals, variant=variant, reward="points")
    parts: list[Any] = []
    for seed in (1, 2):
        env.reset(seed=seed)
        lcg = Lcg(seed)
        parts.append(env.unwrapped.deal())
        for agent in env.agent_iter():
            observation, reward, termination, _, _ = env.last()
            action = None if termination else lcg.pick(np.flatnonzero(observation["action_mask"]).tolist())
            parts += [agent, reward, action, observation["observation"], observation["action_mask"], env.state()]
            env.step(action)
        parts += [env.unwrapped.record(), env.unwrapped.position(), env.unwrapped.returns()]
    return _sha(*parts)


def _single(num_players: int, num_neutrals: int) -> str:
    opponents = ["greedy", "random", "schemer"][: num_players - 1]
    env = gymnasium.make("RomansGoHome-v0", opponents=opponents, num_neutrals=num_neutrals)
    parts: list[Any] = []
    for seed in (3, 4):
        observation, info = env.reset(seed=seed)
        lcg, is_over = Lcg(seed), False
        while not is_over:
            parts += [observation, info["action_mask"]]
            action = lcg.pick(np.flatnonzero(info["action_mask"]).tolist())
            observation, reward, is_over, _, info = env.step(action)
            parts.append(reward)
        parts += [observation, env.unwrapped.record()]
    return _sha(*parts)


def _vector(num_players: int, num_neutrals: int) -> str:
    opponents = ["greedy", "random", "mixer"][: num_players - 1]
    env = gymnasium.make_vec("RomansGoHome-v0", num_envs=5, opponents=opponents, num_neutrals=num_neutrals)
    observations, info = env.reset(seed=5)
    rng, parts = np.random.default_rng(5), [observations]
    for _ in range(60):
        masks = info["action_mask"]
        actions = np.where(masks, rng.random(masks.shape), -1.0).argmax(axis=1)
        observations, rewards, ended, _, info = env.step(actions)
        parts += [observations, rewards, ended, info["action_mask"], info["seat"]]
        if ended.any():
            parts += [info["final_info"]["points"], info["final_info"]["won"]]
    return _sha(*parts)


def _sb3(reward: str) -> str:
    env = RomansVecEnv(
        6, num_players=3, opponents=["greedy", "random", "legate-1"], mix_opponents=True, reward=reward, seed=6
    )
    rng, parts = np.random.default_rng(6), [env.reset()]
    for _ in range(60):
        masks = env.action_masks()
        observations, rewards, dones, infos = env.step(np.where(masks, rng.random(masks.shape), -1.0).argmax(axis=1))
        parts += [observations, rewards, dones, masks]
        parts += [info["episode"] for info in infos if "episode" in info]
    return _sha(*parts)


def _batch(num_players: int, num_neutrals: int) -> str:
    rules = RomansGoHome(Table(num_players, num_neutrals))
    batch = Batch(rules, 7)
    out = batch.start(seed=7)
    parts: list[Any] = []
    for _ in range(80):
        parts += [out.observations.copy(), out.masks.copy(), out.seats.copy(), out.rewards.copy(), out.ends.copy()]
        parts.append(batch.step_randomly().copy())
    parts += list(play_out(rules, batch.states.copy(), np.random.default_rng(7)))
    return _sha(*parts)


def _single_agent_batch() -> str:
    batch = SingleAgentBatch(4, Table(2, 1), ["plan-mc:iterations=10,plans=4"])
    batch.seed(range(4))
    batch.start()
    parts: list[Any] = []
    for _ in range(40):
        step = batch.step(batch.masks.argmax(axis=1))
        parts += [step.observations, step.masks.copy(), step.rewards, step.ends, batch.seats()]
    return _sha(*parts)


def _self_play_batch() -> str:
    batch = SelfPlayBatch(5, Table(3, 0), [romans_agents.make("greedy"), romans_agents.make("random")], seed=8)
    line_ups = np.array([[LEARNER, 0, 1], [0, LEARNER, LEARNER], [LEARNER] * 3, [1, LEARNER, 0], [1, 1, LEARNER]])
    batch.start(np.arange(5), line_ups)
    rng, parts = np.random.default_rng(8), []
    for _ in range(80):
        waiting = batch.pending()
        actions = np.where(waiting.masks, rng.random(waiting.masks.shape), -1.0).argmax(axis=1)
        # `random` decides outside, as all agents that choose in batches.
        outcome = batch.step(waiting.games, actions)
        # Rewards had four columns in version 0.1, whatever the number of players.
        rewards = np.zeros((5, 4), dtype=np.float32)
        rewards[:, :3] = outcome.rewards
        parts += [*waiting, rewards, outcome.ended]
        ended = np.flatnonzero(outcome.ended)
        if ended.size:
            parts.append(batch.returns(ended))
            batch.start(ended, line_ups[ended])
    return _sha(*parts)


def _agent(spec: str) -> str:
    """The actions of an agent on every seat of whole games at three tables."""
    parts: list[Any] = []
    for seed, (num_players, num_neutrals) in enumerate(((2, 0), (3, 1), (1, 2)), 1):
        game, player = Game(RomansGoHome(Table(num_players, num_neutrals)), seed=seed), _made(spec)
        player.seed(seed)
        while (seat := game.seat_to_act) is not None:
            game.act(player.act(game.view(seat)))
        parts += [game.record()["actions"], game.record()["result"]]
    return _sha(*parts)


def _views() -> str:
    """What views give: positions, pictures' text, determinizations."""
    game, lcg, parts = Game(RomansGoHome(Table(3, 1)), seed=9), Lcg(9), []
    rng = np.random.default_rng(9)
    while not game.is_over:
        for player in game.players:
            view = game.view(player)
            parts += [view.position(), view.observation, view.action_mask]
            parts.append(view.sample_game(rng).position())
        game.act(lcg.pick(game.legal_actions()))
    return _sha(*parts)


def _evaluation(num_players: int, num_neutrals: int) -> str:
    others = [_made(spec) for spec in ("random", "schemer:quick=true", "legate:sample=false")[: num_players - 1]]
    return _sha(evaluate(romans_agents.make("greedy"), others, Table(num_players, num_neutrals), 12, seed=10).as_json())


RECORDINGS: dict[str, Callable[[], str]] = {
    **{
        f"aec {p}+{n} {variant}": (lambda p=p, n=n, variant=variant: _aec(p, n, variant))
        for p, n in SIZES
        for variant in ("standard", "vogel")
    },
    **{f"single {p}+{n}": (lambda p=p, n=n: _single(p, n)) for p, n in SIZES},
    **{f"vector {p}+{n}": (lambda p=p, n=n: _vector(p, n)) for p, n in SIZES},
    **{f"batch {p}+{n}": (lambda p=p, n=n: _batch(p, n)) for p, n in SIZES},
    **{f"agent {spec}": (lambda spec=spec: _agent(spec)) for spec in AGENTS},
    **{f"evaluation {p}+0{how}": (lambda p=p: _evaluation(p, 0)) for p, how in ((2, ""), (3, ""), (4, " argmax"))},
    "sb3 win": lambda: _sb3("win"),
    "sb3 points": lambda: _sb3("points"),
    "learner batch": _single_agent_batch,
    "seats batch": _self_play_batch,
    "views": _views,
}
"""Names of recordings, and what makes each."""


if __name__ == "__main__":
    print(json.dumps({name: make() for name, make in RECORDINGS.items()}, indent=2))
