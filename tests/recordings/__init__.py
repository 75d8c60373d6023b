"""What version 0.1 did, as digests: games, observations, agents, batches and tournaments of Romans Go Home!."""
