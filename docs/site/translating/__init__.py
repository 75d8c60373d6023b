"""Translates functions of the package from Python to JavaScript, so that a page draws and words a game as Python does."""
