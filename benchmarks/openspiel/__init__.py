"""Figures on games of OpenSpiel, whose exploitability is exact: its own learners and this library's, side by side."""
