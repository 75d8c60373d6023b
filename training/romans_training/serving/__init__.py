"""Agents for the games of a server (`romans_env.serve`): worker processes, and what can be played."""
