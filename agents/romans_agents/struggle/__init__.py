"""The agents of Struggle for Rome."""
