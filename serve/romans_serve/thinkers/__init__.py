"""Agents for the games of a server (`romans_serve`): worker processes, and what can be played."""
