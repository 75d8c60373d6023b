"""Worker processes in which the agents of a server (`romans_serve`) run, and the games that the server offers."""
