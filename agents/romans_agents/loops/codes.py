"""Codes of agents in compiled loops, and the stages of a learner's step."""

from __future__ import annotations

EXTERNAL, RANDOM, FIRST_OWN = range(3)
"""Three codes: EXTERNAL for a seat that is played from outside the loops, RANDOM for the agent `random`, and FIRST_OWN
for the first of a game's own agents."""
LEARNER = -1
"""Replaces the number of an agent on a seat that is played from outside the loops."""

STARTS, ACTS, REWARDS, OBSERVES = 1, 2, 4, 8
"""The stages of a learner's step, as bits. Opponents that are not compiled play between the stages."""
