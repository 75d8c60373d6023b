"""Agents that know Romans Go Home!, and the compiled loop in which they play."""
