"""Equilibria of rounds of Romans Go Home! between two players, and the regret of agents' plans."""
