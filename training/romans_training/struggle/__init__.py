"""Training and analysis of what is Struggle for Rome's own."""
