"""Writes the list of compiled functions that each agent needs, for "9 of 14 parts ready" during compilation.

    python docs/scripts/make_needed_functions.py    # writes agents/romans_agents/needed_functions.json

For each game the file has the functions of the rules, under an empty name, and the additional functions of each agent.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from romans_agents.warm_up import usual_agents
from romans_env.core.games import DEFAULT_GAME, names, spec_of

TARGET = Path(__file__).resolve().parents[2] / "agents" / "romans_agents" / "needed_functions.json"
_PROGRAM = """
import json, sys
from romans_agents.warm_up import warm_up
from romans_env.compiling.progress import progress
from romans_env.core.games import spec_of
warm_up(spec_of(sys.argv[1]).make_setup(), sys.argv[2:])
print(json.dumps(sorted(progress.ready())))
"""


def ready_after(game: str, *agents: str) -> list[str]:
    """Return the names of the functions that a warm-up compiles or loads, in a process of its own."""
    command = [sys.executable, "-c", _PROGRAM, game, *agents]
    found: list[str] = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
    return found


def agents_of(game: str) -> list[str]:
    """Return the agents of a game; those that a server uses by default come first."""
    spec, agents = spec_of(game), usual_agents(game)
    first = [one.partition(":")[0] for one in (spec.default_opponent, spec.reviewer)]
    return sorted(agents, key=lambda one: one not in first)


def main() -> None:
    """Write the file, and update it after every agent."""
    found: dict[str, dict[str, list[str]]] = {}
    games = sorted(names(), key=lambda game: game != DEFAULT_GAME)
    for game in games:
        found[game] = {"": ready_after(game)}
    for rank in range(max(len(usual_agents(game)) for game in games)):
        for game in games:
            for agent in agents_of(game)[rank : rank + 1]:
                found[game][agent] = sorted({*ready_after(game, agent)} - {*found[game][""]})
        TARGET.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
