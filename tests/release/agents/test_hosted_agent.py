"""Agents of users' files in a process beside this one: they play as here, and whatever they do ends no tournament."""

import sys
import time

import numpy as np
import psutil
import pytest

import romans_agents
from romans_agents import AgentError, SlowAgentError
from romans_agents.external import hosted_agent
from romans_agents.external.hosted_agent import HostedAgent
from romans_agents.permission import FileNotAllowedError, allowing
from romans_env import Game, RomansGoHome, Table
from romans_env.core.games import spec_of
from tests.training.processes import wait_for

RULES = RomansGoHome(Table(2, 0))
CHOOSES = """
import numpy as np

class Bot:
    def __init__(self):
        self.seed(0)

    def seed(self, number):
        self.rng = np.random.default_rng(number)

    def act(self, view):
        print("not a line of JSON", flush=True)
        game = view.sample_game(self.rng)
        assert game.legal_actions() == view.legal_actions() and view.position()["decision"]
        chosen = int(self.rng.choice(view.legal_actions()))
        return view.action_name(chosen) if self.rng.random() < 0.5 else np.int64(chosen)
"""


@pytest.fixture
def bot(tmp_path, monkeypatch):
    """Makes a hosted agent whose ``act`` is some lines; a first decision is tried for four seconds."""
    monkeypatch.setattr(hosted_agent, "_FIRST_SECONDS", 4.0)

    def make(act, move_time=0.5, head="import os, sys, threading, time"):
        lines = "\n".join(f"        {line}" for line in act.splitlines())
        text = f"{head}\nclass Bot:\n    asked = 0\n    def act(self, view):\n        self.asked += 1\n{lines}\n"
        (tmp_path / "bot.py").write_text(f"{text}        return view.legal_actions()[0]\n", encoding="utf-8")
        return HostedAgent(f"{tmp_path / 'bot.py'}:Bot", RULES, move_time)

    return make


@pytest.fixture
def view():
    game = Game(RULES, seed=3)
    return game.view(game.seat_to_act)


def fault_of(agent, view):
    """The line of an error of its next decision, without the name; its kind."""
    with pytest.raises(AgentError) as raised:
        agent.act(view)
    assert "\n" not in str(raised.value)
    return str(raised.value).removeprefix(f"the agent {agent.name}").lstrip(": "), type(raised.value)


@pytest.mark.parametrize("name", ["romans-go-home", "roma", "struggle"])
def test_it_chooses_as_the_same_agent_does_here(name, tmp_path):
    (tmp_path / "bot.py").write_text(CHOOSES, encoding="utf-8")
    spec, rules = f"{tmp_path / 'bot.py'}:Bot", spec_of(name).make_rules()
    hosted, here = HostedAgent(spec, rules, 10.0), romans_agents.make(spec, game=name)
    rng, seen = np.random.default_rng(0), []
    for seed in (5, 6):
        hosted.seed(seed)
        here.seed(seed)
        game = Game(rules, seed=seed)
        for _ in range(12):
            view = game.view(game.seat_to_act)
            seen.append(hosted.act(view))
            assert seen[-1] == here.act(view)
            game.act(int(rng.choice(game.legal_actions())))
    assert {type(action) for action in seen} == {int, str}


