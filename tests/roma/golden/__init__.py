"""Whole games of Roma as text."""
