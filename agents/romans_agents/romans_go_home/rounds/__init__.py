"""Search of a single round as a game of its own.

No private information survives a round (RULES 2.2): at its start everything is public except the warriors in hand. So,
if the other seats' action probabilities are known, the distribution of their hands and plans is exact, and Bayes' rule
keeps it exact while warriors are revealed. With a value of the public state at its end, a round can be searched alone.
"""
