"""Agents for the games of a server (`romans_serve`): worker processes, and the offers of games."""
