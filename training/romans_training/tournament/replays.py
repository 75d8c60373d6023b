"""Games of a tournament to look at: a record of one game of every line-up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import cast

import numpy as np

import romans_agents
from romans_agents import Agent
from romans_agents.time_limit import DecisionTimeout, run_with_timeout
from romans_env import Game
from romans_env.games import rules_of
from romans_env.records import Record
from romans_training.deals import deal_seed
from romans_training.tournament.config import TournamentConfig
from romans_training.tournament.entries import entries_of
from romans_training.tournament.line_ups import line_ups_of

MOST_GAMES = 30


def recorded_games(config: TournamentConfig) -> Iterator[Record]:
    """The tournament's first deal, played by every line-up in its first seating, 30 of them at most.

    A tournament keeps results and no moves, so its games are played once more, with the same cards; agents with chance
    of their own may choose otherwise than they did. A game in which an agent is at fault stops there.
    """
    rules = rules_of(config.setup)
    line_ups = line_ups_of(entries_of(config.agents), rules.num_players, config.line_ups, config.seed)
    for line_up in line_ups[:MOST_GAMES]:
        seats = [line_up.slots[slot] for slot in line_up.seatings[0]]
        players = [romans_agents.make(entry.spec, game=rules.name) for entry in seats]
        seeds = np.random.SeedSequence([config.seed, *line_up.seed_words]).generate_state(len(players))
        for player, seed in zip(players, seeds.tolist(), strict=True):
            player.seed(seed)
        game = Game(rules, seed=deal_seed(config.seed, 0))
        game.agents = {name: player.name for name, player in zip(game.players, players, strict=True)}
        _play(game, players, config.move_time)
        yield game.record()


def _play(game: Game, players: Sequence[Agent], move_time: float | None) -> None:
    """Play to the end, or to the first fault: who is at fault loses, and has been named with the results."""
    while not game.is_over:
        view = game.view(cast(int, game.seat_to_act))
        try:
            game.act(run_with_timeout(move_time, partial(players[view.seat].act, view)))
        except (Exception, DecisionTimeout):  # whatever an agent of the user's may raise
            return
