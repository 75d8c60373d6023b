"""Compiled loops over many rounds at once."""
