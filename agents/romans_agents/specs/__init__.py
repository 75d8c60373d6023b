"""Agent specs such as ``"mo-ismcts:seconds=1"``: the registry, agents from Python files, and lists of agents."""
