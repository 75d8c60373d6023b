"""Verification of a file of benchmark results.

Everything that follows from the games stated in the file is recomputed, and some games are replayed: blocks of deals
that the verifier draws at random, so that the author of the file cannot know which. No code that the file names runs
without permission.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import numpy as np

import romans_agents
from romans_agents.batches.adjudicator import FAULTS
from romans_agents.permission import FileNotAllowedError, Files
from romans_agents.specs.registry import LONGEST_SPEC, spelled
from romans_env.core.files import json_of, read_text
from romans_env.errors import in_one_line, shortened
from romans_training.compare.leaderboard import result as results
from romans_training.compare.leaderboard.protocols import BenchmarkError, BenchmarkProtocol, own_slot, protocols
from romans_training.compare.leaderboard.result import BenchmarkResult, Deals
from romans_training.compare.leaderboard.run import BenchmarkProgress
from romans_training.compare.tournament.entries import digest_of
from romans_training.compare.tournament.match import Chunk, make_agent
from romans_training.compare.tournament.result import FaultReport
from romans_training.compare.tournament.run import blocks_of, chunk_of, deals_and_size, played_chunks
from romans_training.schema import fits

FORGED = (0.01, 0.1)
"""Shares of forged games for which the probability of passing is reported."""
MISSED = 0.01
"""Enough blocks are drawn that a file with the first share of `FORGED` forged passes with at most this probability."""
MOST_MOVED = 0.1
"""Largest change of a win share by another machine's control variates, as a fraction of half the interval's width."""
_VERSION = re.compile(r"[0-9A-Za-z.+!-]{1,64}")
_FARTHEST_SHARE = (-2.0, 3.0)
"""Bounds of a deal's win share minus its control variates; on the leaderboard they are within [-0.9, 1.5]."""


class Verified(NamedTuple):
    """The findings for a file that is valid.

    Attributes:
        result: the result in the file.
        games: number of games that were replayed.
        missed: upper bound of the probability that a file would have passed, by the share of its games that are forged.
        milliseconds: the agent's mean time per decision on this machine; None if it is compiled.
        faults: number of replayed games that the agent lost by faults.
        moved: change of the rating, in points, with this machine's control variates in the replayed games; None without
            a rating or control variates.
        deals: number of deals per opponent that the protocol sets for such an agent; the file may have fewer.
    """

    result: BenchmarkResult
    games: int
    missed: dict[float, float]
    milliseconds: float | None
    faults: int
    moved: float | None
    deals: int


