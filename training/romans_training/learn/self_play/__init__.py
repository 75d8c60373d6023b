"""Self-play: a learner on all seats of most games, and against a league of its past, scripted agents and exploiters."""
