"""Trained policies of Struggle for Rome that come with the package."""