def verify_steps(
    path: str | Path,
    part: float | None = None,
    jobs: int = 1,
    files: Files = "policies",
    rng: np.random.Generator | None = None,
    deals_from: str | Path | None = None,
) -> Generator[BenchmarkProgress, None, Verified]:
    """Verify a file of results, yielding the progress.

    Args:
        path: the file.
        part: share of the blocks of games against each opponent to replay, above 0 and at most 1; None derives it from
            `MISSED`.
        jobs: the number of processes.
        files: what the agent's spec may load (`romans_agents.permission`); the file may come from a stranger.
        rng: draws the blocks; None for a generator seeded by the operating system, which is unpredictable.
        deals_from: the file with the seed of the held-out deals, for a result on these
            (`BenchmarkProtocol.with_deals_from`).

    Raises:
        BenchmarkError: if the file is not valid; the message says, in a line, what differs.
        TournamentError: if the agent cannot be made, or its process died.
    """
    result, protocol = checked(path)
    if result.held_out != (deals_from is not None):
        which = ("are published", "without") if deals_from else ("are held out", "with")
        raise BenchmarkError(f"{path}: its deals {which[0]}; check it {which[1]} --deals-from")
    if deals_from is not None:
        protocol = protocol.with_deals_from(deals_from)
    if digest_of(result.agent) != result.files:
        raise BenchmarkError(f"{path}: the files of {shortened(result.agent)} here differ from the ones that played")
    agent = _made(result, protocol, files, path)
    chunks = _chunks_of(result, protocol, path)
    drawn = _drawn(chunks, part, np.random.default_rng() if rng is None else rng)
    against = {line_up: opponent for opponent, line_up in protocol.line_ups(result.agent).items()}
    stated = {one.spec: one.deals for one in result.opponents}
    variates = {one.spec: one.deals.variates.copy() for one in result.opponents}
    games, total, faults, seconds, decisions = 0, sum(chunk.num_games for chunk in drawn), 0, 0.0, 0
    yield BenchmarkProgress(games, total, None)
    with closing(played_chunks(drawn, jobs, plays_apart=bool(result.files))) as steps:
        for chunk, played in steps:
            opponent = against[chunk.line_up]
            slot = own_slot(chunk.line_up, result.agent, opponent)
            here = results.deals_of(chunk.line_up, slot, played)
            wrong = _difference(stated[opponent], here, chunk.first)
            if wrong:
                raise BenchmarkError(f"{path}: {result.agent} did not play these games against {opponent}: {wrong}")
            variates[opponent][chunk.first : chunk.first + chunk.count] = here.variates
            faults += sum(fault.games for fault in played.faults if fault.slot == slot)
            seconds, decisions = seconds + played.seconds[slot], decisions + played.decisions[slot]
            games += chunk.num_games
            yield BenchmarkProgress(games, total, None)
    stated_faults = sum(fault.games for fault in result.faults)
    if faults > stated_faults or (games == result.games and faults != stated_faults):
        raise BenchmarkError(
            f"{path}: {result.agent} lost {faults} replayed games by faults, but the file states {stated_faults} in all"
        )
    moved = _moved(result, protocol, variates, games / result.games, path)
    milliseconds = 1000.0 * seconds / decisions if decisions and agent.compiled_code is None else None
    missed = {share: _missed(chunks, drawn, share) for share in FORGED}
    deals = protocol.config(result.agent, protocol.deals).deals
    return Verified(result, games, missed, milliseconds, faults, moved, deals)


def _moved(
    result: BenchmarkResult,
    protocol: BenchmarkProtocol,
    variates: dict[str, results.Integers],
    part: float,
    path: str | Path,
) -> float | None:
    """Return by how many points the rating changes with this machine's control variates in the replayed deals.

    Raises:
        BenchmarkError: if the variates together differ by more than between machines, although each one differs by no
            more than `results.ERROR`.
    """
    if not any(one.size for one in variates.values()):
        return None
    differences = sum((one.deals.variates - variates[one.spec]).sum(axis=0) for one in result.opponents)
    farthest, deals = int(np.abs(differences).max()), part * result.deals * len(result.opponents)
    if farthest > deals / 2 + 2 * math.sqrt(deals):
        raise BenchmarkError(
            f"{path}: a control variate differs from this machine's in one direction, by {farthest / deals:.1f} parts "
            "in 10,000 on average; rounding errors would cancel out"
        )
    own = [one.deals._replace(variates=variates[one.spec]) for one in result.opponents]
    share = results.share_of(results.values_of(own), protocol)
    assert result.share is not None
    # A change in the replayed part is extrapolated to all deals.
    moved = max(abs(now - stated) for now, stated in zip(share, result.share, strict=True)) / part
    if moved > MOST_MOVED * (share.high - share.low) / 2:
        raise BenchmarkError(
            f"{path}: the control variates of this machine change the win share of {result.agent}, or an end of its "
            f"interval, by {100 * moved:.2g} %, which is more than rounding errors could"
        )
    if result.rating is None:
        return None
    here, stated = results.rating_in(protocol, share).mean, result.rating.mean
    return None if here is None or stated is None else here - stated


