"""Environments, thin layers over a game: PettingZoo AEC, Gymnasium, stable-baselines3. They know no game's cards."""
