"""Every command of the wheel, run in an empty environment: it ends with status 0, or names the extra that it needs.

    python -m tests.release.smoke dist/*.whl --python python3.13
    python -m tests.release.smoke dist/*.whl --game roma --extras base

It needs the standard library alone, as the machine that tries a release has nothing installed. A wheel that brings
compiled code along leaves nothing to be compiled: a command that compiles fails, so the constraints must be those with
which the wheel was built.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

GAMES = ("romans-go-home", "roma", "struggle")
EXTRAS = ("base", "serve", "mcp", "data", "onnx", "train")
OPPONENTS = {"romans-go-home": ("hoarder",), "roma": ("raider",), "struggle": ("chieftain", "trader")}
"""Agents against `random`, as many as a small table needs."""
SMALL = {"struggle": " --setup num_players=3 --setup max_rounds=3"}
"""Settings that make a game short."""
POLICIES = {"romans-go-home": "romans_go_home/trained/legate.npz", "roma": "roma/trained/quaestor.npz"}
TINY = (
    "--num-envs 4 --rollout-length 8 --minibatch-size 16 --epochs 1 --hidden-layers 8 --threads 1 --steps 64 "
    "--evaluate-every 64 --evaluation-deals 2"
)
BASE = """
warm-up --game {game} --agents random,{rivals}
rules --game {game}
agents --game {game}
evaluate random {short} --against {team} --deals 2 --records {game}.jsonl > {game}.jsonl
tournament random {others} {short} --deals 2 --jobs 1 --folder {game}-cup > {game}-cup/tournament.png
play {short} --against {rivals} --seed 1 --save {game}.json --replay {game}-0.html > {game}.json {game}-0.html
replay {game}.json
replay {game}.json --as player_0 --html {game}.html > {game}.html
export {policy} --to json --out {game}-policy.json
"""
"""What needs no extra, of every game: arguments, and behind ``>`` the files that must be there after it."""
MORE = {
    "data": "export {game}.jsonl --to parquet --out {game}-data > {game}-data/decisions/part-00000.parquet",
    "onnx": "export {policy} --to onnx --out {game}-policy.onnx > {game}-policy.onnx",
    "train": """
