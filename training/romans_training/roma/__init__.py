"""Training and analysis of what is Roma's own."""
