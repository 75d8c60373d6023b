"""Exports of the games of a tournament: battles of two agents each for other tools, and records to look at."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import cast

import numpy as np

from romans_agents import Agent
from romans_agents.batches.time_limit import DecisionTimeout, run_with_timeout
from romans_env import Game
from romans_env.core.games import rules_of
from romans_env.core.records import Record
from romans_training.compare.tournament.comparison import by_slots, shares_of_seats
from romans_training.compare.tournament.config import TournamentConfig
from romans_training.compare.tournament.entries import TournamentError, entries_of
from romans_training.compare.tournament.line_ups import line_ups_of
from romans_training.compare.tournament.match import player_of
from romans_training.compare.tournament.run import line_up_steps, returned
from romans_training.measure.deals import deal_seed

MOST_GAMES = 30


def battles_of(config: TournamentConfig, folder: Path) -> str:
    """Return the pairwise results as CSV: a row for every game and every two agents in it if one of the two won.

    The columns are ``model_a``, ``model_b``, ``winner`` (``model_a``, ``model_b`` or ``tie``) and ``deal``; rows with
    the same deal form a cluster.

    Args:
        config: the settings of a tournament.
        folder: the folder of its complete results.

    Raises:
        TournamentError: if it is a solo game, which has no pairs of agents.
    """
    if config.setup.num_players == 1:
        raise TournamentError("a solo game is not a battle of two agents: leave out --battles")
    line_ups = line_ups_of(entries_of(config.agents), config.setup.num_players, config.line_ups, config.seed)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("model_a", "model_b", "winner", "deal"))
    for line_up, played in returned(line_up_steps(config, line_ups, folder)).results:
        won = by_slots(line_up, shares_of_seats(played, config.setup.num_seats)[:, :, : len(line_up.slots)])
        for deal, games in enumerate(won):
            for shares in games:
                for a, b in combinations(range(len(line_up.slots)), 2):
                    if shares[a] or shares[b]:
                        winner = "tie" if shares[a] == shares[b] else "model_a" if shares[a] else "model_b"
                        writer.writerow((line_up.slots[a].label, line_up.slots[b].label, winner, deal))
    return text.getvalue()


def recorded_games(config: TournamentConfig) -> Iterator[Record]:
    """Yield a record of the tournament's first deal for each line-up in its first seating, at most 30.

    A tournament stores results but no moves, so these games are played again with the same deal; agents that choose at
    random may choose differently. A game in which an agent commits a fault stops there.
    """
    rules = rules_of(config.setup)
    line_ups = line_ups_of(entries_of(config.agents), rules.num_players, config.line_ups, config.seed)
    for line_up in line_ups[:MOST_GAMES]:
        seats = [line_up.slots[slot] for slot in line_up.seatings[0]]
        players = [player_of(entry.spec, config) for entry in seats]
        seeds = np.random.SeedSequence([config.seed, *line_up.seed_words]).generate_state(len(players))
        for player, seed in zip(players, seeds.tolist(), strict=True):
            player.seed(seed)
        game = Game(rules, seed=deal_seed(config.seed, 0))
        game.agents = {name: player.name for name, player in zip(game.players, players, strict=True)}
        _play(game, players, config.move_time)
        yield game.record()


def _play(game: Game, players: Sequence[Agent], move_time: float | None) -> None:
    """Play to the end or to the first fault; faults are reported with the results."""
    while not game.is_over:
        view = game.view(cast(int, game.seat_to_act))
        try:
            game.act(run_with_timeout(move_time, partial(players[view.seat].act, view)))
        except (Exception, DecisionTimeout):  # a user's agent may raise anything
            return
