"""Warm-up: compile the functions that games with some agents need, or load them from disk, before the first game."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import resources
from pathlib import Path

import numpy as np
import numpy.typing as npt

import romans_agents
import romans_env
from romans_agents.base import Agent
from romans_agents.batches.self_play_batch import SelfPlayBatch
from romans_agents.batches.single_agent_batch import SingleAgentBatch
from romans_agents.errors import UnknownAgentError
from romans_agents.loops.codes import LEARNER
from romans_agents.permission import names_code
from romans_agents.searches.budget import SearchAgent
from romans_agents.specs.registry import is_named_for_a_time, make, names
from romans_env import Game, replay
from romans_env.compiling.progress import progress
from romans_env.core.batch import Batch, play_out
from romans_env.core.games import rules_of, spec_of
from romans_env.core.protocol import Rules, Setup
from romans_env.errors import CannotSampleError

PARTS = ("game", "matches", "training")
"""The parts that can be warmed up: a single game in Python (to play, replay and show it), matches between agents, and
training (vector environments and batches)."""


Step = tuple[str, Callable[[], object]]
"""A step of a warm-up: a description for a progress bar, and a function that runs it."""


def warm_up(
    setup: Rules | Setup, agents: Sequence[str] = (), parts: Sequence[str] = ("game",), helpers: bool = True
) -> None:
    """Compile the functions that games with these agents need, or load them from disk, by playing small games.

    Searches run with the smallest budget. The warm-up skips agents that do not play this setup. It also skips agents
    from other packages and from files or programs of the user, because their code may run only in the process in which
    they play.

    Args:
        setup: the game, as its rules or its setup.
        agents: agent specs.
        parts: the parts to warm up, from `PARTS`.
        helpers: whether to start helper processes on the other cores.

    Raises:
        UnknownAgentError: if a spec names no agent.
    """
    planned = steps(setup, agents, parts)
    with helped(setup, agents, parts, len(planned)) if helpers else contextlib.nullcontext():
        for number, (_, run) in enumerate(planned, 1):
            with progress.of_part(number, len(planned)):
                run()


@contextlib.contextmanager
def helped(setup: Rules | Setup, agents: Sequence[str], parts: Sequence[str], num_steps: int) -> Iterator[None]:
    """Start helper processes, one per additional core, as soon as the block has to compile a function.

    All helpers run the same steps, but each begins at a different step, so that they compile different functions. A
    process loads the functions that another process has compiled. The helpers are killed at the end of the block.

    Args:
        setup: the game, as its rules or its setup.
        agents: agent specs.
        parts: the parts to warm up, from `PARTS`.
        num_steps: the number of steps.
    """
    helpers: list[subprocess.Popen[bytes]] = []

    def start() -> None:
        if None in {function.folder for function in progress.functions.values()}:
            return
        rules = rules_of(setup)
        settings = {"game": rules.name, "setup": rules.setup.as_json(), "agents": list(agents), "parts": list(parts)}
        count = min((os.cpu_count() or 1) - 1, num_steps - 1)
        for k in range(1, count + 1):
            argument = json.dumps({**settings, "first": k * num_steps // (count + 1)})
            with contextlib.suppress(OSError):
                helpers.append(helper(argument))

    try:
        with progress.calling(start):
            yield
    finally:
        for one in helpers:
            one.kill()
        for one in helpers:
            one.wait()


def help_out(argument: str) -> None:
    """Run all steps of a warm-up, beginning at a given step: the main function of a helper process.

    Args:
        argument: JSON with the game, its setup, the agents, the parts, and the index of the first step.
    """
    asked = json.loads(argument)
    rules = spec_of(asked["game"]).part("rules").from_json(asked["setup"])
    planned = steps(rules, asked["agents"], asked["parts"])
    for _, run in planned[asked["first"] :] + planned[: asked["first"]]:
        run()


def helper(argument: str) -> subprocess.Popen[bytes]:
    """Start a helper process, which runs `help_out` and does not import modules from the user's current folder."""
    roots = [str(Path(module.__file__).parents[1]) for module in (romans_env, romans_agents) if module.__file__]
    places = filter(None, [*roots, os.environ.get("PYTHONPATH")])
    own = "import sys; sys.path[:] = filter(None, sys.path)"
    command = [
        sys.executable,
        "-c",
        f"{own}; from romans_agents.warm_up import help_out; help_out(sys.argv[1])",
        argument,
    ]
    nothing, variables = subprocess.DEVNULL, {**os.environ, "PYTHONPATH": os.pathsep.join(places)}
    return subprocess.Popen(command, env=variables, stdin=nothing, stdout=nothing, stderr=nothing)


