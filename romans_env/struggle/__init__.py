"""Struggle for Rome: the board file and the rules."""

from romans_env.struggle.board import Board, load_board

__all__ = ["Board", "load_board"]
