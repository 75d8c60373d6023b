"""Drawing and texts of Struggle for Rome."""
