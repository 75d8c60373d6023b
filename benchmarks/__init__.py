"""Benchmarks: speed, strength and learning, and a gate that fails if the engine has become slower than recorded."""
