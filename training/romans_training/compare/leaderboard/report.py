"""The result of a benchmark as a number, a table and sentences."""

from __future__ import annotations

import math

from romans_training.compare.leaderboard.exploitability import exact_exploitability
from romans_training.compare.leaderboard.protocols import BenchmarkProtocol
from romans_training.compare.leaderboard.rating import Rating, in_points
from romans_training.compare.leaderboard.result import DIED, MOST_FAULTS, BenchmarkResult
from romans_training.compare.leaderboard.verify import Verified
from romans_training.compare.tournament.match import make_agent
from romans_training.measure.variance_reduction import NONE
from romans_training.reporting import in_milliseconds, in_percent, print_table, say

_FAULTS = {
    "error": "errors",
    "illegal": "illegal actions",
    "time": "decisions that took too long",
    DIED: "the end of their process",
}


def print_verified(verified: Verified) -> None:
    """Print what was verified in a file of results, and what was not."""
    result, games = verified.result, verified.games
    rating = "no rating" if result.rating is None else f"rating {in_points(result.rating)}"
    held_out = " of deals that are held out" if result.held_out else ""
    say(f"{result.agent} on {result.protocol}: {rating}, which follows from its {result.games:,} games{held_out}.")
    if games == result.games:
        say("All of them were replayed, with the same results.")
    else:
        odds = ", ".join(f"{100 * share:g} %: {100 * missed:.2g}" for share, missed in verified.missed.items())
        say(
            f"{games:,} of them, drawn at random, were replayed, with the same results. Probability in % (at most) "
            f"that a forged file would have passed, by the share of its games that are forged: {odds}."
        )
    if result.deals != verified.deals:
        say(
            f"It played {result.deals} of the {verified.deals} deals of the protocol: the number may have been chosen "
            "to include the luckiest ones."
        )
    if verified.faults or result.faults:
        stated_faults = sum(fault.games for fault in result.faults)
        say(f"It lost {verified.faults:,} of the replayed games by faults; the file states {stated_faults:,} in all.")
    if verified.moved is not None:
        say(f"With this machine's control variates in these games the rating changes by {verified.moved:+.1f} points.")
    here = "" if verified.milliseconds is None else f"; {in_milliseconds(verified.milliseconds)} ms here"
    stated = in_milliseconds(result.machine["milliseconds"])
    say(
        f"Not checked: its time per decision ({stated} ms{here}), its version ({result.version}), and whether the "
        "agent has memorised these deals: read its code."
    )


def how_to_send_in(result: BenchmarkResult, protocol: BenchmarkProtocol) -> str:
    """Return whether a result counts on the leaderboard, and how to submit its file."""
    if protocol.is_own:
        return "the scale is this game's own, so there is no leaderboard for it"
    if result.rating is None:
        return "it has no rating, so it does not count on the leaderboard"
    if result.deals < protocol.search_deals or (result.deals < protocol.deals and not _searches(result, protocol)):
        return (
            f"it has {result.deals} of {protocol.deals} deals; to count on the leaderboard, play all: without --quick"
        )
    return "to submit it, open a pull request that adds it to benchmarks/results (docs/measuring/leaderboard.md)"


def _searches(result: BenchmarkResult, protocol: BenchmarkProtocol) -> bool:
    return make_agent(result.agent, protocol.game).searches


def print_exploitability(agent: str, protocol: BenchmarkProtocol) -> None:
    """Print the exact exploitability of an agent, or how to install OpenSpiel, which computes it."""
    try:
        found = exact_exploitability(agent, protocol.setup)
    except ModuleNotFoundError as error:
        say(f"Exact exploitability: not computed. {error}")
        return
    say(
        f"Exact exploitability {found:.5f}: return of a best response, from 0 (an equilibrium) to 1 (it always wins). "
        f"To beat: {protocol.to_beat['least_exploitable']} ({protocol.to_beat['exploitability']})."
    )


def _among(rating: Rating, opponents: dict[str, float]) -> str:
    """Describe where a rating is among the opponents' ratings.

    Example: ``between hoarder (325) and legionary (614)``, or ``above greedy (1,000)`` if no opponent is stronger.

    Args:
        rating: the rating; its mean is None for an agent that always or never wins.
        opponents: the ratings of the opponents by agent spec, from weak to strong.
    """
    # The interval of an agent that always wins has a lower end only, and of one that never wins an upper end only.
    without_mean = math.inf if rating.low is not None else -math.inf
    mean = without_mean if rating.mean is None else rating.mean
    below = [f"{spec} ({strength:,.0f})" for spec, strength in opponents.items() if strength <= mean]
    above = [f"{spec} ({strength:,.0f})" for spec, strength in opponents.items() if strength > mean]
    if below and above:
        return f"between {below[-1]} and {above[0]}"
    return f"above {below[-1]}" if below else f"below {above[0]}"


def print_result(result: BenchmarkResult, protocol: BenchmarkProtocol) -> None:
    """Print the rating, the table by opponent, the worst opponent, faults, time, and what the rating does not say."""
    of_all = "" if result.deals == protocol.deals else f", {result.deals:,} of {protocol.deals:,} deals"
    of_all += ", held out" if result.held_out else ""
    say(f"{result.agent} on {protocol.name}: {result.games:,} games{of_all}")
    if result.rating is not None:
        scale = f"random has 0 and {protocol.reference} 1,000"
        say(f"rating {in_points(result.rating)} (95 % interval; {scale})")
        say(f"That is {_among(result.rating, protocol.opponents)}.")
        if protocol.is_own:
            say("The scale is this game's own, from games that these opponents played here; compare it with no other.")
        else:
            best = f"{protocol.to_beat['agent']} ({protocol.to_beat['rating']:,})"
            say(f"To beat on the track {protocol.track}: {best}.")
    else:
        why = "its process died" if any(fault.kind == DIED for fault in result.faults) else ""
        say(f"No rating: {why or f'the agent lost more than {100 * MOST_FAULTS:g} % of its games by faults'}.")
    if result.opponents:
        rows = [
            [one.spec, f"{protocol.opponents[one.spec]:,.0f}", in_percent(one.share), f"{one.games:,}"]
            for one in result.opponents
        ]
        print_table(("against",), ("its rating", "share %", "games"), rows, ("games", "its rating"))
        worst = min(result.opponents, key=lambda one: one.share.mean)
        say(f"Its worst opponent is {worst.spec}: it wins {in_percent(worst.share)} %.")
    for fault in result.faults:
        say(f"Games lost by {_FAULTS[fault.kind]}: {fault.games:,}; the first: {fault.message}")
    time = result.machine["milliseconds"]
    if time is not None:
        no_errors = "" if result.faults else "No errors; "
        say(f"{no_errors}{in_milliseconds(time)} ms per decision ({result.machine['processor']}).")
    reduced = "" if protocol.variance_reduction == NONE else " Shares are AIVAT's, and may lie beyond 0 and 100 %."
    say(
        "The rating measures strength against these opponents. It does not say how much an opponent who studies the "
        f"agent could exploit it (romans exploit), nor how it plays with other setups.{reduced}"
    )
