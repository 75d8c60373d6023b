"""The checks, grouped by subject; each yields one line per fault."""
