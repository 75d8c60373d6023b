"""Analyses that are specific to one game, built on `romans_training.analysis`: one module per game."""
