"""``process:COMMAND``: agents that are programs of their own, and what becomes of their faults."""

import contextlib
import copy
import json
import os
import pickle
import shutil
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

import romans_agents
from romans_agents import AgentError, SlowAgentError
from romans_agents.batches.adjudicator import Adjudicator
from romans_agents.batches.arena import Arena
from romans_env import Game, RomansGoHome, Table
from romans_training.compare.tournament.run import tournament
from romans_training.measure.evaluation import evaluate
from tests.tools import dealt
from tests.training.processes import wait_for

RULES = RomansGoHome(Table(2, 0))

START = """
import json, os, sys, time

def write(message):
    print(json.dumps(message), flush=True)

write({**json.loads(sys.stdin.readline()), "wants": ["position", "observation"]})
seed = None
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "seed":
        seed = message["seed"]
        continue
    first = message["legal_actions"][0]
"""


def answering(action):
    """A program that answers with an expression."""
    return START + f"    write({{'id': message['id'], 'action': {action}}})\n"


LEAST = answering("first")


@pytest.fixture
def program(tmp_path, monkeypatch):
    """The spec of a program of Python; the working directory is its folder."""
    monkeypatch.chdir(tmp_path)

    def spec(text, options=""):
        (tmp_path / "bot.py").write_text(text, encoding="utf-8")
        return f"process:{sys.executable} -S -E bot.py{options}"

    return spec


def view_of():
    return Game(RULES, seed=3).view(0)


def fault_of(spec, kind=AgentError):
    """The line that a decision fails with."""
    agent = romans_agents.make(spec)
    with pytest.raises(kind) as raised:
        agent.act(view_of())
    line = str(raised.value)
    assert "\n" not in line
    assert line.startswith(f"the agent {spec} ")
    return line.removeprefix(f"the agent {spec} ")


# -- what a program is sent, and what it answers


def test_a_program_is_sent_what_its_seat_may_know(program):
    agent = romans_agents.make(program(START + "    open('seen', 'w').write(line)\n" + LEAST.removeprefix(START)))
    view = view_of()
    assert agent.act(view) == view.legal_actions()[0]
    seen = json.loads(Path("seen").read_text())
    assert seen.pop("seconds") == 10.0
    assert seen == {
        "type": "act",
        "id": 1,
        "game": "romans-go-home",
        "setup": RULES.setup.as_json(),
        "seat": view.seat,
        "agent": view.agent,
        "legal_actions": view.legal_actions(),
        "legal_names": [view.action_name(action) for action in view.legal_actions()],
        "position": view.position(),
        "observation": view.observation.tolist(),
    }


def test_names_are_actions_too(program):
    agent = romans_agents.make(program(answering("message['legal_names'][-1]")))
    view = view_of()
    assert agent.act(view) == view.action_name(view.legal_actions()[-1])
    result = evaluate(agent, [romans_agents.make("random")], Table(2, 0), num_deals=2)
    assert result.num_games == 4


def test_a_seed_reaches_the_program_before_and_after_it_starts(program):
    agent = romans_agents.make(program(answering("f'seed-{seed}'")))
    agent.seed(5)
    assert agent.act(view_of()) == "seed-5"
    agent.seed(6)
    assert agent.act(view_of()) == "seed-6"


def test_copies_have_programs_of_their_own(program):
    agent = romans_agents.make(program(answering("str(os.getpid())")))
    copies = [agent, copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))]
    assert len({one.act(view_of()) for one in copies}) == 3


def test_a_program_ends_with_its_agent_and_starts_again_when_it_is_asked(program):
    agent = romans_agents.make(program(answering("os.getpid()")))
    process = agent.act(view_of())
    agent.close()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
    assert agent.act(view_of()) != process


def test_a_command_may_be_quoted_and_nothing_is_run_by_a_shell(program, tmp_path):
    program(LEAST)
    shutil.copy("bot.py", "my bot.py")
    assert romans_agents.make(f"process:'{sys.executable}' -S 'my bot.py'").act(view_of()) in view_of().legal_actions()
    assert "ended with status 2" in fault_of(f"process:{sys.executable} -S no_such.py > trace")
    assert not Path("trace").exists()


