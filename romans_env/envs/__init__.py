"""Thin faces over a game: PettingZoo AEC, gymnasium, stable-baselines3. They know no card of any game."""
