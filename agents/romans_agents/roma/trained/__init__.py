"""Trained policies of Roma that come with the package."""
