"""A test for every rule of docs/struggle_rules.md."""
