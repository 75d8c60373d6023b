"""Comparing agents: tournaments, the leaderboard, best responses (`exploit`) and reviews of single games."""
