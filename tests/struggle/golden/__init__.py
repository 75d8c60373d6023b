"""Whole games of Struggle for Rome as text."""
