"""Worker processes: what they import, how many agents they keep, and that games do not wait for what is prepared."""

import asyncio
import gc
import json
import multiprocessing
import os
import subprocess
import sys
import threading
from multiprocessing.connection import Connection

import pytest

import romans_serve.thinkers.workers
from romans_agents import RandomAgent
from romans_env import Game
from romans_serve.thinkers.worker import ANSWER, MOST_AGENTS, PREPARED, PREPARING, Job, work
from romans_serve.thinkers.workers import Workers
from tests.serve.servers import rules_of

POISONED = ("multiprocessing", "struct", "socket", "signal", "json", "pickle", "numpy", "numba", "romans_env")
BOT = """
import os

from romans_agents import Agent


class Bot(Agent):
    def __init__(self):
        raise ValueError(f"it has {os.environ.get('PYTHONSAFEPATH', 'nothing')}")

    def act(self, view):
        return 0
"""
ASKED = """
import asyncio
import sys

from romans_env import Game, RomansGoHome
from romans_serve.thinking import ThinkingError
from romans_serve.thinkers.workers import Workers

if __name__ == "__main__":
    view, workers = Game(RomansGoHome(), seed=1).view(0), Workers(1, trusted=[sys.argv[1]])
    try:
        asyncio.run(workers.act(sys.argv[1], view, 1))
    except ThinkingError as error:
        print(error)
    workers.close()
"""
WAITS = """
import time
from pathlib import Path

from romans_agents import RandomAgent


class Waits(RandomAgent):
    def __init__(self, number: int = 0):
        super().__init__()
        while not Path(__file__).with_name("go").exists():
            time.sleep(0.02)
"""


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python looks in the working directory first")
def test_workers_import_nothing_of_the_working_directory(tmp_path):
    """Neither they nor the process that `multiprocessing` starts beside them; a program of an agent may."""
    folder, own = tmp_path / "folder of a stranger", tmp_path / "own"
    for path in (folder, own):
        path.mkdir()
    for name in POISONED:
        (folder / f"{name}.py").write_text(f"open('{name} was imported', 'w')\nraise ImportError('poison')\n")
    (own / "bot.py").write_text(BOT)
    (own / "asked.py").write_text(ASKED)
    command = [sys.executable, str(own / "asked.py"), f"{own / 'bot.py'}:Bot"]
    # Nothing is played: compiled code would be loaded for nothing.
    variables = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, timeout=300)
    assert "it has nothing" in done.stdout, done.stdout + done.stderr
    assert [path.name for path in folder.iterdir() if path.suffix != ".py"] == []


@pytest.fixture
def worker():
    """Ask a worker, which runs in a thread; its messages, the last of which is the answer."""
    connection, other = multiprocessing.Pipe()
    thread = threading.Thread(target=work, args=(other,), daemon=True)
    thread.start()
    assert connection.recv() == (PREPARED, None)
    game = Game(rules_of("romans-go-home"), seed=1)
    view = game.view(0)

    def ask(spec, seed=1):
        own = view.rules.name, json.dumps(view.rules.setup.as_json()), view.states, 0
        connection.send(Job("act", spec, "none", *own, seed, 20.0))
        messages = [connection.recv()]
        while messages[-1][0] in (PREPARING, PREPARED):
            messages.append(connection.recv())
        kinds, (kind, action) = [kind for kind, _ in messages[:-1]], messages[-1]
        assert kind == ANSWER and action in view.legal_actions()
        return kinds, action

    yield ask
    connection.close()
    thread.join()


def test_a_worker_keeps_the_latest_agents_and_no_more(worker):
    def kept():
        gc.collect()
        found = [one for one in gc.get_objects() if isinstance(one, RandomAgent)]
        return sorted(int(one.made_from.partition("seed=")[2]) for one in found if "seed=" in str(one.made_from))

    for number in range(MOST_AGENTS + 5):
        assert worker(f"random:seed={number}")[0] == [PREPARING, PREPARED]
        assert worker("random:seed=0")[0] == []  # which stays, as it is asked again and again
    latest = [0, *range(6, MOST_AGENTS + 5)]
    assert kept() == latest and len(latest) == MOST_AGENTS
    assert worker(f"random:seed={latest[1]}")[0] == []
    assert worker("random:seed=5")[0] == [PREPARING, PREPARED]
    assert kept() == sorted({5, *latest} - {latest[2]})


def test_a_decision_follows_from_its_seed(worker):
    first, again = ([worker("random", seed)[1] for seed in range(20)] for _ in range(2))
    assert first == again
    assert len(set(first)) > 1


class InThread(threading.Thread):
    """A worker in the place of a process, which would take seconds to start."""

    def __init__(self, target, connection, gives_way, name):
        # A process has an end of its own.
        own = Connection(os.dup(connection.fileno()))
        super().__init__(target=target, args=(own,), name=name, daemon=True)
        self.start()

    def kill(self):
        pass

    def join(self, timeout=None):
        pass


@pytest.mark.parametrize(("number", "kinds"), [(1, ["review"]), (2, ["hint", "hint", "review", "review"])])
def test_games_wait_for_nothing_that_is_prepared_for_hints_and_reviews(tmp_path, monkeypatch, number, kinds):
    monkeypatch.setattr(romans_serve.thinkers.workers, "start_process", InThread)
    (tmp_path / "waits.py").write_text(WAITS)
    specs = [f"{tmp_path / 'waits.py'}:Waits:number={k}" for k in range(len(kinds))]
    workers, view = Workers(number, trusted=specs), Game(rules_of("romans-go-home"), seed=1).view(0)

    async def run():
        asked = zip(kinds, specs, strict=True)
        preparing = [asyncio.create_task(workers.prepare(kind, spec, view, lambda count: None)) for kind, spec in asked]
        for seed in range(3):
            assert await workers.act("random", view, seed) in view.legal_actions()
        assert not any(task.done() for task in preparing)
        (tmp_path / "go").touch()
        await asyncio.gather(*preparing)

    try:
        asyncio.run(asyncio.wait_for(run(), 120))
    finally:
        (tmp_path / "go").touch()
        workers.close()
