"""The settings of the training runs of the policies of Romans Go Home!."""
