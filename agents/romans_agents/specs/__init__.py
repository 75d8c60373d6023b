"""Agent specs such as ``"mo-ismcts:seconds=1"``: the registry of names, agents from Python files, lists of agents."""
