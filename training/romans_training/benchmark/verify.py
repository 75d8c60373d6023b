"""Whether a file of results is what it says."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, NoReturn

from romans_env.errors import in_one_line, shortened
from romans_env.files import json_of
from romans_training.benchmark.protocols import BenchmarkError, Protocol, protocols
from romans_training.benchmark.result import BLOCK, FORMAT, digest_of_result, rating_in, share_of, unpacked
from romans_training.benchmark.run import benchmark_steps
from romans_training.tournament.run import returned

_NAMES = {
    *("format", "protocol", "agent", "files", "version", "deals", "rating", "share", "opponents", "faults", "games"),
    *("digest", "machine"),
}


def verify(path: str | Path, deals: int = BLOCK, jobs: int = 1) -> int:
    """Check a file of results: its shares follow from its games, its rating from its shares, and games from a replay.

    Args:
        path: of the file.
        deals: the first ones of the protocol, which are played once more against every opponent, in blocks of 50.
        jobs: number of processes.

    Returns:
        The number of games that were played once more.

    Raises:
        BenchmarkError: saying in a line what differs.
    """
    result, protocol = checked(path)
    games = _replay(result, protocol, min(deals, result["deals"]), jobs, path)
    if digest_of_result(result) != result["digest"]:
        raise BenchmarkError(
            f"{path}: something that was not played once more was changed: its digest is of another result"
        )
    return games


def checked(path: str | Path) -> tuple[dict[str, Any], Protocol]:
    """The result in a file, and its protocol, after all checks but the replay and the digest; errors as `verify`."""
    result = _read(path)

    def differs(what: str) -> NoReturn:
        raise BenchmarkError(f"{path}: {what}")

    protocol = protocols().get(str(result["protocol"]))
    if protocol is None:
        differs(f"there is no protocol {shortened(result['protocol'])}; there are {', '.join(protocols())}")
    if result["deals"] == 0:
        differs("the agent was stopped because of its faults, and has no rating")
    there = [one["spec"] for one in result["opponents"]]
    if there != list(protocol.panel):
        wrong = next((one for one, right in zip(there, protocol.panel, strict=False) if one != right), "their number")
        differs(f"its opponents are not those of {protocol.name}: {wrong}")
    values = []
    for one in result["opponents"]:
        values.append(unpacked(one["values"]))
        if len(values[-1]) != result["deals"]:
            differs(f"the games against {one['spec']} are not of {result['deals']} deals")
        if share_of(values[-1:], protocol)._asdict() != one["share"]:
            differs(f"the share against {one['spec']} is not that of its games")
    share = share_of(values, protocol)
    if share._asdict() != result["share"]:
        differs("its share of wins is not that of its games")
    if result["rating"] is not None and rating_in(protocol, share)._asdict() != result["rating"]:
        differs("its rating is not that of its shares")
    return result, protocol


def _read(path: str | Path) -> dict[str, Any]:
    """A file as far as its form is right."""
    try:
        result = json_of(Path(path).read_text(encoding="utf-8"))
        if not isinstance(result, dict) or result.get("format") != FORMAT or result.keys() != _NAMES:
            raise ValueError(f"it is no result of the format {FORMAT}")
        for one in result["opponents"]:
            unpacked(one["values"]), one["spec"], one["share"], list(one["digests"])
        int(result["deals"])
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise BenchmarkError(f"{path} cannot be read: {in_one_line(error, 200)}") from None
    return result


def _replay(result: dict[str, Any], protocol: Protocol, deals: int, jobs: int, path: str | Path) -> int:
    """Play the first deals once more."""
    agent = str(result["agent"])
    with tempfile.TemporaryDirectory() as folder:
        again = returned(benchmark_steps(agent, protocol, folder, deals, jobs))
    if again.files != result["files"]:
        raise BenchmarkError(f"{path}: {agent} is another file than the one that played")
    if again.deals == 0:
        raise BenchmarkError(f"{path}: {agent} loses its games by faults here")
    for one, stated in zip(again.opponents, result["opponents"], strict=True):
        # The last block of a replay may have fewer deals.
        whole = deals // BLOCK if deals < result["deals"] else len(one.digests)
        if list(one.digests[:whole]) != stated["digests"][:whole]:
            raise BenchmarkError(f"{path}: the games against {one.spec} are not those of {agent}")
    return again.games
