"""A test for every rule of docs/environments/roma_rules.md."""
