"""The games of a tournament as battles of two agents each, for tools that rate by those."""

from __future__ import annotations

import csv
import io
from itertools import combinations
from pathlib import Path

from romans_training.tournament.comparison import by_slots, shares_of_seats
from romans_training.tournament.config import TournamentConfig
from romans_training.tournament.entries import TournamentError, entries_of
from romans_training.tournament.line_ups import line_ups_of
from romans_training.tournament.run import line_up_steps, returned


def battles_of(config: TournamentConfig, folder: Path) -> str:
    """A row for every game and every two agents of it, where one of the two won, as CSV.

    The columns are ``model_a``, ``model_b``, ``winner`` (``model_a``, ``model_b`` or ``tie``) and ``deal``, whose rows
    are one cluster.

    Args:
        config: of a tournament.
        folder: of its results, which are whole.

    Raises:
        TournamentError: a solo game, which has no two agents.
    """
    if config.setup.num_players == 1:
        raise TournamentError("a solo game is no battle of two agents: leave out --battles")
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
