"""Agents of Struggle for Rome."""
