"""The environments that only Romans Go Home! has: its OpenSpiel game."""
