"""The games through OpenEnv: its own checks of the folder and of a running server, and games over the wire."""

import json
import os
import socket
import subprocess
import textwrap
import time
import urllib.error
import urllib.request

import pytest

from tests.release.docs.blocks import ROOT, blocks_of
from tests.release.second_environment import environment_with, pip

FOLDER = ROOT / "openenv"
CLIENT = '''
import contextlib
import io
import json
import random
import sys
import traceback
from concurrent.futures import ThreadPoolExecutor

from romans_openenv import RomansAction, RomansEnv


def played(env, **start):
    """Every text of a game of random actions, and its reward."""
    rng, result = random.Random(1), env.reset(**start)
    texts = [result.observation.text]
    while not result.done:
        assert result.reward is None
        result = env.step(RomansAction(action=rng.choice(result.observation.legal_actions)))
        texts.append(result.observation.text)
    assert result.observation.legal_actions == []
    return texts, result.reward


def refusal(call, *arguments, **keywords):
    try:
        call(*arguments, **keywords)
    except (RuntimeError, ValueError) as error:
        return str(error)
    raise AssertionError(f"{arguments} {keywords} was not refused")


print("ready", flush=True)
for line in sys.stdin:
    wrong, printed = "", io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            exec(json.loads(line), dict(globals()))
        except SystemExit as stop:
            wrong = stop.code and str(stop.code)
        except BaseException:
            wrong = traceback.format_exc()
    print(json.dumps([wrong, printed.getvalue()]), flush=True)
'''
"""A program that executes the lines that it is sent: what it imports takes seconds."""
CLIENTS = """
with RomansEnv(base_url={server!r}).sync() as one, RomansEnv(base_url={server!r}).sync() as other:
"""
VALIDATE = """
sys.argv = ["openenv", "validate", *{arguments!r}]
from openenv.cli.__main__ import main
main()
"""
STOPS = """
import os
import runpy
import sys

*others, last = {settings!r}
for settings in others:
    os.environ["ROMANS_OPENENV"] = settings
    try:
        runpy.run_path({app!r}, run_name="__main__")
    except SystemExit as stop:
        print(stop.code, file=sys.stderr)
os.environ["ROMANS_OPENENV"] = last
runpy.run_path({app!r}, run_name="__main__")
"""


def variables(**more):
    """The environment variables, without those that lead to a checkout."""
    return {**{name: text for name, text in os.environ.items() if name != "PYTHONPATH"}, **more}


@pytest.fixture(scope="session")
def python(tmp_path_factory):
    """The interpreter of an environment with OpenEnv and the folder's package, beside what is here."""
    python = environment_with(tmp_path_factory.mktemp("openenv") / "venv", "openenv>=0.10").python
    done = pip(python, "--no-build-isolation", str(FOLDER))
    assert done.returncode == 0, done.stderr
    return python


@pytest.fixture(scope="session")
def server(python, tmp_path_factory):
    """The address of a running server, whose own opponent is a class in a file."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    folder = tmp_path_factory.mktemp("server")
    (folder / "own.py").write_text("from romans_agents import RandomAgent as Own\n", encoding="utf-8")
    own = {"game": "romans-go-home", "against": "own.py:Own", "setup": {"num_neutrals": 1}}
    command = [python, str(FOLDER / "server" / "app.py"), "--port", str(port)]
    environment = variables(ROMANS_OPENENV=json.dumps(own), MAX_CONCURRENT_ENVS="3")
    with open(folder / "log.txt", "w+", encoding="utf-8") as log:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
        address = f"http://127.0.0.1:{port}"
        try:
            for _ in range(600):
                try:
                    urllib.request.urlopen(f"{address}/health", timeout=5).close()
                    break
                except OSError:
                    assert process.poll() is None, (folder / "log.txt").read_text(encoding="utf-8")
                    time.sleep(0.2)
            yield address
        finally:
            process.terminate()
            process.wait(60)
        assert "Traceback" not in (folder / "log.txt").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def execute(python, tmp_path_factory):
    """Execute lines in `CLIENT`, in a folder that is not the checkout's root; gives what they print."""
    folder = tmp_path_factory.mktemp("client")
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen([python, "-c", CLIENT], cwd=folder, env=variables(), text=True, **pipes) as process:
        assert process.stdout.readline() == "ready\n"

        def execute(text):
            print(json.dumps(text), file=process.stdin, flush=True)
            wrong, printed = json.loads(process.stdout.readline())
            assert not wrong, wrong
            return printed

        yield execute
        process.stdin.close()


