"""Tests of training, evaluation and the command line."""
