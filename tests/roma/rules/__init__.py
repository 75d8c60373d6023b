"""A test for every rule of docs/roma_rules.md."""