def checked(path: str | Path) -> tuple[BenchmarkResult, BenchmarkProtocol]:
    """Return the result in a file and its protocol, after all checks but the replay; raises like `verify_steps`."""

    def differs(what: str) -> NoReturn:
        raise BenchmarkError(f"{path}: {what}")

    try:
        stated = json_of(read_text(path))
        if not isinstance(stated, dict) or stated.get("format") != results.FORMAT:
            raise ValueError(f"it does not have the format {results.FORMAT}")
        result, protocol = _computed(stated)
        values = np.concatenate(results.values_of([one.deals for one in result.opponents]))
    except (ValueError, TypeError, KeyError, OverflowError) as error:
        raise BenchmarkError(f"{path} is not a valid result: {in_one_line(error, 200)}") from None
    if not (_FARTHEST_SHARE[0] <= values.min() and values.max() <= _FARTHEST_SHARE[1]):
        differs("it states an impossible win share for a deal")
    now = result.as_json()
    if now.keys() != stated.keys():
        differs(f"its fields are not {', '.join(now)}")
    for key, value in now.items():
        if key != "digest" and not _agree(value, stated[key], 0.11 if key == "rating" else 1e-6):
            differs(f"its {key} {'do' if key.endswith('s') else 'does'} not follow from its games")
    if stated["digest"] != results.digest_of_result(stated):
        differs("its digest does not match: something was changed")
    return result, protocol


def _computed(stated: dict[str, Any]) -> tuple[BenchmarkResult, BenchmarkProtocol]:
    """Return the result that follows from the games in a file.

    Raises:
        ValueError, TypeError, KeyError: if the file is malformed.
    """
    name, deals, machine = stated["protocol"], stated["deals"], stated["machine"]
    if not (isinstance(machine, dict) and machine.keys() == {"processor", "milliseconds"}):
        raise ValueError("its machine does not have just processor and milliseconds")
    texts = {key: stated[key] for key in ("agent", "files", "version")}
    lines = [name, *texts.values(), machine["processor"]]
    if not all(isinstance(line, str) and line.isprintable() and len(line) <= LONGEST_SPEC for line in lines):
        raise ValueError("its protocol, agent, files, version and processor are not lines of text")
    if not _VERSION.fullmatch(texts["version"]):
        raise ValueError(f"its version is not a version of the package: {shortened(texts['version'])}")
    protocol = protocols().get(name)
    if protocol is None and "scale" in stated:
        raise ValueError("it has a scale of its own, measured on the machine where it played, which cannot be checked")
    if protocol is None:
        raise ValueError(f"there is no protocol {shortened(name)}; there are {', '.join(protocols())}")
    if deals == 0:
        raise ValueError("the agent was stopped because of its faults, and has no rating")
    if not fits(deals, range(2, protocol.deals + 1)):
        raise ValueError(f"{name} has 2 to {protocol.deals} deals, not {shortened(deals)}")
    if not (isinstance(machine["milliseconds"], float) and 0 < machine["milliseconds"] < math.inf):
        raise ValueError("its time per decision is not a number of milliseconds")
    opponents = [one["spec"] for one in stated["opponents"]]
    if opponents != list(protocol.opponents):
        wrong = next(
            (one for one, right in zip(opponents, protocol.opponents, strict=False) if one != right), "their number"
        )
        raise ValueError(f"its opponents are not the opponents of {name}: {shortened(wrong)}")
    if not fits(stated["faults"], [{"kind": FAULTS, "games": range(1, 2**63), "message": str}, ...]):
        raise ValueError("its faults are malformed")
    faults = [FaultReport(one["kind"], one["games"], one["message"]) for one in stated["faults"]]
    if stated.get("held_out", True) is not True:
        raise ValueError("held_out must be true or left out")
    protocol = replace(protocol, is_held_out="held_out" in stated)
    played = [results.deals_in(one, deals) for one in stated["opponents"]]
    return results.result_of(protocol, **texts, played=played, faults=faults, machine=machine), protocol


def _agree(value: Any, stated: Any, tolerance: float) -> bool:
    """Return whether a part of a result is as stated, up to the last digits, which depend on the machine."""
    if isinstance(value, dict) and isinstance(stated, dict):
        return value.keys() == stated.keys() and all(_agree(value[key], stated[key], tolerance) for key in value)
    if isinstance(value, list) and isinstance(stated, list):
        return len(value) == len(stated) and all(map(_agree, value, stated, itertools.repeat(tolerance)))
    if isinstance(value, float) and isinstance(stated, float):
        return abs(value - stated) <= tolerance
    return type(value) is type(stated) and bool(value == stated)


