"""Speed of a game on this machine compared with other libraries: ``python -m benchmarks.speed``."""
