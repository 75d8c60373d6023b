"""Compile decorators, the code that they keep on disk, tables that it finds, and loops for every game."""
