"""The policies of Romans Go Home!: settings of their runs, and the improvement of plans."""
