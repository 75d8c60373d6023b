"""How Roma looks."""
