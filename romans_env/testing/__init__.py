"""Tests for a game of your own: `check_game` reports each fault in one line.

In pytest: ``assert check_game(SPEC) == []``. On the command line: ``romans check-game my_game.py:SPEC``.
"""

from romans_env.testing.finding import Finding
from romans_env.testing.game_check import check_game

__all__ = ["Finding", "check_game"]
