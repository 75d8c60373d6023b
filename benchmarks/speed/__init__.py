"""Speed of a game on this machine, beside other libraries: what ``python -m benchmarks.speed`` measures."""
