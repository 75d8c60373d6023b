"""Tournaments: every deal with every seating, in parallel, resumable; ratings and intervals clustered by deal."""

from training.tournament.entries import TournamentError
from training.tournament.result import TournamentResult
from training.tournament.run import TournamentConfig, tournament, tournament_steps

__all__ = ["TournamentConfig", "TournamentError", "TournamentResult", "tournament", "tournament_steps"]
