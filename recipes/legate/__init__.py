"""The policies of Romans Go Home!: settings of their runs."""
