"""The win probability network of `stilicho`."""
