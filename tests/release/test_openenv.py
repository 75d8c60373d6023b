"""The games through OpenEnv: its own checks of the folder and of a running server, and games over the wire."""

import json
import os
import re
import socket
import subprocess
import sys
import textwrap
import time
import urllib.error
import urllib.request

import pytest

from tests.release.docs.blocks import ROOT, blocks_of

FOLDER = ROOT / "openenv"
PINNED = ("llvmlite", "numba", "numpy")
"""What compiled code depends on: with the versions of the other tests it need not be compiled again."""
COMMON = '''
import random
import sys
from concurrent.futures import ThreadPoolExecutor

from romans_openenv import RomansAction, RomansEnv

URL = sys.argv[1]


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


with RomansEnv(base_url=URL).sync() as one, RomansEnv(base_url=URL).sync() as other:
'''


def variables(**more):
    """The environment variables, without those that lead to a checkout."""
    return {**{name: text for name, text in os.environ.items() if name != "PYTHONPATH"}, **more}


@pytest.fixture(scope="session")
def python(tmp_path_factory):
    """The interpreter of an environment with OpenEnv and this package."""
    folder = tmp_path_factory.mktemp("openenv") / "venv"
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    scripts = folder / ("Scripts" if os.name == "nt" else "bin")
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = folder / "constraints.txt"
    pinned.write_text("\n".join(line for line in lines if line.partition("==")[0] in PINNED), encoding="utf-8")
    install = [str(scripts / "python"), "-m", "pip", "install", "--quiet", "-c", str(pinned)]
    first = subprocess.run(
        [*install, "openenv>=0.10"], env=variables(), capture_output=True, text=True, check=False, timeout=1800
    )
    if first.returncode != 0:
        reason = (first.stderr.strip().splitlines() or ["no reason"])[-1]
        pytest.skip(f"pip cannot install openenv from an index: {reason}")
    # The checkout itself, as the other tests have it, and not a copy of its packages.
    subprocess.run([*install, "-e", str(ROOT), str(FOLDER)], env=variables(), check=True, timeout=1800)
    return str(scripts / "python")


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


def answered(python, folder, *command, **more):
    """What a program prints, in a folder that is not the checkout's root."""
    done = subprocess.run(
        [python, *command], cwd=folder, env=variables(**more), capture_output=True, text=True, check=False, timeout=1800
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def run(python, server, tmp_path):
    """Run lines that use two clients, ``one`` and ``other``."""

    def run(text):
        script = tmp_path / "script.py"
        script.write_text(COMMON + textwrap.indent(textwrap.dedent(text), "    "), encoding="utf-8")
        return answered(python, tmp_path, str(script), server)

    return run


def test_openenv_finds_the_folder_valid(python, tmp_path):
    command = ("-m", "openenv.cli", "validate", str(FOLDER), "--level", "static", "--skip-build")
    assert "Verdict: PASS" in answered(python, tmp_path, *command)


def test_openenv_finds_the_server_valid(python, server, tmp_path):
    told = answered(python, tmp_path, "-m", "openenv.cli", "validate", "--url", server)
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
    printed = run("""
        from pathlib import Path

        mine = Path("mine.py").resolve()
        assert "there is no game yet" in refusal(one.step, RomansAction(action="discard:axx"))
        before = one.reset(seed=1, seat=0).observation
        for start, why in (
            ({"against": f"{mine}:Bot"}, "no agent is named"),
            ({"against": "process:ls"}, "no agent is named"),
            ({"against": "round-ismcts:seconds=3600"}, "no agent is named"),
            ({"against": "llm"}, "no agent is named"),
            ({"against": ["greedy", "own.py:Own"]}, "no agent is named"),
            ({"against": ["greedy", "greedy"]}, "needs 1 opponents, not 2"),
            ({"game": "struggle", "setup": {"board": str(mine)}}, "board is a setting of the server alone"),
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
    """)
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
    for settings, why in (
        ('{"against": "nobody"}', "unknown agent 'nobody'"),
        ('{"games": "roma"}', "games: "),
        ("{", "Invalid JSON"),
    ):
        done = subprocess.run(
            [python, str(FOLDER / "server" / "app.py")],
            cwd=tmp_path,
            env=variables(ROMANS_OPENENV=settings),
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )
        assert done.returncode == 1
        assert re.fullmatch(r"error: ROMANS_OPENENV.*\n", done.stderr) and why in done.stderr, done.stderr


def test_the_examples_of_the_page(python, server, tmp_path):
    """The blocks of openenv/README.md."""
    client, seat = (
        block.text.replace("http://127.0.0.1:8000", server)
        for block in blocks_of(FOLDER / "README.md")
        if block.language == "python"
    )
    assert "The game is over." in answered(python, tmp_path, "-c", client)
    play = """
        seat = RemoteSeat()
        text = seat.reset(seed=3, seat=1, prompt=[])
        assert "You are player_1." in text and seat.get_reward() == -1.0
        while not seat._result.done:
            text = seat.choose(seat._result.observation.legal_actions[0])
        assert "The game is over." in text
        print(seat.get_reward())
    """
    assert -1 <= float(answered(python, tmp_path, "-c", seat + textwrap.dedent(play))) <= 1
