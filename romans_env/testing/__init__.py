"""Tests for a game of one's own: `check_game` says in a line each what is wrong with it.

In pytest: ``assert check_game(SPEC) == []``. The command is ``romans check-game my_game.py:SPEC``.
"""

from romans_env.testing.finding import Finding
from romans_env.testing.game_check import check_game

__all__ = ["Finding", "check_game"]
