"""Whether a file of results is what it says.

What follows from the games that a file states is computed anew, and games are played once more: blocks of deals that
the verifier draws, so that whoever wrote the file cannot know which. Nothing that a file names runs before it is
allowed to.
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
"""Shares of forged games for which the probability that they pass is said."""
MISSED = 0.01
"""So many blocks are drawn that a file with the first of these shares forged passes with this probability at most."""
MOST_MOVED = 0.1
"""Control variates of another machine move a share of wins by this part of half its interval at most."""
_VERSION = re.compile(r"[0-9A-Za-z.+!-]{1,64}")
_FARTHEST_SHARE = (-2.0, 3.0)
"""Bounds of the share of wins of a deal less its control variates; those of the leaderboard are in [-0.9, 1.5]."""


class Verified(NamedTuple):
    """What was found of a true file.

    Attributes:
        result: as the file has it.
        games: that were played once more.
        missed: the probability, at most, that a file with these shares of its games forged would have passed.
        milliseconds: the agent's mean time of a decision here; None of one that plays compiled.
        faults: games of those played once more that the agent lost by faults.
        moved: points by which the rating is higher with the control variates of this machine in the games that were
            played once more; None without a rating or control variates.
        deals: that such an agent plays against an opponent by the protocol; whoever measured it may have played fewer.
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
    """Check a file of results; gives the progress.

    Args:
        path: of the file.
        part: of the blocks of games against each opponent that are played once more, above 0 and at most 1; None: as
            `MISSED` says.
        jobs: number of processes.
        files: what the agent's spec may load (`romans_agents.permission`); a file may be a stranger's.
        rng: draws the blocks; None: from the operating system's entropy, which nobody knows beforehand.
        deals_from: file of the seed of held-out deals (`BenchmarkProtocol.with_deals_from`), for a result on these.

    Raises:
        BenchmarkError: saying in a line what differs.
        TournamentError: the agent cannot be made, or its process died.
    """
    result, protocol = checked(path)
    if result.held_out != (deals_from is not None):
        which = ("were published", "without") if deals_from else ("are held out", "with")
        raise BenchmarkError(f"{path}: its deals {which[0]}; it is checked {which[1]} --deals-from")
    if deals_from is not None:
        protocol = protocol.with_deals_from(deals_from)
    if digest_of(result.agent) != result.files:
        raise BenchmarkError(f"{path}: the files of {shortened(result.agent)} here are not those that played")
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
                raise BenchmarkError(f"{path}: the games against {opponent} are not those of {result.agent}: {wrong}")
            variates[opponent][chunk.first : chunk.first + chunk.count] = here.variates
            faults += sum(fault.games for fault in played.faults if fault.slot == slot)
            seconds, decisions = seconds + played.seconds[slot], decisions + played.decisions[slot]
            games += chunk.num_games
            yield BenchmarkProgress(games, total, None)
    stated_faults = sum(fault.games for fault in result.faults)
    if faults > stated_faults or (games == result.games and faults != stated_faults):
        raise BenchmarkError(
            f"{path}: {result.agent} lost {faults} of these games by faults; the file states {stated_faults} in all"
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
    """Return how many points higher a result is rated with other control variates, which a part of its deals has.

    Raises:
        BenchmarkError: they differ by more than machines do, where each differs by no more than `results.ERROR`.
    """
    if not any(one.size for one in variates.values()):
        return None
    differences = sum((one.deals.variates - variates[one.spec]).sum(axis=0) for one in result.opponents)
    farthest, deals = int(np.abs(differences).max()), part * result.deals * len(result.opponents)
    if farthest > deals / 2 + 2 * math.sqrt(deals):
        raise BenchmarkError(
            f"{path}: a control variate differs from that of this machine in one direction, by {farthest / deals:.1f} "
            "parts of 10,000 in the mean; errors of chance cancel each other"
        )
    own = [one.deals._replace(variates=variates[one.spec]) for one in result.opponents]
    share = results.share_of(results.values_of(own), protocol)
    assert result.share is not None
    # What moves it here would do so in all deals.
    moved = max(abs(now - stated) for now, stated in zip(share, result.share, strict=True)) / part
    if moved > MOST_MOVED * (share.high - share.low) / 2:
        raise BenchmarkError(
            f"{path}: the control variates of this machine move the share of wins of {result.agent}, or an end of its "
            f"interval, by {100 * moved:.2g} %, further than errors of chance would"
        )
    if result.rating is None:
        return None
    here, stated = results.rating_in(protocol, share).mean, result.rating.mean
    return None if here is None or stated is None else here - stated


def checked(path: str | Path) -> tuple[BenchmarkResult, BenchmarkProtocol]:
    """Return the result in a file, and its protocol, after all checks but the replay; errors as `verify_steps`."""

    def differs(what: str) -> NoReturn:
        raise BenchmarkError(f"{path}: {what}")

    try:
        stated = json_of(read_text(path))
        if not isinstance(stated, dict) or stated.get("format") != results.FORMAT:
            raise ValueError(f"it is no result of the format {results.FORMAT}")
        result, protocol = _computed(stated)
        values = np.concatenate(results.values_of([one.deals for one in result.opponents]))
    except (ValueError, TypeError, KeyError, OverflowError) as error:
        raise BenchmarkError(f"{path} is no result: {in_one_line(error, 200)}") from None
    if not (_FARTHEST_SHARE[0] <= values.min() and values.max() <= _FARTHEST_SHARE[1]):
        differs("no games come to the shares of wins that it states of a deal")
    now = result.as_json()
    if now.keys() != stated.keys():
        differs(f"its fields are not {', '.join(now)}")
    for key, value in now.items():
        if key != "digest" and not _agree(value, stated[key], 0.11 if key == "rating" else 1e-6):
            differs(f"its {key} {'do' if key.endswith('s') else 'does'} not follow from its games")
    if stated["digest"] != results.digest_of_result(stated):
        differs("its digest is of another result: something was changed")
    return result, protocol


def _computed(stated: dict[str, Any]) -> tuple[BenchmarkResult, BenchmarkProtocol]:
    """Return the result that follows from the games in a file; ValueError, TypeError or KeyError where it has none."""
    name, deals, machine = stated["protocol"], stated["deals"], stated["machine"]
    if not (isinstance(machine, dict) and machine.keys() == {"processor", "milliseconds"}):
        raise ValueError("its machine is not a processor and milliseconds")
    texts = {key: stated[key] for key in ("agent", "files", "version")}
    lines = [name, *texts.values(), machine["processor"]]
    if not all(isinstance(line, str) and line.isprintable() and len(line) <= LONGEST_SPEC for line in lines):
        raise ValueError("its protocol, agent, files, version and processor are not lines of text")
    if not _VERSION.fullmatch(texts["version"]):
        raise ValueError(f"it has no version of the package, but {shortened(texts['version'])}")
    protocol = protocols().get(name)
    if protocol is None and "scale" in stated:
        raise ValueError("its scale is its own, of games that were played where it was measured: nothing else says it")
    if protocol is None:
        raise ValueError(f"there is no protocol {shortened(name)}; there are {', '.join(protocols())}")
    if deals == 0:
        raise ValueError("the agent was stopped because of its faults, and has no rating")
    if not fits(deals, range(2, protocol.deals + 1)):
        raise ValueError(f"{name} has 2 to {protocol.deals} deals, not {shortened(deals)}")
    if not (isinstance(machine["milliseconds"], float) and 0 < machine["milliseconds"] < math.inf):
        raise ValueError("its time of a decision is no number of milliseconds")
    opponents = [one["spec"] for one in stated["opponents"]]
    if opponents != list(protocol.opponents):
        wrong = next(
            (one for one, right in zip(opponents, protocol.opponents, strict=False) if one != right), "their number"
        )
        raise ValueError(f"its opponents are not those of {name}: {shortened(wrong)}")
    if not fits(stated["faults"], [{"kind": FAULTS, "games": range(1, 2**63), "message": str}, ...]):
        raise ValueError("its faults are not games lost by faults")
    faults = [FaultReport(one["kind"], one["games"], one["message"]) for one in stated["faults"]]
    if stated.get("held_out", True) is not True:
        raise ValueError("held_out is true, or left out")
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
    # A file may have any name; an agent of the package has one.
    plain = result.agent if result.files else spelled(result.agent, protocol.game)
    if plain != result.agent:
        raise BenchmarkError(
            f"{path}: write the agent as {shortened(plain)}; another spelling plays other deals, of which the "
            "luckiest could be chosen"
        )
    return agent


def _chunks_of(result: BenchmarkResult, protocol: BenchmarkProtocol, path: str | Path) -> list[Chunk]:
    """Return all blocks of deals of a result; its agent may be made."""
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
    """Return what differs between deals as stated and as played here; None where nothing does."""
    block = slice(first, first + len(here.won))
    won, variates = stated.won[block], stated.variates[block].astype(np.int64)
    if variates.shape != here.variates.shape:
        return "their control variates are others"
    wrong = (won != here.won) | (np.abs(variates - here.variates) > results.ERROR).any(axis=1)
    wrong |= np.array(stated.digests[block]) != np.array(here.digests)
    if not wrong.any():
        return None
    return f"deal {first + int(np.flatnonzero(wrong)[0]) + 1} ends otherwise here"


def _drawn(chunks: Sequence[Chunk], part: float | None, rng: np.random.Generator) -> list[Chunk]:
    """Return the blocks that are played once more: the same part of those against each opponent, drawn by chance."""
    if part is None:
        part = float(1 - MISSED ** (1 / _fewest(chunks, FORGED[0])))
    drawn = []
    for _, of_one in itertools.groupby(chunks, lambda chunk: chunk.line_up):
        blocks = list(of_one)
        chosen = rng.choice(len(blocks), math.ceil(round(part * len(blocks), 9)), replace=False)
        drawn += [blocks[k] for k in sorted(chosen)]
    return drawn


def _fewest(chunks: Sequence[Chunk], share: float) -> int:
    """Return the fewest blocks that hold a share of the games."""
    sizes = np.sort([chunk.num_games for chunk in chunks])[::-1]
    return int(np.searchsorted(sizes.cumsum(), share * sizes.sum())) + 1


def _missed(chunks: Sequence[Chunk], drawn: Sequence[Chunk], share: float) -> float:
    """Return the probability, at most, that no forged block is drawn, where they are as few as can be.

    Of f forged blocks among n against an opponent, none is among the k that are drawn with a probability of at most
    (1 - k / n)^f.
    """
    drawn_of, of_all = (Counter(chunk.line_up for chunk in some) for some in (drawn, chunks))
    part = min(drawn_of[line_up] / count for line_up, count in of_all.items())
    return float((1 - part) ** _fewest(chunks, share))
