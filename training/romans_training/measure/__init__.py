"""Evaluation: duplicate deals, confidence intervals clustered by deal, variance reduction, and reference opponents."""