def steps(setup: Rules | Setup, agents: Sequence[str], parts: Sequence[str]) -> list[Step]:
    """Return the steps of a warm-up; the arguments are those of `warm_up`."""
    rules, found = rules_of(setup), list[Step]()
    title = spec_of(rules.name).title
    made = {spec: _with_least_budget(spec, rules.name) for spec in agents if not _is_users_code(spec, rules.name)}
    own = {spec: agent for spec, agent in made.items() if type(agent).__module__.startswith(f"{__package__}.")}
    players = {spec: agent for spec, agent in own.items() if agent.plays(rules)}
    if "game" in parts:
        found.append((f"{title}: the rules", lambda: _play_and_replay(rules)))
        found += [(f"{title}: {spec}", partial(_play, rules, player)) for spec, player in players.items()]
    if "matches" in parts:
        found.append((f"{title}: matches", lambda: _play_match(rules, list(players.values()))))
    if "training" in parts:
        found.append((f"{title}: environments of many games", lambda: _step_environments(rules)))
        found.append((f"{title}: batches", lambda: _step_batch(rules)))
    return found


def needed(game: str, agent: str) -> frozenset[str] | None:
    """Return the names of the compiled functions that a warm-up compiles for games with an agent.

    The names are read from a file, because the functions that a function calls are only known after its compilation.
    ``docs/scripts/make_needed_functions.py`` writes the file.

    Args:
        game: the name of the game.
        agent: an agent spec; its options are ignored.

    Returns:
        The names; None if the file does not list this agent.
    """
    found = _needed().get(game, {})
    more = found.get(agent.partition(":")[0])
    return None if more is None else frozenset([*found[""], *more])


@functools.cache
def _needed() -> dict[str, dict[str, list[str]]]:
    text = resources.files("romans_agents").joinpath("needed_functions.json").read_text(encoding="utf-8")
    found: dict[str, dict[str, list[str]]] = json.loads(text)
    return found


def usual_agents(game: str) -> list[str]:
    """Return the names of a game's agents that need no options."""
    found = []
    for name in names(game):
        try:
            make(name, game=game)
        except UnknownAgentError:  # the agent needs an option, such as the path of a policy file
            continue
        found.append(name)
    return found


def _is_users_code(spec: str, game: str) -> bool:
    return names_code(spec) or is_named_for_a_time(spec, game)


def _with_least_budget(spec: str, game: str) -> Agent:
    agent = make(spec, game=game)
    if isinstance(agent, SearchAgent):
        agent.iterations, agent.seconds = 1, None
    return agent


def _play(rules: Rules, agent: Agent | None = None) -> Game:
    """Play a game with the agent on the first seat and random actions on the others."""
    game, rng = Game(rules, seed=0), np.random.default_rng(0)
    while (seat := game.seat_to_act) is not None:
        action = int(rng.choice(game.legal_actions()))
        if agent is not None and seat == 0:
            with contextlib.suppress(CannotSampleError):  # reported when the agent plays, not here
                action = agent.act(game.view(seat))
        game.act(action)
    return game


def _play_and_replay(rules: Rules) -> None:
    game = replay(_play(rules).record())
    game.events()
    with contextlib.suppress(CannotSampleError):
        Game(rules, seed=0).view(0).sample_game(np.random.default_rng(0)).global_state()


def _play_match(rules: Rules, agents: list[Agent]) -> None:
    """Play one game with each of the agents, and one game without them; all other seats play random actions."""
    games = np.arange(len(agents) + 1)
    batch, rng = SelfPlayBatch(games.size, rules, agents, seed=0), np.random.default_rng(0)
    line_ups = np.full((games.size, rules.num_players), LEARNER, dtype=np.int64)
    line_ups[:-1, 0] = games[:-1]
    batch.start(games, line_ups)
    is_waiting = True
    with contextlib.suppress(CannotSampleError):
        while is_waiting:
            is_waiting = batch.play_agents() > 0
            pending = batch.pending()
            if pending.games.size:
                batch.step(pending.games, _random_actions(pending.masks, rng))
                is_waiting = True


def _step_environments(rules: Rules) -> None:
    opponents = [spec_of(rules.name).default_opponent] * (rules.num_players - 1)
    batch, rng = SingleAgentBatch(1, rules, opponents), np.random.default_rng(0)
    batch.seed([0])
    batch.start()
    batch.step(_random_actions(batch.masks, rng))


def _step_batch(rules: Rules) -> None:
    batch = Batch(rules, 1)
    batch.start(seed=0)
    batch.step_randomly()
    play_out(rules, batch.states.copy(), np.random.default_rng(0))


def _random_actions(masks: npt.NDArray[np.int8], rng: np.random.Generator) -> npt.NDArray[np.int64]:
    return np.where(masks, rng.random(masks.shape), -1.0).argmax(axis=1)