# -- faults


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("raise ValueError('no idea')", "ended with status 1: ValueError: no idea"),
        ("import sys; sys.exit(3)", "ended with status 3"),
        ("import os; os.kill(os.getpid(), 9)", "was ended by SIGKILL"),
        ("print('hello')", "answered with 'hello', which is not JSON: Expecting value: line 1 column 1 (char 0)"),
        ("print('[1]')", "answered with '[1]', which is not a JSON object"),
        ("print('{}')", "speaks the protocol None, not 'romans-process/1'"),
        (
            'print(\'{"protocol": "romans-process/2"}\')',
            "speaks the protocol 'romans-process/2', not 'romans-process/1'",
        ),
        (
            'print(\'{"protocol": "romans-process/1", "wants": ["deal"]}\')',
            "wants ['deal'], not a list of some of position, observation",
        ),
        ("import sys; sys.stdout.buffer.write(bytes([255, 10]))", "wrote a line that is not UTF-8"),
        ("print('x' * 100_000)", "wrote a line of more than 65,536 bytes"),
        (START + "    write({'action': first})", "answered with the id None, not 1"),
        (START + "    write({'id': 1})", "answered with the action None, which is neither an id nor a name"),
        (
            START + "    write({'id': 1, 'action': True})",
            "answered with the action True, which is neither an id nor a name",
        ),
        (START + "    sys.exit('out of ideas')", "ended with status 1: out of ideas"),
    ],
)
def test_a_fault_is_one_line_that_says_what_the_program_did(program, text, message):
    assert fault_of(program(text + "\n")) == message


def test_a_program_that_is_silent_is_killed(program):
    started = time.monotonic()
    line = fault_of(program("import time\ntime.sleep(100)\n", ",start=0.2"))
    assert line == "did not answer the first message in 0.2 s"
    spec = program(START + "    time.sleep(100)\n", ",bank=0.3,seconds=0.1")
    assert fault_of(spec, SlowAgentError) == "gave no action within the 0.3 s of its time bank"
    assert time.monotonic() - started < 60


