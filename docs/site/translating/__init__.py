"""Translates Python functions to JavaScript, so that the page draws a game and puts it into words like the package."""
