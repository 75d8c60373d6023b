"""The round as a game of its own.

No private information survives a round (RULES 2.2): at its start everything is public but the warriors in hand. So what
the other seats may hold and lay is an exact distribution where their action probabilities are known, Bayes' rule keeps
it exact as warriors are revealed, and a round is searched on its own, given a value of the public state after it.
"""
