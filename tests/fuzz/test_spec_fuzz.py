"""Agent specs changed at random: an agent, or one of two errors on one line."""

import random
from collections import Counter

import romans_agents
from romans_agents import Agent, PolicyFileError, UnknownAgentError

SEEDS = [
    "random",
    "random:seed=123456",
    "mixer:seed=1234567",
    "schemer:seed=7654321,quick=false",
    "plan-mc:iterations=12345,plans=123,seed=98765",
    "round-ismcts:iterations=54321,exploration=1.2345,seed=56789",
    "greedy:x=1",
    "random:seed=-1",
    "random:seed=x",
    "mixer:seed=99999999999999999999999",
    "schemer:quick=true,seed=3",
    "legate:cut=nan",
    "legate:cut=2",
    "legate:sample=maybe",
    "legate:cut=0.5,sample=false,seed=4",
    "plan-mc:plans=0",
    "flat-mc:iterations=99999999999999999999",
    "plan-mc:iterations=5,plans=3,rollout=random,horizon=game",
    "round-ismcts:iterations=0",
    "round-ismcts:iterations=1e9",
    "round-ismcts:seconds=-1",
    "round-ismcts:seconds=nan",
    "round-ismcts:seconds=inf",
    "round-ismcts:policy=",
    "round-ismcts:policy=/dev/null",
    "round-ismcts:policy=greedy",
    "round-ismcts:policy=round-ismcts:policy=legate",
    "round-ismcts:rollout=x,horizon=y",
    "round-ismcts:exploration=nan",
    "round-ismcts:iterations=5\n,policy=evil.py:Bot",
    "policy",
    "policy:",
    "policy:/dev/null",
    "policy:/",
    "policy:path=x.npz,path=y.npz",
    "../../etc/passwd",
    "../../etc/passwd.npz",
    "missing.py:X:y=1",
    "missing.py",
    ".py:",
    "~nobody/x.py:X",
    "\0.npz",
    "\0.py:X",
    "a\n.py:X",
    ":",
    "",
    ",",
    "=",
    "http://x/y.npz",
    "\\\\host\\x.npz",
    "GREEDY",
    " greedy",
]
PIECES = [*"15:,=\n\0-9/e \x1bé\ud800", "", "00", ".py", ".npz", "policy="]
INPUTS = 2000


def changed(spec: str, rng: random.Random) -> str:
    letters = list(spec)
    for _ in range(rng.choice([1, 1, 2, 3])):
        place = rng.randrange(len(letters) + 1)
        letters[place : place + rng.choice([0, 1, 1, 3])] = rng.choice(PIECES)
    return "".join(letters)


def test_every_spec_gives_an_agent_or_an_error_on_one_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng, outcomes = random.Random(1), Counter()
    for k in range(INPUTS):
        spec = SEEDS[k] if k < len(SEEDS) else changed(rng.choice(SEEDS), rng)
        if "seconds=" in spec and k >= len(SEEDS):  # a search with a time limit compiles before its first decision
            continue
        try:
            agent = romans_agents.make(spec, rng.choice(["none", "policies", "code"]))
            says, outcome = "", "made"
            assert isinstance(agent, Agent)
        except (UnknownAgentError, PolicyFileError) as error:
            says, outcome = str(error), "refused"
        assert len(says.splitlines()) <= 1, spec
        assert len(says) < 1500, spec
        outcomes[outcome] += 1
    assert min(outcomes["refused"], outcomes["made"]) > 25, "otherwise the test shows less than it seems to"
    assert not list(tmp_path.iterdir())
