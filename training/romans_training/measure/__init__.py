"""Evaluation: duplicate deals, confidence intervals clustered by deal, variance reduction, reference opponents."""
