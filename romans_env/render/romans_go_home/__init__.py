"""How Romans Go Home! looks."""
