"""Measurements on OpenSpiel games, whose exploitability is exact: its own learners compared with this library's."""
