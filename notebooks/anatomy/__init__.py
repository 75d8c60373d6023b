"""Questions that one game alone asks, made of `romans_training.analysis`: a module a game."""
