"""The trained policies of Romans Go Home! that come with the package, with their model cards."""
