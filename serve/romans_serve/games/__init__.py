"""Games in progress: what is played, kept in the database, and shown to whom."""
