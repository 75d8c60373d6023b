"""Searches that play every game: flat Monte Carlo, IS-MCTS and policy rollouts, with their budgets."""
