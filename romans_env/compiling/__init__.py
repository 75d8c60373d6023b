"""Compile decorators, the code that they keep on disk, and loops that are compiled for every game."""
