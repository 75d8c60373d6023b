"""Translates functions from Python to JavaScript, so that a page draws and words a game as the package does."""
