"""The networks of the round search of Romans Go Home!."""
