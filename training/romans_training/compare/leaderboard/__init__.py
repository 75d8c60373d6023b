"""The benchmark: the strength of an agent as one number, on a scale of reference opponents."""
