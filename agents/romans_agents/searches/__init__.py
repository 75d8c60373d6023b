"""Searches that play every game: flat Monte Carlo, IS-MCTS and rollouts of a policy, with their budgets."""
