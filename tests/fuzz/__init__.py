"""Damaged and hostile files, made at random with a fixed seed: each is refused in one line, or is what it says."""
