"""The parts of a replay page."""
