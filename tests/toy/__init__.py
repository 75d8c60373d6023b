"""A second game, for tests alone: what it cannot pass through is not neutral."""
