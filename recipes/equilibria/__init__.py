"""A round of Romans Go Home! between two players as one matrix of all lines: the regret of plans, and equilibria."""
