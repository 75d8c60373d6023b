"""Luck and control variates: the contribution of chance to a result, which evaluations subtract (AIVAT)."""
