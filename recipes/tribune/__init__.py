"""A fast planner for Romans Go Home!: one step of mirror descent from the plans of `legate`."""
