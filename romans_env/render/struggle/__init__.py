"""How Struggle for Rome looks."""
