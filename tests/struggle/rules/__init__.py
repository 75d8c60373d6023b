"""A test for every rule of docs/environments/struggle_rules.md."""
