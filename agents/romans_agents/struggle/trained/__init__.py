"""The trained agents of Struggle for Rome that come with the package, with their model cards."""
