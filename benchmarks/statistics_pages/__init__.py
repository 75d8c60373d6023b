"""Pages of game statistics."""
