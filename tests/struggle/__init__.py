"""Tests of Struggle for Rome."""
