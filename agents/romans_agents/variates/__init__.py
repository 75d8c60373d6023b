"""Luck and control variates: what chance contributed to a result, which evaluations subtract (AIVAT)."""