def _made(result: BenchmarkResult, protocol: BenchmarkProtocol, files: Files, path: str | Path) -> romans_agents.Agent:
    """Return the agent of a result, which may load ``files``."""
    try:
        agent = romans_agents.make(result.agent, files, protocol.game)
    except FileNotAllowedError as error:
        raise BenchmarkError(f"{path}: {error}. Give --allow-code if you trust it") from None
    except (romans_agents.UnknownAgentError, romans_agents.PolicyFileError) as error:
        raise BenchmarkError(f"{path}: {error}") from None
    # A file may have any name, but the spec of a registered agent has one canonical spelling.
    plain = result.agent if result.files else spelled(result.agent, protocol.game)
    if plain != result.agent:
        raise BenchmarkError(
            f"{path}: write the agent as {shortened(plain)}; another spelling has other deals, so that the luckiest "
            "could be chosen"
        )
    return agent


def _chunks_of(result: BenchmarkResult, protocol: BenchmarkProtocol, path: str | Path) -> list[Chunk]:
    """Return all blocks of deals of a result; its agent must be allowed to load its files."""
    config = protocol.config(result.agent, result.deals)
    if config.deals != result.deals:
        raise BenchmarkError(f"{path}: an agent that searches plays {config.deals} deals on {protocol.name}")
    players = {spec: make_agent(spec, protocol.game) for spec in config.agents}
    digests = {spec: digest_of(spec) for spec in players}
    chunks = []
    for line_up in protocol.line_ups(result.agent).values():
        num_deals, size = deals_and_size(config, [players[entry.spec] for entry in line_up.slots])
        chunks += [chunk_of(config, line_up, digests, block) for block in blocks_of(num_deals, size)]
    return chunks


def _difference(stated: Deals, here: Deals, first: int) -> str | None:
    """Return what differs between deals as stated and as replayed; None if they agree."""
    block = slice(first, first + len(here.won))
    won, variates = stated.won[block], stated.variates[block].astype(np.int64)
    if variates.shape != here.variates.shape:
        return "the control variates differ in number"
    wrong = (won != here.won) | (np.abs(variates - here.variates) > results.ERROR).any(axis=1)
    wrong |= np.array(stated.digests[block]) != np.array(here.digests)
    if not wrong.any():
        return None
    return f"deal {first + int(np.flatnonzero(wrong)[0]) + 1} has another result here"


def _drawn(chunks: Sequence[Chunk], part: float | None, rng: np.random.Generator) -> list[Chunk]:
    """Draw the blocks to replay: the same share of the blocks against each opponent."""
    if part is None:
        part = float(1 - MISSED ** (1 / _fewest(chunks, FORGED[0])))
    drawn = []
    for _, of_one in itertools.groupby(chunks, lambda chunk: chunk.line_up):
        blocks = list(of_one)
        chosen = rng.choice(len(blocks), math.ceil(round(part * len(blocks), 9)), replace=False)
        drawn += [blocks[k] for k in sorted(chosen)]
    return drawn


def _fewest(chunks: Sequence[Chunk], share: float) -> int:
    """Return the smallest number of blocks that hold a share of the games."""
    sizes = np.sort([chunk.num_games for chunk in chunks])[::-1]
    return int(np.searchsorted(sizes.cumsum(), share * sizes.sum())) + 1


def _missed(chunks: Sequence[Chunk], drawn: Sequence[Chunk], share: float) -> float:
    """Return an upper bound of the probability that no forged block is drawn, if as few blocks as possible are forged.

    If f of n blocks against an opponent are forged, none of them is among k drawn blocks with a probability of at most
    (1 - k / n)^f.
    """
    drawn_of, of_all = (Counter(chunk.line_up for chunk in some) for some in (drawn, chunks))
    part = min(drawn_of[line_up] / count for line_up, count in of_all.items())
    return float((1 - part) ** _fewest(chunks, share))
