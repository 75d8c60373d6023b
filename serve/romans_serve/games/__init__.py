"""Games of the server: playing them, keeping them in the database, and showing them to viewers."""
