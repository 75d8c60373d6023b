"""Self-play: the learner plays against itself and a league of its past policies, scripted agents and exploiters."""
