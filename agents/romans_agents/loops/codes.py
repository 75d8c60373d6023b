"""Codes of agents in compiled games, and the stages of a learner's step."""

from __future__ import annotations

EXTERNAL, RANDOM, FIRST_OWN = range(3)
"""The code of a seat whose decisions come from outside of the loops; that of `random`; a game's own agents follow."""
LEARNER = -1
"""In place of the number of an agent, for a seat that is played from outside."""

STARTS, ACTS, REWARDS, OBSERVES = 1, 2, 4, 8
"""The stages of a learner's step, as bits. Opponents that are not compiled play between them."""
