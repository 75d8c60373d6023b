"""Pages of statistics of games."""