train {short} {tiny} --opponents random --folder {game}-run > {game}-run/policy.npz
train --resume --folder {game}-run --steps 96
train {short} {tiny} --opponents random --self-play 0.5 --no-bfloat16 --folder {game}-self-play
evaluate {game}-run/policy.npz {short} --against random --deals 2
exploit random {short} {tiny} --by learning --deals 2 --folder {game}-exploit > {game}-exploit/exploit.json
""",
}
"""What an extra adds; the servers are tried by `serve` and `converse`."""
REFUSED = """
train --steps 64 ! train
serve --port 0 ! serve
mcp ! mcp
export {game}.jsonl --to parquet --out none ! data
export {policy} --to onnx --out none.onnx ! onnx
"""
"""What must name the extra behind ``!`` where none is installed."""
SECONDS = 3600
"""Of a command; the first ones compile."""


class SmokeError(Exception):
    """A command that does not do what it should, saying which and what it printed."""


@dataclass(frozen=True)
class Command:
    """A command and what it must do.

    Attributes:
        arguments: after ``romans``.
        answers: what it reads.
        makes: files that must be there after it, in its folder.
        missing: the extra without which it ends with one line that names it; None where it must succeed.
    """

    arguments: tuple[str, ...]
    answers: str = ""
    makes: tuple[str, ...] = ()
    missing: str | None = None


def commands_in(table: str, game: str, agents: Path) -> Iterator[Command]:
    """The commands of a table for a game; those of a policy where the package has one.

    Args:
        table: a command a line.
        game: its name.
        agents: the folder of the installed package ``romans_agents``.
    """
    rivals, short = OPPONENTS[game], f"--game {game}{SMALL.get(game, '')}"
    words = {"rivals": ",".join(rivals), "team": "+".join(rivals), "others": " ".join(rivals), "short": short}
    for line in table.strip().splitlines():
        if "{policy}" not in line or game in POLICIES:
            line = line.format(game=game, tiny=TINY, policy="{policy}", **words)
            line, _, missing = line.partition(" ! ")
            line, _, made = line.partition(" > ")
            arguments = tuple(word.format(policy=agents / POLICIES.get(game, "")) for word in line.split())
            answers = "h\n" + "1\n" * 5000 if arguments[0] == "play" else ""
            yield Command(arguments, answers, tuple(made.split()), missing or None)


def commands_of(extra: str, games: Sequence[str], agents: Path) -> Iterator[Command]:
    """All commands that are run with an extra; ``base`` is none."""
    if extra == "base":
        yield Command(("--version",))
    for game in games:
        yield from commands_in(BASE if extra == "base" else MORE.get(extra, ""), game, agents)
    if extra == "base":
        if "romans-go-home" in games:
            yield Command(("exploit", "random", "--by", "search", "--search-deals", "2"))
        yield from commands_in(REFUSED, games[0], agents)


class Environment:
    """A virtual environment with the wheel in it.

    Args:
        python: the interpreter.
        wheel: the path of the wheel.
        folder: a folder for the environment, and for what commands write.
        constraints: a file of versions for pip, or None.
    """

    def __init__(self, python: str, wheel: Path, folder: Path, constraints: Path | None):
        self._wheel, self._constraints = wheel.resolve(), constraints
        self.folder = folder / "work"
        self._code = folder / "code"
        os.environ["NUMBA_CACHE_DIR"] = str(self._code)
        self.folder.mkdir(parents=True)
        _checked([python, "-m", "venv", str(folder / "venv")], folder)
        scripts = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
        self._python, self.romans = str(scripts / "python"), str(scripts / "romans")

    def install(self, extra: str) -> None:
        """Install the wheel, with an extra."""
        what = str(self._wheel) if extra == "base" else f"{self._wheel}[{extra}]"
        pinned = [] if self._constraints is None else ["-c", str(self._constraints.resolve())]
        _checked([self._python, "-m", "pip", "install", "--quiet", *pinned, what], self.folder)

    def agents(self) -> Path:
        """The folder of the installed package ``romans_agents``."""
        script = "import romans_agents, sys; sys.stdout.write(romans_agents.__path__[0])"
        return Path(_checked([self._python, "-c", script], self.folder))

    def run(self, command: Command) -> None:
        """Run a command; SmokeError unless it does what it must."""
        done = subprocess.run(
            [self.romans, *command.arguments],
            cwd=self.folder,
            env=_variables(),
            input=command.answers,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=SECONDS,
            check=False,
        )
        wrong = _wrong_with(command, done, self.folder) or self._compiled()
        if wrong:
            raise SmokeError(f"{wrong}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}")

    def _compiled(self) -> str | None:
        """What was compiled although the wheel should have brought it."""
        if self._wheel.name.endswith("-none-any.whl"):
            return None
        names = sorted(path.name for path in self._code.rglob("*.code"))
        for path in self._code.rglob("*.code"):
            path.unlink()
        return f"it compiled {', '.join(names)}" if names else None

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """Start a command that goes on."""
        return subprocess.Popen(
            [self.romans, *arguments],
            cwd=self.folder,
            env=_variables(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )


def serve(environment: Environment, games: Sequence[str]) -> None:
    """Start ``romans serve``, ask it for its page and its API, and stop it."""
    named = [argument for game in games for argument in ("--game", game)]
    process = environment.start("serve", "--port", "0", "--database", "games.sqlite", "--workers", "1", *named)
    try:
        line = _line_of(process)
        address = next((word for word in line.split() if word.startswith("http://")), None)
        if address is None:
            raise SmokeError(f"romans serve printed no address but {line!r}")
        with urllib.request.urlopen(address, timeout=SECONDS) as page:
            if b"<html" not in page.read():
                raise SmokeError("GET / gave no page")
        with urllib.request.urlopen(f"{address}/openapi.json", timeout=SECONDS) as described:
            if not json.load(described)["paths"]:
                raise SmokeError("/openapi.json names no paths")
    finally:
        if os.name == "nt":
            process.terminate()
        else:
            process.send_signal(signal.SIGINT)
        status = process.wait(SECONDS)
    if os.name != "nt" and status not in (0, 130):
        raise SmokeError(f"romans serve, stopped by Ctrl-C, ended with status {status}")


def converse(environment: Environment, game: str) -> None:
    """Begin a game over ``romans mcp``."""
    process = environment.start("mcp", "--game", game, "--against", "random", *SMALL.get(game, "").split())
    client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "smoke", "version": "1"}}
    new_game, answer = {"name": "new_game", "arguments": {"seat_number": 0}}, {}
    assert process.stdin is not None
    try:
        for number, method, parameters in (
            (1, "initialize", client),
            (None, "notifications/initialized", {}),
            (2, "tools/call", new_game),
        ):
            message = {"jsonrpc": "2.0", "method": method, "params": parameters}
            process.stdin.write(json.dumps(message if number is None else {**message, "id": number}) + "\n")
            process.stdin.flush()
            while number is not None and answer.get("id") != number:
                answer = json.loads(_line_of(process))
        if "You are player_0." not in str(answer):
            raise SmokeError(f"romans mcp answered new_game with {answer}")
    finally:
        process.stdin.close()
        status = process.wait(SECONDS)
    if status != 0:
        raise SmokeError(f"romans mcp ended with status {status}")


def _line_of(process: subprocess.Popen[str]) -> str:
    output: IO[str] | None = process.stdout
    assert output is not None
    line = output.readline()
    if not line:
        raise SmokeError(f"{' '.join(map(str, process.args[1:3]))} ended with status {process.wait(SECONDS)}")  # type: ignore[index]
    return line


def _wrong_with(command: Command, done: subprocess.CompletedProcess[str], folder: Path) -> str | None:
    if "Traceback" in done.stdout + done.stderr:
        return "it printed a traceback"
    if command.missing is not None:
        lines = done.stderr.strip().splitlines()
        if done.returncode == 0 or not lines or f"romans-env[{command.missing}]" not in lines[-1]:
            return f"without the extra it ended with status {done.returncode} and did not name it"
        return None
    if done.returncode != 0:
        return f"it ended with status {done.returncode}"
    lacking = [name for name in command.makes if not (folder / name).exists()]
    return f"it did not write {', '.join(lacking)}" if lacking else None


def _variables() -> dict[str, str]:
    """The environment variables, without those that lead to a checkout."""
    return {**{key: text for key, text in os.environ.items() if key != "PYTHONPATH"}, "PYTHONUTF8": "1"}


def _checked(command: Sequence[str], folder: Path) -> str:
    done = subprocess.run(
        command, cwd=folder, env=_variables(), capture_output=True, text=True, encoding="utf-8", check=False
    )
    if done.returncode != 0:
        raise SmokeError(f"{' '.join(command)} ended with status {done.returncode}\n{done.stderr[-4000:]}")
    return done.stdout


def _tried(name: str, what: Any, *arguments: Any) -> int:
    """1 where a command fails, which is said; 0 otherwise."""
    start = time.monotonic()
    try:
        what(*arguments)
    except (SmokeError, OSError, ValueError, subprocess.TimeoutExpired) as error:
        print(f"FAILED {name}: {error}", flush=True)
        return 1
    print(f"ok {time.monotonic() - start:6.1f} s  {name}", flush=True)
    return 0


def smoke(environment: Environment, games: Sequence[str], extras: Sequence[str]) -> tuple[int, int]:
    """Install the extras one after the other, and run their commands; gives how many were run, and how many failed."""
    tried = failed = 0

    def count(name: str, what: Any, *arguments: Any) -> None:
        nonlocal tried, failed
        tried, failed = tried + 1, failed + _tried(name, what, *arguments)

    for extra in extras:
        environment.install(extra)
        for command in commands_of(extra, games, environment.agents()):
            count(f"romans {' '.join(command.arguments)}", environment.run, command)
        if extra == "serve":
            count("romans serve", serve, environment, games)
        if extra == "mcp":
            for game in games:
                count(f"romans mcp --game {game}", converse, environment, game)
    return tried, failed


def main() -> None:
    """Run the commands; exit status 1 where one fails."""
    parser = argparse.ArgumentParser(description="Run every command of a wheel in an empty environment.")
    parser.add_argument("wheel", type=Path, help="Path of the wheel.")
    parser.add_argument("--python", default=sys.executable, help="Interpreter of the environment.")
    parser.add_argument("--game", action="append", choices=GAMES, help="Name of a game; may be repeated.")
    parser.add_argument("--extras", default=",".join(EXTRAS), help="Extras to install, one after the other.")
    parser.add_argument("--constraints", type=Path, help="File of versions for pip.")
    parser.add_argument("--folder", type=Path, help="New folder that is kept, with the environment in it.")
    options = parser.parse_args()
    extras = options.extras.split(",")
    unknown = set(extras) - set(EXTRAS)
    if unknown or extras[0] != "base":
        parser.error(f"--extras begins with base and takes {', '.join(EXTRAS)}")
    if options.folder is not None and options.folder.exists():
        parser.error(f"{options.folder} is there already; name a new folder")
    with tempfile.TemporaryDirectory() as temporary:
        folder = (options.folder or Path(temporary) / "smoke").resolve()
        environment = Environment(options.python, options.wheel, folder, options.constraints)
        tried, failed = smoke(environment, options.game or GAMES, extras)
    print(f"{tried - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
