"""A rating scale for a game without a protocol: reference opponents are measured by their games against each other.

Every opponent plays alone against copies of every other one, from every seat; against copies of itself it wins its fair
share. The model of `romans_training.compare.leaderboard.rating` is fitted to the win shares by maximum likelihood. Each
opponent has two strengths: one for when it plays alone, one for its copies, because three weak players who hinder each
other are not three times as strong as one. The scale is shifted and stretched such that ``random`` has 0 and the
reference 1000.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from scipy.special import expit

from romans_env import Game
from romans_env.core.games import rules_of, spec_of
from romans_env.core.protocol import Rules, Setup
from romans_env.errors import CannotSampleError
from romans_training.compare.leaderboard.protocols import BenchmarkError, BenchmarkProtocol, line_up_of, own_slot
from romans_training.compare.tournament.config import TournamentConfig
from romans_training.compare.tournament.result import shares_in_deals
from romans_training.compare.tournament.run import TournamentProgress, line_up_steps
from romans_training.measure.variance_reduction import NONE

SEED = 20_261_126
"""Seed of the opponents' own games; benchmarks have another one."""
PRIOR = 0.5
"""Number of fictitious deals won, and of deals lost, in each pairing; they keep strengths finite."""
PANEL = ("random", "flat-mc:iterations=100", "mo-ismcts:iterations=30", "mo-ismcts:iterations=100")
"""Opponents that can play every game; their searches are small, because rules written in Python are slow."""
PANEL_DEALS, DEALS, QUICK_DEALS = 40, 40, 10
"""Number of deals of the opponents against each other, and of an agent against each, usually and with ``--quick``."""
_LEAST_UNIT = 2e-4
"""In natural logarithms; a reference that wins less than 55 % against ``random`` is too weak for a scale."""
Floats = npt.NDArray[np.float64]


class Scale(NamedTuple):
    """A scale of ratings.

    Attributes:
        unit: one point of the scale, in natural logarithms of strength.
        opponents: the ratings of the opponents by agent spec, from weak to strong.
        copies: the strength of each as an opponent, when its copies have all seats but one.
    """

    unit: float
    opponents: dict[str, float]
    copies: dict[str, float]


def shares_steps(
    specs: Sequence[str], setup: Setup, deals: int, folder: Path, jobs: int
) -> Generator[TournamentProgress, None, Floats]:
    """Play opponents against each other, yielding the progress.

    Returns:
        The win share of every opponent (row) against copies of every one (column): float64, shape
        ``(opponents, opponents)``.
    """
    config = TournamentConfig(tuple(specs), setup, deals, deals, SEED)
    # With two players, the games of a against b are also the games of b against a.
    pairs = [(a, b) for a, b in permutations(range(len(specs)), 2) if setup.num_players > 2 or a < b]
    line_ups = {(a, b): line_up_of(specs[a], specs[b], setup.num_players) for a, b in pairs}
    played = dict((yield from line_up_steps(config, list(line_ups.values()), folder, jobs)).results)
    shares = np.full((len(specs), len(specs)), 1.0 / setup.num_players)
    for (a, b), line_up in line_ups.items():
        slot = own_slot(line_up, specs[a], specs[b])
        shares[a, b] = shares_in_deals([slot], line_up, played[line_up]).mean()
        if setup.num_players == 2:
            shares[b, a] = 1.0 - shares[a, b]
    return shares


def fitted(shares: Floats, num_players: int, deals: int) -> tuple[Floats, Floats]:
    """Fit the log strengths of the opponents alone, and of their copies.

    Args:
        shares: win shares as from `shares_steps`: float64, shape ``(opponents, opponents)``.
        num_players: the number of players in a game.
        deals: the number of deals of each pairing.

    Returns:
        Log strengths alone and of copies, each float64, shape ``(opponents,)``.
    """
    size = len(shares)
    won = (shares * deals + PRIOR) / (deals + 2 * PRIOR)

    def loss(strengths: Floats) -> tuple[float, Floats]:
        odds = strengths[:size, None] - strengths[None, size:] - np.log(num_players - 1)
        error = expit(odds) - won
        # A small penalty fixes the constant, because only differences matter to the likelihood.
        value = float((np.logaddexp(0.0, odds) - won * odds).sum()) + 1e-6 * float(strengths @ strengths)
        return value, np.concatenate([error.sum(axis=1), -error.sum(axis=0)]) + 2e-6 * strengths

    found = minimize(loss, np.zeros(2 * size), jac=True, method="BFGS", options={"gtol": 1e-9}).x
    return found[:size], found[size:]


def scale_of(specs: Sequence[str], strengths: tuple[Floats, Floats], reference: str) -> Scale:
    """Return the scale on which ``random`` has 0 and the reference 1000.

    Args:
        specs: the agent specs of the opponents.
        strengths: the log strengths from `fitted`: two arrays, float64, shape ``(opponents,)``.
        reference: the spec of the reference.
    """
    alone, copies = strengths
    zero = alone[specs.index("random")]
    unit = (alone[specs.index(reference)] - zero) / 1000
    order: list[int] = np.argsort(alone, kind="stable").tolist()
    opponents, as_copies = (
        {specs[k]: round(float((one[k] - zero) / unit), 1) for k in order} for one in (alone, copies)
    )
    return Scale(float(unit), opponents, as_copies)


def panel_steps(game: str, folder: Path, jobs: int) -> Generator[TournamentProgress, None, BenchmarkProtocol]:
    """Measure the opponents that can play every game, yielding the progress.

    Args:
        game: the name of the game, which is played with its default setup.
        folder: the folder of the opponents' games, which are played once.
        jobs: the number of processes.

    Returns:
        A protocol with a scale of its own.

    Raises:
        BenchmarkError: if the game has one player, no search can play it, or no search wins more than ``random``.
        TournamentError: like `romans_training.compare.tournament.run.tournament_steps`.
    """
    setup = spec_of(game).make_setup()
    if setup.num_players < 2:
        raise BenchmarkError(f"{game} has one player, so there are no opponents to be measured against")
    _check_can_be_sampled(rules_of(setup))
    shares = yield from shares_steps(PANEL, setup, PANEL_DEALS, folder, jobs)
    strengths = fitted(shares, setup.num_players, PANEL_DEALS)
    alone = strengths[0]
    if alone.max() - alone[PANEL.index("random")] < 1000 * _LEAST_UNIT:
        raise BenchmarkError(f"no search wins more than random in {game}, so there is no scale")
    reference = PANEL[int(np.argmax(alone))]
    scale = scale_of(PANEL, strengths, reference)
    settings: dict[str, Any] = setup.as_json()
    return BenchmarkProtocol(
        name=f"{game}/own",
        track="own",
        hard="",
        to_beat={},
        game=game,
        settings=settings,
        seed=SEED + 1,
        held_out="",
        deals=DEALS,
        quick_deals=QUICK_DEALS,
        search_deals=DEALS,
        variance_reduction=NONE,
        reference=reference,
        unit=scale.unit,
        opponents=scale.opponents,
        copies=scale.copies,
        is_own=True,
    )


def _check_can_be_sampled(rules: Rules) -> None:
    """Raise BenchmarkError for a game that cannot sample determinizations, which searches need."""
    try:
        Game(rules, seed=0).view(0).sample_game(np.random.default_rng(0))
    except CannotSampleError as error:
        raise BenchmarkError(f"no search plays this game, so there is no scale: {error}") from None