@pytest.fixture
def run(execute, server):
    """Run lines that use two clients, ``one`` and ``other``, and names that are given."""

    def run(text, **names):
        given = "".join(f"{name} = {value!r}\n" for name, value in names.items())
        return execute(given + CLIENTS.format(server=server) + textwrap.indent(textwrap.dedent(text), "    "))

    return run


def test_openenv_finds_the_folder_valid(execute):
    arguments = [str(FOLDER), "--level", "static", "--skip-build"]
    assert "Verdict: PASS" in execute(VALIDATE.format(arguments=arguments))


def test_openenv_finds_the_server_valid(execute, server):
    told = execute(VALIDATE.format(arguments=["--url", server]))
    assert "Verdict: PASS" in told and "FAIL" not in told


def test_clients_play_whole_games_of_every_game(run):
    run("""
        for game, setup in (("romans-go-home", {}), ("roma", {}), ("struggle", {"max_rounds": 3})):
            start = dict(game=game, seed=5, seat=0, against="random", setup=setup)
            with ThreadPoolExecutor(2) as at_once:
                (texts, reward), again = at_once.map(lambda env: played(env, **start), (one, other))
            assert -1 <= reward <= 1
            assert "You are player_0." in texts[0] and "The game is over." in texts[-1], texts[-1]
            assert again == (texts, reward)
            assert one.state().game == game and one.state().step_count == len(texts) - 1
            assert played(one, **{**start, "seed": 6})[0] != texts
        points = played(one, seed=5, seat=0, reward="points")[1]
        assert points == int(points)
    """)


def test_sessions_are_independent_and_a_plan_is_an_action(run):
    run("""
        first = one.reset(seed=1, seat=0).observation
        second = other.reset(seed=2, seat=1, game="roma").observation
        # Of the server's settings, which no client's own game takes along.
        assert "neutral" in first.text, first.text
        hand = [name.removeprefix("discard:") for name in first.legal_actions]
        laid = one.step(RomansAction(set_aside=hand[0], line=hand[1:2])).observation
        assert laid.legal_actions and all(name.startswith("place:") for name in laid.legal_actions)
        assert (one.state().step_count, other.state().step_count) == (1, 0)
        told = one.step(RomansAction(action="fly")).observation
        assert told.text.startswith("That cannot be played: there is no action 'fly'"), told.text
        assert all(name in told.text for name in laid.legal_actions) and told.legal_actions == laid.legal_actions
        assert (one.state().num_refused, other.state().num_refused) == (1, 0)
        assert other.step(RomansAction(action=second.legal_actions[0])).observation.text != second.text
    """)


