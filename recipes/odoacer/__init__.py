"""A fast player of Struggle for Rome: rollouts only where a small network says that they pay."""
