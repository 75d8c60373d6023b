"""Trained policies that come with the package."""