@pytest.mark.parametrize(
    ("act", "fault"),
    [
        ("return [][1]", "IndexError: list index out of range (bot.py, line 7)"),
        ("sys.exit('bye')", "SystemExit: bye (bot.py, line 7)"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt (bot.py, line 7)"),
        ("input()", "EOFError: EOF when reading a line (bot.py, line 7)"),
        ("raise ValueError('two\\nlines')", "ValueError: two (bot.py, line 7)"),
        (
            "return view.no_such_thing",
            "AttributeError: 'View' object has no attribute 'no_such_thing' (bot.py, line 7)",
        ),
    ],
)
def test_an_error_is_a_line_with_its_place_and_the_agent_is_asked_again(bot, view, act, fault):
    agent = bot(f"if self.asked == 2:\n    {act}")
    assert fault_of(agent, view) == (fault, AgentError)
    assert agent.act(view) == view.legal_actions()[0]


@pytest.mark.parametrize(
    ("act", "shown"), [("return 3.5", "3.5"), ("return None", "None"), ("return 10**60", "1" + 60 * "0")]
)
def test_what_is_no_action_comes_back_as_the_agent_would_show_it(bot, view, act, shown):
    assert repr(bot(act).act(view)) == shown


@pytest.mark.parametrize(
    "act",
    ["time.sleep(100)", "sum(iter(int, 1))", "while True:\n    try: time.sleep(9)\n    except BaseException: pass"],
)
def test_one_that_never_answers_is_given_up_at_its_first_decision(bot, view, act):
    agent = bot(act)
    assert fault_of(agent, view) == ("made no first decision in 4 s", SlowAgentError)
    for seed in range(20):
        agent.seed(seed)
        started = time.monotonic()
        fault_of(agent, view)
        assert time.monotonic() - started < 0.5


@pytest.mark.parametrize(
    ("act", "fault"),
    [
        ("sum(iter(int, 1))", ("gave no action in 0.5 s", SlowAgentError)),
        ("os._exit(3)", ("its process ended with status 3", AgentError)),
        (
            "threading.Thread(target=time.sleep, args=(60,), daemon=True).start()",
            ("leaves a thread running, which would take time from other agents", AgentError),
        ),
    ],
)
def test_one_that_has_to_be_ended_is_asked_again_after_the_next_seed(bot, view, act, fault):
    agent = bot(f"if self.asked == 3:\n    {act}")
    for seed in (1, 2):
        agent.seed(seed)
        assert agent.act(view) == view.legal_actions()[0]
        assert fault_of(agent, view) == fault
        assert fault_of(agent, view) == fault


def test_another_agent_plays_on_after_one_that_ended_the_process(bot, view, tmp_path):
    (tmp_path / "other.py").write_text(CHOOSES, encoding="utf-8")
    spec = f"{tmp_path / 'other.py'}:Bot"
    other, here = HostedAgent(spec, RULES, 10.0), romans_agents.make(spec)
    other.seed(8)
    here.seed(8)
    assert other.act(view) == here.act(view)
    fault_of(bot("if self.asked == 2:\n    os._exit(0)"), view)
    here.seed(8)
    # It begins again: its seed is that of before.
    assert other.act(view) == here.act(view)


@pytest.mark.skipif(sys.platform == "win32", reason="no fork")
def test_copies_and_programs_that_it_starts_answer_nothing_and_end_with_it(bot, view, tmp_path):
    agent = bot(
        f"import subprocess\nrun = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(300)'])\n"
        f"open({str(tmp_path / 'number')!r}, 'w').write(str(run.pid))\nos.fork()\n"
        "if self.asked == 5:\n    time.sleep(100)"
    )
    for _ in range(3):
        assert agent.act(view) == view.legal_actions()[0]
    started = int((tmp_path / "number").read_text())
    assert psutil.pid_exists(started)
    assert fault_of(agent, view)[1] is SlowAgentError
    last = int((tmp_path / "number").read_text())
    for number in (started, last):
        wait_for(lambda number=number: not psutil.pid_exists(number), 20)


def test_the_process_ends_with_the_one_that_asks_even_where_an_agent_computes(tmp_path):
    (tmp_path / "bot.py").write_text(
        "import os\nclass Bot:\n    def act(self, view):\n"
        f"        open({str(tmp_path / 'number')!r}, 'w').write(str(os.getpid()))\n        while True: pass\n"
    )
    script = (
        "import os, threading, time\nfrom pathlib import Path\n"
        "from romans_agents.external.hosted_agent import HostedAgent\nfrom romans_env import *\n"
        f"agent = HostedAgent({str(tmp_path / 'bot.py')!r} + ':Bot', RomansGoHome(Table(2, 0)), 50.0)\n"
        "threading.Thread(target=agent.prepare, daemon=True).start()\n"
        f"number = Path({str(tmp_path / 'number')!r})\n"
        "while not (number.exists() and number.read_text()): time.sleep(0.05)\nos._exit(0)\n"
    )
    with psutil.Popen([sys.executable, "-c", script]) as asking:
        assert asking.wait(120) == 0
    wait_for(lambda: not psutil.pid_exists(int((tmp_path / "number").read_text())), 20)


def test_answers_that_an_agent_forges_are_passed_over(bot, view, tmp_path):
    forged = (
        "for k in range(3, 20):\n    try: os.write(k, b'{\"action\": 999}\\n[1\\n[1, 2]\\n')\n    except OSError: pass"
    )
    agent = bot(forged)
    (tmp_path / "other.py").write_text(CHOOSES, encoding="utf-8")
    other, here = (
        HostedAgent(f"{tmp_path / 'other.py'}:Bot", RULES, 10.0),
        romans_agents.make(f"{tmp_path / 'other.py'}:Bot"),
    )
    for player in (other, here):
        player.seed(1)
    for _ in range(3):
        assert agent.act(view) == view.legal_actions()[0]
        assert other.act(view) == here.act(view)


def test_without_permission_nothing_is_run(tmp_path):
    (tmp_path / "bot.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n{CHOOSES}", encoding="utf-8")
    with (
        allowing("policies"),
        pytest.raises(FileNotAllowedError, match="Python code, which would run with your rights"),
    ):
        HostedAgent(f"{tmp_path / 'bot.py'}:Bot", RULES)
    with allowing("policies"), pytest.raises(FileNotAllowedError):
        hosted_agent.found_in(str(tmp_path / "bot.py"), "romans-go-home")
    assert not (tmp_path / "ran").exists()
