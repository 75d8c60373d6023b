"""The network of `stilicho`: who wins a game of Struggle for Rome."""
