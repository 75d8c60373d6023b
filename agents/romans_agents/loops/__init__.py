"""Loops that are compiled for every game: templates of `romans_env.compiling.templates`."""
