"""Drawing: a folder for each game."""