ORPHAN = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(300)"], start_new_session=True)
open("child", "w").write(str(child.pid))
"""


def is_running(pid):
    with contextlib.suppress(psutil.NoSuchProcess):
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE


def test_a_program_that_ends_is_not_late_though_a_child_holds_its_output(program):
    started = time.monotonic()
    assert fault_of(program(ORPHAN + "sys.exit(3)\n", ",start=60")) == "ended with status 3"
    assert time.monotonic() - started < 30
    os.kill(int(Path("child").read_text()), 9)


def test_what_a_program_wrote_keeps_no_thread(program):
    before = threading.active_count()
    for _ in range(5):
        assert "which is not JSON" in fault_of(
            program("for n in range(50): print('line', n, flush=True)\n", ",start=60")
        )
    wait_for(lambda: threading.active_count() <= before, 10)


def test_a_child_that_left_the_group_ends_with_the_program(program):
    agent = romans_agents.make(program(ORPHAN + LEAST))
    for end in (agent.close, lambda: agent._drop()):
        agent.act(view_of())
        child = int(Path("child").read_text())
        assert is_running(child)
        end()
        wait_for(lambda child=child: not is_running(child), 10)


def test_a_program_that_does_not_read_is_no_obstacle(program):
    deaf = 'import time\nprint(\'{"protocol": "romans-process/1"}\', flush=True)\ntime.sleep(100)\n'
    agent = romans_agents.make(program(deaf, ",bank=0.3"))
    agent.prepare()
    for number in range(20_000):  # more than a pipe holds
        agent.seed(number)
    with pytest.raises(SlowAgentError):
        agent.act(view_of())


def test_the_time_bank_is_filled_by_decisions_and_by_a_seed(program):
    agent = romans_agents.make(program(answering("message['seconds'].__str__()")))
    assert float(agent.act(view_of())) == 10.0
    agent._left = 4.0
    assert 4.9 < float(agent.act(view_of())) <= 5.0
    agent.seed(1)
    assert float(agent.act(view_of())) == 10.0


@pytest.mark.skipif(sys.platform != "linux", reason="Linux alone has it")
def test_memory_is_limited(program):
    greedy_for_memory = START + "    x = bytearray(300 * 2**20)\n" + LEAST.removeprefix(START)
    assert fault_of(program(greedy_for_memory, ",memory=200")) == "ended with status 1: MemoryError"
    assert romans_agents.make(program(greedy_for_memory, ",memory=2000")).act(view_of()) >= 0


def test_a_program_is_started_again_but_not_for_ever(program):
    agent = romans_agents.make(program(START + "    sys.exit(1)\n", ",restarts=2"))
    for _ in range(3):
        with pytest.raises(AgentError, match="ended with status 1"):
            agent.act(view_of())
    with pytest.raises(AgentError, match="was started again 2 times, and failed each time"):
        agent.act(view_of())
    agent.seed(1)
    with pytest.raises(AgentError, match="ended with status 1"):
        agent.act(view_of())


# -- contests


def faults_in_games(spec, num_games=3, **settings):
    states = dealt(RULES, range(num_games))
    player, other = romans_agents.make(spec), romans_agents.make("greedy")
    adjudicator = Adjudicator(**settings)
    list(Arena(RULES, states, [[player, other]] * num_games, range(num_games), adjudicator).play())
    assert all(RULES.is_over(states, i) for i in range(num_games))
    return [(fault.kind, fault.message) for fault in adjudicator.faults]


def test_a_referee_names_the_faults_of_programs(program):
    assert faults_in_games(program(LEAST)) == []
    crash = program(START + "    raise ValueError('no idea')\n")
    assert faults_in_games(crash) == [("error", "ended with status 1: ValueError: no idea")] * 3
    slow = program(START + "    time.sleep(100)\n", ",bank=0.2,seconds=0.1")
    assert faults_in_games(slow, 2) == [("time", "gave no action within the 0.2 s of its time bank")] * 2
    illegal = faults_in_games(program(answering("55")))
    assert [kind for kind, _ in illegal] == ["illegal"] * 3
    assert illegal[0][1].startswith("give_up:tax-8 is not legal")
    nonsense = faults_in_games(program(answering("'rome'")))
    assert nonsense == [("illegal", "chose 'rome', which is neither the id nor the name of an action")] * 3


@pytest.mark.skipif(sys.platform == "win32", reason="no interval timers")
def test_after_an_interruption_the_program_starts_outside_of_the_time_of_a_decision(program):
    view_of().position()  # loading what is compiled takes a moment
    # It sleeps in its first decision alone, and its start takes longer than a decision may.
    text = START.replace("import json, os, sys, time", "import json, os, pathlib, sys, time\ntime.sleep(1.0)")
    text += "    if not os.path.exists('slept'):\n        pathlib.Path('slept').touch()\n        time.sleep(100)\n"
    faults = faults_in_games(program(text + LEAST.removeprefix(START)), 2, move_time=0.6)
    assert [kind for kind, _ in faults] == ["time"], faults
    assert "before it was interrupted" in faults[0][1]


def test_a_tournament_plays_a_program_in_its_workers(program, tmp_path):
    spec = program(LEAST.replace("first = ", "first = 55 if message['agent'] == 'player_1' else "))
    result = tournament([spec, "random"], Table(2, 0), deals=2, folder=tmp_path / "results", jobs=2)
    shown = str(result.as_json())
    assert "give_up:tax-8 is not legal" in shown


# -- the example


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_the_example_in_javascript_plays_well():
    example = Path(__file__).resolve().parents[2] / "examples" / "process_agent.js"
    agent = romans_agents.make(f"process:node {example},bank=60")
    result = evaluate(agent, [romans_agents.make("random")], Table(2, 0), num_deals=60)
    assert result.win_rate.mean > 0.5
