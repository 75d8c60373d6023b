"""The networks of `odoacer`: for the win probability, and for the selection of rollouts."""