def test_bad_input_is_one_line_and_loads_nothing(run, server, tmp_path):
    (tmp_path / "mine.py").write_text("raise SystemExit('it was loaded')\n", encoding="utf-8")
    lines = """
        assert "there is no game yet" in refusal(one.step, RomansAction(action="discard:axx"))
        before = one.reset(seed=1, seat=0).observation
        for start, why in (
            ({"against": f"{mine}:Bot"}, "no agent is named"),
            ({"against": "process:ls"}, "no agent is named"),
            ({"against": "round-ismcts:seconds=3600"}, "no agent is named"),
            ({"against": "llm"}, "no agent is named"),
            ({"against": ["greedy", "own.py:Own"]}, "no agent is named"),
            ({"against": ["greedy", "greedy"]}, "needs 1 opponents, not 2"),
            ({"game": "struggle", "setup": {"board": str(mine)}}, "board can be set only by the server"),
            ({"setup": {"num_player": 3}}, "unknown setting"),
            ({"setup": 3}, "setup: "),
            ({"game": "chess"}, "unknown game 'chess'"),
            ({"reward": "gold"}, "reward is one of win, points, aivat"),
            ({"seat": 2}, "seat is from 0 to 1, not 2"),
            ({"seat": "first"}, "seat: "),
            ({"seed": -1}, "seed: "),
            ({"agianst": "greedy"}, "agianst: "),
        ):
            error = refusal(one.reset, **start)
            assert why in error and "\\n" not in error, (start, error)
        assert one.step(RomansAction(action="fly")).observation.legal_actions == before.legal_actions
        other.reset(game="roma")
        assert "Roma has no plans" in refusal(other.step, RomansAction(line=["axx"]))
        for action in ({}, {"action": "a", "line": []}, {"set_aside": "axx"}, {"action": "a", "set_aside": "axx"}):
            assert "give either action" in refusal(RomansAction, **action)
            assert "Invalid message" in refusal(other.step, RomansAction.model_construct(**action))
        print(one.state().model_dump_json(), other.state().model_dump_json())
    """
    printed = run(lines, mine=str(tmp_path / "mine.py"))
    keys = {"episode_id", "step_count", "game", "num_refused"}
    assert [set(json.loads(line)) for line in printed.split()] == [keys, keys]
    for path, body, why in (
        ("reset", {"game": "chess"}, "unknown game"),
        ("step", {"action": {"action": "a", "line": []}}, "give either action"),
        ("step", {"action": {"action": "a"}}, "there is no game yet"),
    ):
        request = urllib.request.Request(
            f"{server}/{path}", json.dumps(body).encode(), {"content-type": "application/json"}
        )
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request, timeout=60)
        assert refused.value.code == 422 and why in refused.value.read().decode()


def test_what_is_too_long_is_not_kept(run, server):
    with socket.create_connection(server.removeprefix("http://").split(":"), timeout=60) as stranger:
        stranger.sendall(b"POST /reset HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n")
        stranger.sendall(b"Content-Length: 1000000000\r\n\r\n" + b"9" * 70_000)
        assert stranger.recv(100).startswith(b"HTTP/1.1 413 ")
    run("""
        from websockets.exceptions import ConnectionClosedError

        one.reset(seed=1)
        try:
            one.step(RomansAction.model_construct(action="9" * 70_000))
        except ConnectionClosedError as error:
            assert error.rcvd.code == 1009, error
        else:
            raise AssertionError("the message was read")
        assert other.reset(seed=1).observation.text
    """)


def test_settings_that_no_game_has_stop_the_server(python, tmp_path):
    stops = {
        '{"against": "nobody"}': "unknown agent 'nobody'",
        '{"games": "roma"}': "games: ",
        "{": "Invalid JSON",
    }
    program = STOPS.format(settings=list(stops), app=str(FOLDER / "server" / "app.py"))
    done = subprocess.run(
        [python, "-c", program], cwd=tmp_path, env=variables(), capture_output=True, text=True, check=False, timeout=600
    )
    assert done.returncode == 1
    for line, why in zip(done.stderr.splitlines(), stops.values(), strict=True):
        assert line.startswith("error: ROMANS_OPENENV") and why in line


def test_the_examples_of_the_page(execute, server):
    """The blocks of openenv/README.md."""
    client, seat = (
        block.text.replace("http://127.0.0.1:8000", server)
        for block in blocks_of(FOLDER / "README.md")
        if block.language == "python"
    )
    assert "The game is over." in execute(client)
    play = """
        seat = RemoteSeat()
        text = seat.reset(seed=3, seat=1, prompt=[])
        assert "You are player_1." in text and seat.get_reward() == -1.0
        while not seat._result.done:
            text = seat.choose(seat._result.observation.legal_actions[0])
        assert "The game is over." in text
        print(seat.get_reward())
    """
    assert -1 <= float(execute(seat + textwrap.dedent(play))) <= 1
