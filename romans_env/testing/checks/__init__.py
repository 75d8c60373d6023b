"""The checks, by what they look at; each yields what is wrong, a line each."""
