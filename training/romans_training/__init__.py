"""Trainers, evaluation and the command line ``romans``."""
