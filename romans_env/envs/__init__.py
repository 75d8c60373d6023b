"""Environments: thin layers over any game, for PettingZoo (AEC), Gymnasium, stable-baselines3 and OpenSpiel."""
