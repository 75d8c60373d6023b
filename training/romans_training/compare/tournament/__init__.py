"""Tournaments: every deal with every seating, in parallel and resumable; ratings with intervals clustered by deal."""

from romans_training.compare.tournament.config import TournamentConfig
from romans_training.compare.tournament.entries import TournamentError
from romans_training.compare.tournament.result import TournamentResult
from romans_training.compare.tournament.run import tournament, tournament_steps

__all__ = ["TournamentConfig", "TournamentError", "TournamentResult", "tournament", "tournament_steps"]
