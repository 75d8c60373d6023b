"""The agents of Romans Go Home!: scripted players, searches and trained policies."""
