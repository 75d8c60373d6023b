"""Learners from other libraries with their default settings, for the leaderboard."""
